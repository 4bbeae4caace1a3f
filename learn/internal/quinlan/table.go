// Package quinlan owns what the learners of Quinlan's trees (ID3, C4.5 and rules) have in common: a
// table with sorted columns, on which trees of fractional rows are grown.
package quinlan

import (
	"context"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/exact/weighted"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/learn/internal/weighting"
	"github.com/coppice-ml/coppice/param"
)

// Table is a table prepared for C4.5 or ID3.
type Table struct {
	Frame    *data.Frame
	Prepared *weighted.Prepared
}

// Prepare validates a learner's parameters and sorts the numeric columns of the given rows; nil
// rows are all.
func Prepare(
	ctx context.Context, params param.Set, features data.Features, rows []int32, env learn.Env,
) (Table, error) {
	if err := params.Validate(); err != nil {
		return Table{}, err
	}
	f, err := features.InMemory()
	if err != nil {
		return Table{}, err
	}
	if err := f.CheckRows(rows); err != nil {
		return Table{}, err
	}
	p, err := weighted.Prepare(ctx, f, data.Distinct(rows), env.Workers)
	return Table{f, p}, err
}

// Classes checks a job and returns what weighing.Gather does for its rows. A target without classes
// is a *learn.TaskError.
func (s *Table) Classes(
	learner string, t *data.Target, job *learn.Job, classWeight string,
) (*grow.Population, []float64, error) {
	if !t.Task.Classes() {
		return nil, nil, &learn.TaskError{Learner: learner, Task: t.Task}
	}
	if err := job.Check(s.Frame, s.Prepared.Rows()); err != nil {
		return nil, nil, err
	}
	return weighting.Gather(t, job.RowsOf(s.Prepared.Rows()), classWeight)
}
