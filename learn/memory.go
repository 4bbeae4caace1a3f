package learn

import (
	"fmt"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/memory"
)

// usualRowClassBytes is what learners hold that declare nothing: class counts in leaves, of which
// there are no more than rows, or what a model predicts of each row, and a copy of them.
const usualRowClassBytes = 16

// CheckMemory returns an error that wraps memory.ErrLimit if training on the rows of a job would
// hold more than its limit for rows x classes. It takes no time and is for callers of Prepare; Fit
// does not ask it. Labels of one number or two classes are never refused.
func (j *Job) CheckMemory(l Learner, t *data.Target) error {
	rows := int64(len(j.Rows) + len(j.Valid))
	if j.Rows == nil {
		rows = int64(len(t.Class))
	}
	bytes := l.Capabilities().RowClassBytes
	if bytes == 0 {
		bytes = usualRowClassBytes
	}
	return CheckClasses(j.Memory, "training", t, rows, bytes)
}

// CheckClasses returns an error that wraps memory.ErrLimit if as many bytes for each of rows and
// each class of a target are over a limit. What is the work that needs them.
func CheckClasses(limit memory.Limit, what string, t *data.Target, rows, bytes int64) error {
	classes := int64(len(t.Classes))
	if !t.Task.Classes() || classes <= 2 {
		return nil
	}
	what = fmt.Sprintf("%s with %d rows of %d classes", what, rows, classes)
	if err := limit.Check(what, rows*classes*bytes); err != nil {
		return fmt.Errorf("%w: is the label %q a number or a name of the row, and no class?", err, t.Name)
	}
	return nil
}
