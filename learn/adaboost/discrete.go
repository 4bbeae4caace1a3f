package adaboost

import (
	"context"
	"math"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// discrete is boosting by votes. With e the weighted error of a member and K classes:
//
//	AdaBoost, .M1   while e < 1/2        alpha = 1/2 ln((1 - e) / e)
//	                                     w *= exp(alpha) if wrong, exp(-alpha) if right
//	SAMME           while e < 1 - 1/K    alpha = ln((1 - e) / e) + ln(K - 1)
//	                                     w *= exp(alpha) if wrong
//
// and then w /= sum of w. A member without error would vote with infinite weight; its vote is that
// of e = 1 / (n + 2) for n rows, which is ln((W + 1/n) / (1/n)) for alpha's fraction (Schapire &
// Singer 1999, section 4.2), and training ends with it. A member with too large an error is
// dropped, and training ends without it; but a model has one member at least.
type discrete struct {
	*job
	samme  bool
	limit  float64 // of the error, from which on it is that of chance
	votes  []float64
	total  float64 // of all votes
	wrong  []bool
	labels []float64
}

// noEdge is the edge up to which an error counts as that of chance: weights are sums of rounded
// numbers, and a member with such an edge would need 1e20 rounds like it to change anything.
const noEdge = 1e-10

func newDiscrete(j *job, samme bool) booster {
	d := &discrete{job: j, samme: samme, limit: 0.5 - noEdge,
		votes: make([]float64, len(j.pop.Rows)*j.pop.Classes), wrong: make([]bool, len(j.pop.Rows))}
	if samme {
		d.limit = 1 - 1/float64(j.pop.Classes) - noEdge
	}
	return d
}

func (d *discrete) committee() *committee.Committee {
	return &committee.Committee{Combine: committee.Vote}
}

// round trains one member.
func (d *discrete) round(ctx context.Context, n int) (round, error) {
	t := *d.target
	for attempt := 0; ; attempt++ {
		m, err := d.train(ctx, &t, d.weight, n, attempt)
		if err != nil {
			return round{}, err
		}
		e, err := d.evaluate(m)
		if err != nil {
			return round{}, err
		}
		if d.resample && attempt+1 < attempts && e >= d.limit {
			continue // another sample may do
		}
		return d.take(m, e, n), nil
	}
}

// evaluate returns the weighted error of a member and marks the rows that it gets wrong.
func (d *discrete) evaluate(m model.Model) (e float64, err error) {
	if d.labels, _, err = d.predictRows(m, model.Label); err != nil {
		return 0, err
	}
	return d.mark(), nil
}

// mark marks the rows whose labels are wrong and returns the weighted error.
func (d *discrete) mark() (e float64) {
	for i, label := range d.labels {
		d.wrong[i] = uint32(label) != d.pop.Class[i]
		e += only(d.wrong[i], d.weight[i])
	}
	return e
}

func (d *discrete) replay(vote float64, predicted [][]float64) float64 {
	d.labels = predicted[0]
	e := d.mark()
	d.reweigh(vote)
	return e
}

// take gives a member its vote and the rows their weights.
func (d *discrete) take(m model.Model, e float64, n int) round {
	r := round{error: e}
	switch {
	case e >= d.limit && n > 0:
		r.stop = stopChance
		return r
	case e >= d.limit:
		r.stop, r.weight = stopChance, 1
	default:
		odds := (1 - e) / e
		if e == 0 {
			odds, r.stop = float64(len(d.pop.Rows))+1, stopPerfect
		}
		r.weight = kernel.Log(odds)
		if d.samme {
			r.weight += kernel.Log(float64(d.pop.Classes - 1))
		} else {
			r.weight /= 2
		}
		r.weight = float64(r.weight * d.learner.LearningRate)
	}
	if r.weight == 0 { // the learning rate is so small
		if r.stop = stopChance; n > 0 {
			return r
		}
		r.weight = 1
	}
	kept, gain := d.keep(m)
	r.members = []member{{model: kept, weight: r.weight, gain: gain}}
	for i, label := range d.labels {
		d.votes[i*d.pop.Classes+int(label)] += r.weight
	}
	d.total += r.weight
	var finite bool
	if r.z, finite = d.reweigh(r.weight); !finite {
		r.stop = stopBeyond
	}
	if e >= d.limit {
		r.z = 0
	}
	r.edges = r.z > 0 && d.learner.LearningRate == 1 && e < 0.5
	return r
}

// reweigh changes the weights by a vote and returns the sum that AdaBoost's would have before they
// are divided by it: the factor of the bound. It is 0 where none follows: SAMME for three classes
// and more. It reports whether the weights still are numbers: votes beyond 700, of a learning rate
// above 1 and a small error, make infinite ones.
func (d *discrete) reweigh(vote float64) (z float64, finite bool) {
	up, down := kernel.Exp(vote), 1.0
	if !d.samme {
		down = 1 / up
	}
	by := [2]float64{down, up}
	for i, wrong := range d.wrong {
		which := 0
		if wrong {
			which = 1
		}
		d.weight[i] = float64(d.weight[i] * by[which])
	}
	z = normalise(d.weight)
	finite = z > 0 && z <= math.MaxFloat64
	switch {
	case d.samme && d.pop.Classes > 2:
		return 0, finite
	case !finite:
		return math.MaxFloat64, false
	case d.samme: // alpha is twice AdaBoost's
		return z * kernel.Exp(-vote/2), true
	}
	return z, true
}

// keep returns a member as the committee keeps it: a tree votes in its leaves already, which is a
// fraction of the memory where there are many classes.
func (d *discrete) keep(m model.Model) (model.Model, []float64) {
	small, gain := compact(m)
	e, ok := m.(*model.Ensemble)
	if gain == nil || !ok || e.Trees[0].Leaf.Samples != nil || stops(e.Trees[0]) {
		return small, gain
	}
	decide := &e.Meta.Decision
	own := *e
	probabilities := make([]float64, e.Trees[0].Leaf.Width)
	own.Trees = []*tree.Tree{e.Trees[0].Votes(func(value []float64) int {
		copy(probabilities, value)
		if e.Trees[0].Leaf.Kind == tree.Counts {
			tree.Probabilities(probabilities, probabilities)
		}
		return decide.Label(probabilities)
	})}
	own.Meta.Decision = model.Decision{FirstPositive: decide.FirstPositive}
	return &own, gain
}

// stops reports whether rows may divide or stop at inner nodes, where votes of leaves are not those
// of the tree.
func stops(t *tree.Tree) bool {
	for i := range t.Nodes {
		if rule := t.Nodes[i].Missing(); rule == tree.MissingFractional ||
			rule == tree.MissingStop || rule == tree.MissingSurrogate {
			return true
		}
	}
	return false
}

func (d *discrete) error() (float64, bool) {
	return errorOf(d.job, d.votes), true
}

// margins are the fraction of votes for the row's class less that for the strongest other.
func (d *discrete) margins(dst []float64) bool {
	k := d.pop.Classes
	for i, c := range d.pop.Class {
		dst[i] = margin(d.votes[i*k:(i+1)*k], c) / d.total
	}
	return true
}

// margin returns what a class has more than the strongest other.
func margin(of []float64, class uint32) float64 {
	other, first := 0.0, true
	for c, v := range of {
		if uint32(c) != class && (first || v > other) {
			other, first = v, false
		}
	}
	return of[class] - other
}
