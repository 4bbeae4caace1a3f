package learn

import "github.com/coppice-ml/coppice/data"

// usualRowClassBytes is what learners hold that declare nothing: class counts in leaves, of which
// there are no more than rows, or what a model predicts of each row, and a copy of them.
const usualRowClassBytes = 16

// CheckMemory returns an error that wraps memory.ErrLimit if training on the rows of a job would
// hold more than the limit of memory for rows x classes. It takes no time and is for callers of
// Prepare; Fit does not call it. Labels of one number or two classes are never refused.
func (e *Env) CheckMemory(l Learner, t *data.Target, j *Job) error {
	rows := int64(len(j.Rows) + len(j.Valid))
	if j.Rows == nil {
		rows = int64(len(t.Class))
	}
	bytes := l.Capabilities().RowClassBytes
	if bytes == 0 {
		bytes = usualRowClassBytes
	}
	return t.CheckMemory(e.Memory, "training", rows, bytes)
}
