package gbm

import (
	"context"
	"slices"

	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn/internal/boosting"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/param"
)

// Boosting is which earlier rounds a round corrects. The zero value is plain: all of them.
type Boosting struct {
	Dart    *Dart    // dropout, as NewDart makes it; nil: none
	Ordered *Ordered // ordered boosting, as NewOrdered makes it; nil: none, and not with Dart
}

// The values of the parameter boosting.
const (
	plain = "plain"
	dart  = "dart"
	// ordered boosting
	ordered = "ordered"
)

var boostings = []string{plain, dart, ordered}

// Dart are the parameters of dropout (Vinayak & Gilad-Bachrach 2015). A round is trained on the
// scores without some of the rounds before it. Both are then scaled down, so that together they add
// what the dropped rounds had added.
type Dart struct {
	Drop float64 // probability of each round to be dropped
	Most int     // rounds dropped at once; 0 = no limit
	Skip float64 // probability that a round drops none
}

// NewDart returns dropout with LightGBM's defaults.
func NewDart() *Dart {
	d := &Dart{}
	d.Params().Reset()
	return d
}

// Params declares drop, most and skip.
func (d *Dart) Params() param.Set {
	return param.Set{
		param.Float(&d.Drop, "drop", 0.1, 0, 1, "probability of each round before to be dropped"),
		param.Int(&d.Most, "most", 50, 1, 1<<30, "rounds that are dropped at once",
			param.Zero("no limit")),
		param.Float(&d.Skip, "skip", 0.5, 0, 1,
			"probability that a round drops none of those before it"),
	}
}

// Chosen implements param.Chooser.
func (c *Boosting) Chosen() (string, param.Set) {
	switch {
	case c.Ordered != nil:
		return ordered, c.Ordered.Params()
	case c.Dart != nil:
		return dart, c.Dart.Params()
	}
	return plain, nil
}

// Choose implements param.Chooser.
func (c *Boosting) Choose(name string) (param.Set, func(), error) {
	switch name {
	case plain:
		return nil, func() { *c = Boosting{} }, nil
	case dart:
		made := NewDart()
		return made.Params(), func() { *c = Boosting{Dart: made} }, nil
	case ordered:
		made := NewOrdered()
		return made.Params(), func() { *c = Boosting{Ordered: made} }, nil
	}
	return nil, nil, param.Unknown("boosting", name, boostings)
}

// sample returns the rounds to drop of so many.
func (d *Dropout) sample(rounds int, s *rng.Stream) []int {
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

// earlierRounds is the stage of the rounds before the one that is trained: which of them its scores
// hold.
type earlierRounds interface {
	// drop takes rounds from all scores, of so many that this training has.
	drop(rounds int) error
	// weight returns that of the trees which are grown by a learning rate without those rounds.
	weight(rate float64) float64
	// restore adds what drop took to the scores again, with the weights from now on.
	restore(rate float64)
}

// plainRounds keeps all rounds: the parameter boosting=plain.
type plainRounds struct{}

func (plainRounds) drop(int) error         { return nil }
func (plainRounds) weight(float64) float64 { return 1 }
func (plainRounds) restore(float64)        {}

// dropout drops rounds at random: the parameter boosting=dart. Of d dropped rounds and learning
// rate r, their trees get the factor d/(d+r) and the new ones 1/(d+r). So the new trees, of rate r,
// take the place of one round among d+r.
type dropout struct {
	dart     *Dropout
	seed     uint64
	table    *table
	scores   *scores
	ensemble *ensemble

	// what drop took
	rounds     []int     // of this training, ascending
	raw, valid []float64 // what they add to the scores by matrix row, and of the validation set
}

func newEarlierRounds(s *setup, t *table, sc *scores, e *ensemble) earlierRounds {
	if !s.dart() {
		return plainRounds{}
	}
	return &dropout{dart: s.config.Dropout, seed: s.job.Seed, table: t, scores: sc,
		ensemble: e}
}

func (d *dropout) drop(rounds int) error {
	e := d.ensemble
	d.rounds = d.dart.sample(rounds, rng.New(d.seed, purposeDrop, uint64(e.before+rounds)))
	if len(d.rounds) == 0 {
		return nil
	}
	dropped := d.trees()
	prepared := &boosting.Set{Rows: d.table.rows(), Raw: make([]float64, len(d.scores.raw))}
	round := func(tree int) int { return e.before + d.rounds[tree/e.width] }
	if err := d.table.addScores(context.Background(), prepared, dropped, round); err != nil {
		return err
	}
	d.raw = prepared.Raw
	subtract(d.scores.raw, d.raw)
	d.scores.collect()
	valid := d.scores.valid
	if valid == nil {
		return nil
	}
	set := &boosting.Set{Rows: valid.Rows, Raw: make([]float64, len(valid.Raw))}
	if err := d.table.addValidScores(set, dropped); err != nil {
		return err
	}
	d.valid = set.Raw
	subtract(valid.Raw, d.valid)
	return nil
}

// trees returns a model of the trees of the dropped rounds.
func (d *dropout) trees() *model.Ensemble {
	e, m := d.ensemble, d.ensemble.empty()
	for _, n := range d.rounds {
		from, to := e.from(n), e.from(n+1)
		m.Trees = append(m.Trees, e.model.Trees[from:to]...)
		m.Output = append(m.Output, e.model.Output[from:to]...)
		m.Weights = append(m.Weights, e.model.Weights[from:to]...)
	}
	return m
}

func (d *dropout) weight(rate float64) float64 {
	n := float64(len(d.rounds))
	if n == 0 {
		return 1
	}
	return 1 / (n + rate)
}

func (d *dropout) restore(rate float64) {
	n := float64(len(d.rounds))
	if n == 0 {
		return
	}
	factor := n / (n + rate)
	addTimes(d.scores.raw, d.raw, factor)
	if d.scores.valid != nil {
		addTimes(d.scores.valid.Raw, d.valid, factor)
	}
	e := d.ensemble
	for _, n := range d.rounds {
		for i := e.from(n); i < e.from(n+1); i++ {
			e.model.Weights[i] *= factor
		}
	}
	d.raw, d.valid = nil, nil
}

func subtract(dst, x []float64) {
	for i, v := range x {
		dst[i] -= v
	}
}

func addTimes(dst, x []float64, factor float64) {
	for i, v := range x {
		dst[i] += float64(v * factor)
	}
}
