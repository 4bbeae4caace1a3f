package gbm

import (
	"slices"

	"github.com/coppice-ml/coppice/internal/boosting"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/param"
)

// Boosting is how rounds see those before them.
type Boosting struct {
	Name string // plain or dart
	Dart *Dart  // of dart
}

// The values of the parameter boosting.
const (
	plain = "plain"
	dart  = "dart"
)

// Dart are the parameters of dropout (Vinayak & Gilad-Bachrach 2015): a round is trained on the
// scores without some of the rounds before it, and both are then made less, so that together they
// add what these had added.
type Dart struct {
	Drop float64 // probability of each round to be dropped
	Most int     // rounds dropped at once; 0 = no limit
	Skip float64 // probability that a round drops none
}

// Params declares drop, most and skip, with LightGBM's defaults.
func (d *Dart) Params() param.Set {
	return param.Set{
		param.Float(&d.Drop, "drop", 0.1, 0, 1, "probability of each round before to be dropped"),
		param.Int(&d.Most, "most", 50, 1, 1<<30, "rounds that are dropped at once", param.Zero("no limit")),
		param.Float(&d.Skip, "skip", 0.5, 0, 1, "probability that a round drops none of those before it"),
	}
}

// Chosen returns the kind of boosting and its parameters.
func (c *Boosting) Chosen() (string, param.Set) {
	if c.Dart == nil {
		return c.Name, nil
	}
	return c.Name, c.Dart.Params()
}

// Choose makes the boosting of a name.
func (c *Boosting) Choose(name string) (param.Set, func(), error) {
	switch name {
	case plain:
		return nil, func() { *c = Boosting{Name: plain} }, nil
	case dart:
		made := &Dart{}
		set := made.Params()
		set.Reset()
		return set, func() { *c = Boosting{dart, made} }, nil
	}
	return nil, nil, param.Unknown("boosting", name, []string{plain, dart})
}

// dropped are the rounds that one is trained without.
type dropped struct {
	rounds []int           // of this training, ascending
	trees  *model.Ensemble // theirs
	raw    []float64       // what they add to the scores of the prepared rows, output-major
	valid  []float64       // and of the validation part
}

// drop draws the rounds that the next one is trained without, and takes them from all scores; nil =
// none.
func (b *boost) drop() (*dropped, error) {
	c := &b.learner.Boosting
	if c.Dart == nil {
		return nil, nil
	}
	d := &dropped{rounds: c.Dart.draw(b.history.Rounds, rng.New(b.Seed, purposeDrop, uint64(b.before+b.history.Rounds)))}
	if len(d.rounds) == 0 {
		return nil, nil
	}
	d.trees = b.empty()
	k := b.width()
	for _, n := range d.rounds {
		from := b.first + n*k
		d.trees.Trees = append(d.trees.Trees, b.model.Trees[from:from+k]...)
		d.trees.Output = append(d.trees.Output, b.model.Output[from:from+k]...)
		d.trees.Weights = append(d.trees.Weights, b.model.Weights[from:from+k]...)
	}
	prepared := &boosting.Part{Rows: b.matrix.Rows, Raw: make([]float64, len(b.raw))}
	round := func(tree int) int { return b.before + d.rounds[tree/k] }
	if err := b.addByOrder(prepared, d.trees, round); err != nil {
		return nil, err
	}
	d.raw = prepared.Raw
	minus(b.raw, d.raw)
	b.collect()
	if b.valid == nil {
		return d, nil
	}
	part := &boosting.Part{Rows: b.valid.Rows, Raw: make([]float64, len(b.valid.Raw))}
	if err := b.addHoldOut(part, d.trees); err != nil {
		return nil, err
	}
	d.valid = part.Raw
	minus(b.valid.Raw, d.valid)
	return d, nil
}

// draw draws from so many rounds.
func (d *Dart) draw(rounds int, s *rng.Stream) []int {
	if s.Float64() < d.Skip {
		return nil
	}
	var all []int
	for n := range rounds {
		if s.Float64() < d.Drop {
			all = append(all, n)
		}
	}
	if d.Most > 0 && len(all) > d.Most {
		s.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		all = all[:d.Most]
		slices.Sort(all)
	}
	return all
}

// scales returns the factors of what was dropped and of the trees that were grown without it: of d
// rounds and learning rate r they are d/(d+r) and 1/(d+r), so that the new trees, of rate r, take
// the part of one round among d+r.
func (d *dropped) scales(rate float64) (old, grown float64) {
	if d == nil {
		return 1, 1
	}
	n := float64(len(d.rounds))
	return n / (n + rate), 1 / (n + rate)
}

// putBack adds what was dropped to the scores again, times a factor, and gives its trees the
// weights that they have from now on.
func (b *boost) putBack(d *dropped, factor float64) {
	if d == nil {
		return
	}
	plus(b.raw, d.raw, factor)
	if b.valid != nil {
		plus(b.valid.Raw, d.valid, factor)
	}
	k := b.width()
	for _, n := range d.rounds {
		for i := range k {
			b.model.Weights[b.first+n*k+i] *= factor
		}
	}
}

func minus(dst, x []float64) {
	for i, v := range x {
		dst[i] -= v
	}
}

func plus(dst, x []float64, factor float64) {
	for i, v := range x {
		dst[i] += float64(v * factor)
	}
}

// empty is the model without trees or start values.
func (b *boost) empty() *model.Ensemble {
	m := *b.model
	m.Trees, m.Output, m.Weights, m.Bias = nil, []int32{}, nil, make([]float64, len(b.model.Bias))
	return &m
}
