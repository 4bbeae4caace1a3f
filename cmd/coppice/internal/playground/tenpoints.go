package playground

import (
	"context"
	"fmt"

	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/adaboost"
	"github.com/coppice-ml/coppice/model"
)

// tenPlaces are the points of a textbook's example of AdaBoost (Schapire & Freund 2012, figure
// 1.1); class 1 is their +.
var tenPlaces = []point{
	{X: 1, Y: 5, Class: 1}, {X: 2, Y: 3, Class: 1}, {X: 3, Y: 1}, {X: 4, Y: 4},
	{X: 5, Y: 8, Class: 1}, {X: 6, Y: 2}, {X: 7, Y: 7, Class: 1}, {X: 8, Y: 9, Class: 1},
	{X: 9, Y: 6}, {X: 10, Y: 10},
}

// tenSide is the plane of the ten points.
var tenSide = span{0, 11}

// tenRounds is the number of rounds at most.
const tenRounds = 8

// tenRequest requests rounds of AdaBoost over stumps on the ten points.
type tenRequest struct {
	Classes []int `json:"classes"` // of the points, 0 or 1; nil = the textbook's
	Rounds  int   `json:"rounds"`  // 0 = 3, as in the textbook
}

// tenAnswer is the example, round by round.
type tenAnswer struct {
	Points []point    `json:"points"`
	Rounds []tenRound `json:"rounds"`
	// Stopped is why there are fewer rounds than requested; "" = there are not
	Stopped string `json:"stopped,omitempty"`
}

// tenRound is a round: its stump, and the vote of all stumps so far.
type tenRound struct {
	Column  int       `json:"column"` // of the stump: 0 = x, 1 = y
	Split   float64   `json:"split"`
	Weights []float64 `json:"weights"` // of the points before the round, sum 1
	Wrong   []bool    `json:"wrong"`   // points that the stump gets wrong
	Error   float64   `json:"error"`   // weight of these
	Alpha   float64   `json:"alpha"`   // vote of the stump
	After   []float64 `json:"after"`   // weights after the round
	Train   float64   `json:"train"`   // training error of all stumps so far
	Bound   float64   `json:"bound"`   // of that error
	Stump   *picture  `json:"stump"`
	Vote    *picture  `json:"vote"` // of all stumps so far
	Scores  []float64 `json:"scores"`
}

func tenPointsOf(ctx context.Context, _ *Handler, q *tenRequest) (*tenAnswer, error) {
	a := &tenAnswer{Points: append([]point(nil), tenPlaces...)}
	if len(q.Classes) != 0 && len(q.Classes) != len(tenPlaces) {
		return nil, refuse("there are %d classes for ten points", len(q.Classes))
	}
	for i, class := range q.Classes {
		a.Points[i].Class = class
	}
	if q.Rounds == 0 {
		q.Rounds = 3
	}
	if q.Rounds < 1 || q.Rounds > tenRounds {
		return nil, refuse("there are 1 to %d rounds", tenRounds)
	}
	t, err := newTable(a.Points, true)
	if err != nil {
		return nil, err
	}
	l := adaboost.New(resolve)
	if err := l.Params().Set([]string{"base.criterion=misclassification",
		fmt.Sprintf("rounds=%d", q.Rounds)}); err != nil {
		return nil, err
	}
	e, err := t.once(ctx, l, 0)
	if err != nil {
		return nil, err
	}
	var found adaboost.Summary
	if err := learn.ReadSummary(e, &found); err != nil {
		return nil, err
	}
	a.Stopped = found.Stopped
	return a, a.rounds(t, e, &found)
}

// rounds describes the rounds of a model.
func (a *tenAnswer) rounds(t *table, e *model.Ensemble, found *adaboost.Summary) error {
	f := &fitted{method: &method{Name: "adaboost"}, whole: e}
	for n := range e.Trees {
		f.sizes = append(f.sizes, n+1)
	}
	values, err := f.trees(t.frame)
	if err != nil {
		return err
	}
	steps, err := f.staged(t.frame)
	if err != nil {
		return err
	}
	for n, stump := range e.Trees {
		split := stump.SplitOf(0)
		r := tenRound{Column: int(split.Feature), Split: split.SplitPoint,
			Weights: found.RowWeights[n], Error: found.Error[n], Alpha: found.Weight[n],
			Train: found.Training[n], Bound: found.Bound[n], Scores: steps[n],
			After: f.importance(t, values, steps[n], n)}
		for i := range r.After {
			r.After[i] /= float64(len(r.After))
			r.Wrong = append(r.Wrong, (values[i][n] > 0.5) != (a.Points[i].Class == 1))
		}
		one := &model.Ensemble{Meta: e.Meta, Trees: e.Trees[n : n+1], Combine: e.Combine}
		if r.Stump, err = pictureOf(one, tenSide, mostCells); err != nil {
			return err
		}
		if r.Vote, err = pictureOf(f.at(n), tenSide, mostCells); err != nil {
			return err
		}
		a.Rounds = append(a.Rounds, r)
	}
	return nil
}
