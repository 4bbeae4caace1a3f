package learn

import (
	"context"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/grow"
	"github.com/coppice-ml/coppice/internal/exact/weighted"
	"github.com/coppice-ml/coppice/param"
)

// Sorted is a table prepared for C4.5 or ID3: what fitters of such trees share.
type Sorted struct {
	Frame    *data.Frame
	Prepared *weighted.Prepared
}

// Sort checks a learner's parameters and sorts the numeric columns of the given rows, as
// Learner.Prepare is asked to.
func Sort(ctx context.Context, params param.Set, f *data.Frame, rows []int32, env Env) (Sorted, error) {
	if err := params.Validate(); err != nil {
		return Sorted{}, err
	}
	if err := f.CheckRows(rows); err != nil {
		return Sorted{}, err
	}
	p, err := weighted.Prepare(ctx, f, data.Distinct(rows), env.Workers)
	return Sorted{f, p}, err
}

// Classes checks a job, and gathers and weighs its rows (see Gather). A target without classes is a
// *TaskError of the learner.
func (s *Sorted) Classes(learner string, t *data.Target, job *Job, classWeight string) (*grow.Population, []float64, error) {
	if !t.Task.Classes() {
		return nil, nil, &TaskError{Learner: learner, Task: t.Task}
	}
	if err := job.Check(s.Frame, s.Prepared.Rows()); err != nil {
		return nil, nil, err
	}
	return Gather(t, job.RowsOf(s.Prepared.Rows()), classWeight)
}
