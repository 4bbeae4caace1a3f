package learn

import (
	"fmt"

	"github.com/coppice-ml/coppice/data"
)

// Check returns an error that names the field of the job and the first of its rows which a table does not have, a *data.RowError,
// or to which a plan assigns no fold although it is trained on. Each Fit begins with it; prepared are the rows that are trained
// on where Rows is nil.
func (j *Job) Check(f *data.Frame, prepared []int32) error {
	if err := f.CheckRows(j.Rows); err != nil {
		return fmt.Errorf("Job.Rows: %w", err)
	}
	if err := f.CheckRows(j.Valid); err != nil {
		return fmt.Errorf("Job.Valid: %w", err)
	}
	if j.Plan == nil {
		return nil
	}
	if err := j.Plan.CheckAssign(f.Chosen(j.RowsOf(prepared))); err != nil {
		return fmt.Errorf("Plan.Assign: %w", err)
	}
	return nil
}
