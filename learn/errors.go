package learn

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/data"
)

// TaskError is the error of a learner that does not support a task.
type TaskError struct {
	Learner string
	Task    data.Task
	Advice  string // a remedy; "" = to use another learner, where there is one
}

func (e *TaskError) Error() string {
	if e.Task == data.Auto {
		return fmt.Sprintf("%s needs a label", e.Learner)
	}
	text := fmt.Sprintf("%s cannot do %s", e.Learner, e.Task)
	if e.Advice != "" {
		return text + ": " + e.Advice
	}
	switch e.Task {
	case data.Binary, data.Multiclass, data.Regression, data.Ranking, data.Survival: // gbm can
		text += ": use a learner such as gbm"
	}
	return text
}

// ColumnError is the error of a learner that cannot be trained on a column.
type ColumnError struct {
	Learner, Column string
	// frame row of the first value that is refused; -1 if all of the column is
	Row  int
	What string // what it cannot do, and a remedy
}

func (e *ColumnError) Error() string {
	if e.Row < 0 {
		return fmt.Sprintf("column %q: %s %s", e.Column, e.Learner, e.What)
	}
	return fmt.Sprintf("row %d, column %q: %s %s", e.Row+1, e.Column, e.Learner, e.What)
}

// LimitError reports a table that is beyond what a learner computes with: labels or weights whose
// sums overflow, or too many rows or columns.
type LimitError struct {
	Learner string
	Reason  string // what is too large, the limit, and how to correct it; one line
}

func (e *LimitError) Error() string { return e.Reason }

// MergeError names the models given to Merge that are not shards of one model, and the reason.
type MergeError struct {
	Models []int // one or several, by their places among those given, from 0
	Err    error // what is wrong with them
}

// Error names the models by their numbers, from 1.
func (e *MergeError) Error() string {
	return e.Naming(func(i int) string { return "model " + strconv.Itoa(i+1) })
}

// Naming is the text of the error with names for the models, such as those of their files.
func (e *MergeError) Naming(name func(i int) string) string {
	names := make([]string, len(e.Models))
	for k, i := range e.Models {
		names[k] = name(i)
	}
	return strings.Join(names, " and ") + ": " + e.Err.Error()
}

func (e *MergeError) Unwrap() error { return e.Err }
