package learn

import (
	"fmt"
	"strings"

	"github.com/coppice-ml/coppice/data"
)

// Needs is what a learner needs of its training data beyond what all learners take. The zero value
// asks for nothing: the learner takes numbers and categories, missing values, and labels that are
// classes or numbers.
type Needs struct {
	// labels are classes: other tasks are refused with a *TaskError
	Classes bool `json:"classes"`
	// features are categorical: numeric ones are refused with a *ColumnError
	Categorical bool `json:"categorical"`
	// no feature has missing values: they are refused with a *ColumnError
	Complete bool `json:"complete"`

	// Unsupervised learners need no label, and look at none that is there: labels of all tasks are
	// taken. All others refuse a target without label with a *TaskError.
	Unsupervised bool `json:"unsupervised"`
}

// Further is a Learner that does tasks beyond classes and numbers.
type Further interface {
	Learner
	// Further lists these tasks: data.Ranking, data.Survival.
	Further() []data.Task
}

// Tasked is a Learner whose parameters may tell the task of a label that leaves it open: a loss for
// numbers those that could be classes.
type Tasked interface {
	Learner
	// Task returns the task, data.Auto where the parameters do not tell.
	Task() data.Task
}

// String lists what is needed: "classes, categorical columns, no missing values"; "" is nothing.
func (n Needs) String() string {
	var words []string
	if n.Classes {
		words = append(words, "classes")
	}
	if n.Unsupervised {
		words = append(words, "no label")
	}
	if n.Categorical {
		words = append(words, "categorical columns")
	}
	if n.Complete {
		words = append(words, "no missing values")
	}
	return strings.Join(words, ", ")
}

// ColumnError says that a learner cannot be trained on a column.
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

// CheckColumns returns a *ColumnError for the first column that n refuses, looking at the given
// rows, nil = all. instead names a learner that takes such columns.
func (n Needs) CheckColumns(learner, instead string, f *data.Frame, rows []int32) error {
	if err := f.CheckRows(rows); err != nil {
		return err
	}
	rows = f.Chosen(rows)
	for i := range f.Columns {
		field := &f.Schema.Fields[i]
		if n.Categorical && field.Kind != data.Categorical {
			return &ColumnError{learner, field.Name, -1, fmt.Sprintf(
				"cannot split numbers: use --categorical %s to take each for a category, or --learner %s", field.Source(), instead)}
		}
		if !n.Complete {
			continue
		}
		for _, r := range rows {
			if f.IsMissing(int(r), i) {
				return &ColumnError{learner, field.Name, int(r), fmt.Sprintf(
					"cannot do without a value: use --ignore %s, or --learner %s", field.Source(), instead)}
			}
		}
	}
	return nil
}
