// Package offset owns training with an offset: a column of known scores that every prediction adds,
// such as the log of an exposure beside counts (McCullagh & Nelder 1989, section 6.2).
//
//	score = offset + what the base learned from the other columns
//	response = link of the score
//
// The base starts from the offset (data.Target.Offset) and from the best constant beside it. It
// never sees the column. The model is a sum of both, so all that reads models adds the offset: a
// table for prediction needs the column, and a row without a value is an error.
//
//	m, err := coppice.Train(ctx, offset.New(gbm.New(), "log_exposure"), ds)
//
// A column of initial scores (data.Roles.Start) is something else: training starts from it, and
// predictions do not add it.
package offset

import (
	"context"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/param"
)

// Learner is another learner with an offset. Its models have the name and the parameters of that
// learner, and store the column as a role.
type Learner struct {
	// Base is the learner. It has Capabilities.Offset: gbm, anyboost, linear, logistic.
	Base learn.Learner
	// Column is the name of the numeric column, which is among the features of the data set.
	Column string
}

// New returns a learner with an offset.
func New(base learn.Learner, column string) *Learner { return &Learner{base, column} }

// Check reports that the base cannot have an offset; name is what the error calls it.
func (l *Learner) Check(name string) error {
	if !l.Base.Capabilities().Offset {
		return fmt.Errorf("%s does not use offsets: use gbm, anyboost, linear or logistic", name)
	}
	return nil
}

// Params are those of the base.
func (l *Learner) Params() param.Set { return l.Base.Params() }

// Capabilities are those of the base but for what depends on the type of its models: they resume no
// training and predict by all rounds. The table is in memory.
func (l *Learner) Capabilities() learn.Capabilities {
	c := l.Base.Capabilities()
	c.Blocks, c.Rounds, c.Resume = false, false, false
	c.Chosen, c.Merge, c.OutOfBag = nil, nil, false
	return c
}

// fitter is a prepared table without the column.
type fitter struct {
	base   learn.Fitter
	loss   *lossOf
	frame  *data.Frame // with the column
	rows   []int32
	column int
	values []float64
}

// Prepare takes the column out of the table and prepares the base on the others.
func (l *Learner) Prepare(ctx context.Context, features data.Features, rows []int32, weight []float64,
	env learn.Env) (learn.Fitter, error) {
	f, distinct, err := fitting.Frame(l.Params(), features, rows, l.Capabilities().Conflicts)
	if err != nil {
		return nil, err
	}
	if err := l.Check("the learner"); err != nil {
		return nil, err
	}
	at := f.Schema.Index(l.Column)
	switch {
	case at < 0:
		return nil, fmt.Errorf("the table has no offset column %q among its features%s", l.Column,
			param.Meant(": ", l.Column, f.Schema.Names()))
	case f.Schema.Fields[at].Kind != data.Numeric:
		return nil, fmt.Errorf("the offset column %q is not numeric: an offset is a score", l.Column)
	case len(f.Columns) == 1:
		return nil, fmt.Errorf("the table has no feature beside the offset column %q", l.Column)
	}
	var others []int
	for i := range f.Columns {
		if i != at {
			others = append(others, i)
		}
	}
	p := &fitter{loss: lossBy(l.Base), frame: f, rows: distinct, column: at,
		values: f.Columns[at].Numbers()}
	p.base, err = l.Base.Prepare(ctx, f.Select(others), rows, weight, env.Alone())
	return p, err
}

// check reports a row without a finite offset.
func (f *fitter) check(rows []int32) error {
	for _, r := range rows {
		if v := f.values[r]; math.IsNaN(v) || math.IsInf(v, 0) {
			what := "infinite"
			if math.IsNaN(v) {
				what = "missing"
			}
			return fmt.Errorf("%s: the offset in column %q is %s, want a finite number",
				f.frame.Locate(int(r)), f.frame.Schema.Fields[f.column].Name, what)
		}
	}
	return nil
}
