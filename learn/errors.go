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
	Advice  string // what to do; "" = to use another learner, where there is one
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
	What string // what it cannot do, and what to do
}

func (e *ColumnError) Error() string {
	if e.Row < 0 {
		return fmt.Sprintf("column %q: %s %s", e.Column, e.Learner, e.What)
	}
	return fmt.Sprintf("row %d, column %q: %s %s", e.Row+1, e.Column, e.Learner, e.What)
}

// SizeError is the error of a label or weight so large that what a learner computes would not be
// finite.
type SizeError struct {
	Learner, Where string
	What           string  // label or weight
	Value, Most    float64 // the limit is on its size
	Weighed        bool    // it is a label, and rows have weights, by which the limit may fall
}

func (e *SizeError) Error() string {
	divide := "all " + e.What + "s"
	if e.Weighed {
		divide += ", or all weights,"
	}
	return fmt.Sprintf("%s: the %s %.6g is too large for %s, whose limit on these rows is %.2g: "+
		"divide %s by some number",
		e.Where, e.What, e.Value, e.Learner, e.Most, divide)
}

// WidthError is the error of a table with more columns, one for each category, than a learner
// takes.
type WidthError struct {
	Learner     string
	Width, Most int
}

func (e *WidthError) Error() string {
	return fmt.Sprintf("%s takes up to %d columns, with one for each category, the table has %d: "+
		"leave columns of many categories out by --ignore, or use a learner of trees",
		e.Learner, e.Most, e.Width)
}

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
