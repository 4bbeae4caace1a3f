// Package counterfactual owns the search for the smallest change of a row that turns its prediction
// to a goal. It finds the values that columns may change to, bounds what trees can predict for
// ranges of them, and searches by branch and bound. Package explain says what a change means.
package counterfactual

import (
	"context"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/model"
)

// Task is a row of a table and a goal that its prediction does not reach.
type Task struct {
	Model model.Model
	Frame *data.Frame // expanded as the model's schema is
	Row   int
	Goal  *Goal
	Like  *data.Frame // expanded likewise; its rows have the possible values. It has rows
	Fixed []bool      // by feature of the schema: its value stays
	// goroutines; 0 = one per processor. An exact result is the same for any number
	Workers int
}

// Change is one column of a result.
type Change struct {
	Column   string
	From, To any     // a float64, the string of a level, nil = missing or unseen
	Cost     float64 // |change| / interquartile range, or 1
}

// Result is the best change that was found.
type Result struct {
	Changes []Change  // in the order of the schema; nil: none was found
	Cost    float64   // sum of those of the changes
	After   []float64 // response of the changed row; nil without Changes
	Exact   bool      // no possible change has fewer columns, or as many and a lower cost
	Ended   bool      // the search ended before the context
}

// Smallest searches until nothing better is left, or the context ends it: then Ended is false and
// the error is nil. Errors are those of Bind and Predict.
func Smallest(ctx context.Context, t *Task) (*Result, error) {
	s, err := newSearch(t)
	if err != nil {
		return nil, err
	}
	if err := s.start(ctx, t.Like); err != nil {
		return nil, err
	}
	ended, err := s.run(ctx, parallel.Workers(t.Workers))
	if err != nil {
		return nil, err
	}
	r := &Result{Ended: ended, Exact: ended && s.complete()}
	if s.best == nil {
		return r, nil
	}
	return r, s.describe(r)
}

// describe fills in what was found.
func (s *search) describe(r *Result) error {
	b := s.best
	for i, c := range b.columns {
		x := &s.columns[c]
		r.Changes = append(r.Changes, Change{x.name, x.from, x.text(b.at[i]), x.cost[b.at[i]]})
	}
	r.Cost = b.cost
	v := newVariants(s, 1)
	v.set(0, b.columns, b.at)
	after, err := v.predict(1)
	r.After = slices.Clone(after)
	return err
}
