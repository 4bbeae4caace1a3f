package table

import (
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
)

// dropsWeightless reports whether rows of weight 0 are absent. The programs that compat follows
// count them: in bins, in samples and in the least rows of a leaf.
func (c *Config) dropsWeightless() bool { return c.Own() }

// DropWeightless removes the rows of weight 0 from a job, before any plan, sample or leaf counts
// rows. It returns how many there were among the rows to train on.
func (f *Prepared) DropWeightless(c *Config, t *data.Target, job learn.Job) (learn.Job, int) {
	if !c.dropsWeightless() {
		return job, 0
	}
	dropped := 0
	if job.Rows == nil {
		dropped = f.weightless
	}
	given := job.RowsOf(f.Matrix.Rows)
	if rows := t.WithWeight(given); len(rows) < len(given) {
		dropped += len(data.Distinct(given)) - len(data.Distinct(rows))
		job.Rows = rows
	}
	job.Valid = t.WithWeight(job.Valid)
	return job, dropped
}

// PlanTarget returns the target that rows are assigned to folds and sets by. Where rows of weight 0
// count, it has no weights.
func (c *Config) PlanTarget(t *data.Target) *data.Target {
	if c.dropsWeightless() || t.Weight == nil {
		return t
	}
	own := *t
	own.Weight = nil
	return &own
}
