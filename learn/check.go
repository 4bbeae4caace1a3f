package learn

import (
	"errors"
	"fmt"

	"github.com/coppice-ml/coppice/data"
)

// Check returns an error that names the faulty field of the job: the first row that a table does
// not have, a *data.RowError; a checkpoint without a model; or the first training row to which a
// plan assigns no fold. Each Fit begins with it; prepared are the rows that are trained on where
// Rows is nil.
func (j *Job) Check(f *data.Frame, prepared []int32) error {
	if err := f.CheckRows(j.Rows); err != nil {
		return fmt.Errorf("Job.Rows: %w", err)
	}
	if err := f.CheckRows(j.Valid); err != nil {
		return fmt.Errorf("Job.Valid: %w", err)
	}
	if j.Start != nil && j.Start.Model == nil {
		return errors.New("Job.Start: the checkpoint has no model")
	}
	if j.Plan == nil {
		return nil
	}
	if err := j.Plan.CheckAssign(f.Chosen(j.RowsOf(prepared))); err != nil {
		return fmt.Errorf("Plan.Assign: %w", err)
	}
	return nil
}
