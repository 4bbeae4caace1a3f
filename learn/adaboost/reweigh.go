package adaboost

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
	"github.com/coppice-ml/coppice/tree"
)

// Reweigh returns the weights that the rows of a labeled table have after some numbers of rounds of
// a model's training, one state for each of rounds, from 0 to the rounds of the model. Of the
// training rows these are the weights of the training; other rows are weighed by the same formulas,
// with the votes of the model. l has the parameters of the model. The members predict with the
// model's own columns, which the table must have.
//
// The error of a state is that of the next round's member, or members, as Summary.Error has it, and
// its vote that of Summary.Weight.
func (l *Learner) Reweigh(ctx context.Context, m model.Model, ds *data.Dataset, rounds []int) (
	[]training.Reweighted, error) {
	var s Summary
	if err := learn.ReadSummary(m, &s); err != nil {
		return nil, err
	}
	j, v, err := (&fitter{learner: *l, frame: ds.Frame}).begin(&ds.Target, learn.Job{})
	if err != nil {
		return nil, err
	}
	for _, n := range rounds {
		if n < 0 || n > s.Rounds {
			return nil, fmt.Errorf("there is no round %d: the model has %d", n, s.Rounds)
		}
	}
	b := v.begin(j)
	states := make([]training.Reweighted, len(rounds))
	for n := 0; len(rounds) > 0 && n <= slices.Max(rounds); n++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		weight, e, vote := j.byRow(), math.NaN(), math.NaN()
		if n < s.Rounds {
			predicted, err := j.predictedIn(n, s.Rounds, m, b.committee())
			if err != nil {
				return nil, err
			}
			vote = s.Weight[n]
			e = b.replay(vote, predicted)
		}
		for i, wanted := range rounds {
			if wanted == n {
				states[i] = training.Reweighted{Rounds: n, Weight: weight, Error: e, Vote: vote}
			}
		}
	}
	return states, nil
}

// byRow returns the weights by row of the table; rows without weight have 0.
func (j *job) byRow() []float64 {
	weight := make([]float64, j.frame.Rows())
	for i, r := range j.pop.Rows {
		weight[r] = j.weight[i]
	}
	return weight
}

// predictedIn returns what the members of a round, counted from 0, predict for the rows.
func (j *job) predictedIn(n, rounds int, m model.Model, c *committee.Committee) (
	[][]float64, error) {
	var all [][]float64
	each, width := 1, 1
	switch {
	case c.Combine == committee.Sum && j.pop.Classes > 2:
		each = j.pop.Classes
	case c.Combine == committee.Product:
		width = j.pop.Classes
	}
	switch m := m.(type) {
	case *committee.Committee:
		if len(m.Members) != each*rounds {
			return nil, errNotSuch
		}
		for _, of := range m.Members[n*each : (n+1)*each] {
			predicted, err := predictions(c, of, j.frame, j.pop.Rows, j.Workers)
			if err != nil {
				return nil, err
			}
			all = append(all, predicted)
		}
	case *model.Ensemble:
		if len(m.Trees) != each*rounds {
			return nil, errNotSuch
		}
		for _, t := range m.Trees[n*each : (n+1)*each] {
			predicted, err := j.predictedBy(t, m, c.Combine)
			if err != nil {
				return nil, err
			}
			all = append(all, predicted)
		}
	default:
		return nil, errNotSuch
	}
	for _, predicted := range all {
		if len(predicted) != width*len(j.pop.Rows) {
			return nil, errNotSuch
		}
	}
	return all, nil
}

// errNotSuch is the error of a model whose members are not those of its parameters and summary.
var errNotSuch = errors.New("the members of the model are not those that its training reports")

// predictions returns what a member predicts for rows, as its model is combined with others: of a
// vote the class, of a product the centred logarithms of the probabilities, else a number.
func predictions(c *committee.Committee, m model.Model, f *data.Frame, rows []int32,
	workers int) ([]float64, error) {
	o := model.Options{Output: model.Response, Workers: workers}
	if c.Combine == committee.Vote {
		o.Output = model.Label
	}
	p, err := m.Bind(&f.Schema, o)
	if err != nil {
		return nil, err
	}
	k := p.Width()
	values := make([]float64, len(rows)*k)
	if err := p.Predict(values, f, rows); err != nil {
		return nil, err
	}
	if c.Combine == committee.Product {
		for i := range rows {
			c.Centre(values[i*k : (i+1)*k])
		}
	}
	return values, nil
}

// predictedBy is predictions of a member that became a tree of an ensemble. The leaves of a vote
// have 1 for the class that it chooses, those of a product the centred logarithms.
func (j *job) predictedBy(t *tree.Tree, e *model.Ensemble, way committee.Combine) (
	[]float64, error) {
	own := &model.Ensemble{Meta: e.Meta, Trees: []*tree.Tree{t}}
	own.Meta.Decision = model.Decision{}
	o := model.Options{Output: model.Raw, Workers: j.Workers}
	switch way {
	case committee.Vote:
		o.Output = model.Label
	case committee.Sum:
		own.Meta.Task, own.Meta.Classes = data.Regression, nil
	}
	p, err := own.Bind(&j.frame.Schema, o)
	if err != nil {
		return nil, err
	}
	values := make([]float64, len(j.pop.Rows)*p.Width())
	return values, p.Predict(values, j.frame, j.pop.Rows)
}
