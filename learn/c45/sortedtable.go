package c45

import (
	"context"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/exact/weighted"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/learn/internal/weighting"
)

// Table is a table prepared for C4.5 or ID3.
type sortedTable struct {
	Frame    *data.Frame
	Prepared *weighted.Prepared
}

// Prepare returns the function that sorts the numeric columns of rows of a frame; nil rows are all.
func sortColumns(
	ctx context.Context, env learn.Env,
) func(f *data.Frame, rows []int32) (sortedTable, error) {
	return func(f *data.Frame, rows []int32) (sortedTable, error) {
		p, err := weighted.Prepare(ctx, f, rows, env.Workers)
		return sortedTable{f, p}, err
	}
}

// Classes checks a job and returns what weighing.Gather does for its rows. A target without classes
// is a *learn.TaskError.
func (s *sortedTable) Classes(
	learner string, t *data.Target, job *learn.Job, classWeight data.ClassWeight,
) (*grow.Population, []float64, error) {
	if !t.Task.Classes() {
		return nil, nil, &learn.TaskError{Learner: learner, Task: t.Task}
	}
	if err := job.Check(s.Frame, s.Prepared.Rows()); err != nil {
		return nil, nil, err
	}
	return weighting.Gather(t, job.RowsOf(s.Prepared.Rows()), classWeight)
}
