package adaboost

import (
	"context"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
)

// additive is boosting by members that are regressions, which add up to scores: of two
// classes the log odds of the second, of more a score for each class.
type additive struct {
	*job
	outputs int
	link    link.Link
	scores  []float64 // rows x outputs
	target  data.Target
}

func newAdditive(j *job, many link.Link) additive {
	a := additive{job: j, outputs: j.pop.Classes, link: many}
	if a.outputs == 2 {
		a.outputs, a.link = 1, link.Logistic()
	}
	a.scores = make([]float64, len(j.pop.Rows)*a.outputs)
	a.target = data.Target{Name: j.target.Name, Task: data.Regression,
		Y: [][]float64{make([]float64, j.frame.Rows())}}
	return a
}

func (a *additive) committee() *committee.Committee {
	return &committee.Committee{Combine: committee.Sum, Link: a.link}
}

// is returns +1 for rows of the class of an output, -1 for others.
func (a *additive) is(row, output int) float64 {
	c := int(a.pop.Class[row])
	if a.outputs == 1 {
		output = 1
	}
	if c == output {
		return 1
	}
	return -1
}

// predicts reports whether a member predicts anything but 0, or what rounding leaves of it. One
// that does not changes neither scores nor weights, and those after it would be the same.
func predicts(f []float64) bool {
	return slices.ContainsFunc(f, func(v float64) bool { return math.Abs(v) > noEdge })
}

// regress trains a member for an output on numbers by position, and returns its predictions for the
// training rows. n is the number of the round.
func (a *additive) regress(ctx context.Context, number func(i int) float64, weight []float64,
	n, output int) (model.Model, []float64, error) {
	for i, r := range a.pop.Rows {
		a.target.Y[0][r] = number(i)
	}
	m, err := a.train(ctx, &a.target, weight, n*a.outputs+output, 0)
	if err != nil {
		return nil, nil, err
	}
	predicted, _, err := a.predictRows(m, model.Response)
	return m, predicted, err
}

// probabilities returns a copy of the scores as responses, rows x classes.
func (a *additive) probabilities() []float64 {
	if a.outputs > 1 {
		p := slices.Clone(a.scores)
		for at := 0; at < len(p); at += a.outputs {
			a.link.Apply(p[at : at+a.outputs])
		}
		return p
	}
	p := make([]float64, 2*len(a.scores))
	for i, s := range a.scores {
		p[2*i], p[2*i+1] = -s, s
	}
	a.link.Apply(p)
	return p
}

// error counts a score of 0 for the first class, as the model does. Of more classes it compares
// probabilities, as the model does: scores that differ in their last bits may have equal ones.
func (a *additive) error() (float64, bool) {
	if a.outputs > 1 {
		return errorOf(a.job, a.probabilities()), true
	}
	e := 0.0
	for i, s := range a.scores {
		e += only((s > 0) != (a.pop.Class[i] == 1), a.first[i])
	}
	return e, true
}

// margins are differences of class probabilities.
func (a *additive) margins(dst []float64) bool {
	p, k := a.probabilities(), a.pop.Classes
	for i, c := range a.pop.Class {
		dst[i] = margin(p[i*k:(i+1)*k], c)
	}
	return true
}
