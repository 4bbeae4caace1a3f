package data

import (
	"fmt"

	"github.com/coppice-ml/coppice/memory"
)

// CheckMemory returns an error that wraps memory.ErrLimit if rows x classes x bytes are over a
// limit. That is the memory of some work for the classes of the target, which what names in the
// error. Targets of numbers and of two classes are never refused.
func (t *Target) CheckMemory(limit memory.Limit, what string, rows, bytes int64) error {
	classes := int64(len(t.Classes))
	if !t.Task.Classes() || classes <= 2 {
		return nil
	}
	what = fmt.Sprintf("%s with %d rows of %d classes", what, rows, classes)
	if err := limit.Check(what, rows*classes*bytes); err != nil {
		return fmt.Errorf("%w: is the label %q a number or a name of the row, and no class?",
			err, t.Name)
	}
	return nil
}
