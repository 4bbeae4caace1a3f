package trees

import (
	"errors"
	"fmt"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/criterion"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/param"
)

// Criterion declares the parameter criterion, which every learner has that grows trees of classes
// and of numbers.
func Criterion(p *learn.Criterion) param.Param {
	var classes, numbers []string
	for _, r := range criterion.Table() {
		if line := r.Name + ": " + r.Help; r.Family == criterion.Classes {
			classes = append(classes, line)
		} else {
			numbers = append(numbers, line)
		}
	}
	return param.AnyOf(p, "criterion",
		"impurity that splits decrease; for classes "+strings.Join(classes, "; ")+"; for numbers "+
			strings.Join(numbers, "; ")+
			"; auto = gini for classes, squared_error for numbers")
}

// CriterionOf returns the criterion that a value of the parameter stands for, of a label of classes
// or of numbers. It is an error if it is for the other kind.
func CriterionOf(c learn.Criterion, task data.Task) (criterion.Definition, error) {
	classes := task.Classes()
	if c == learn.CriterionAuto {
		c = learn.CriterionSquaredError
		if classes {
			c = learn.CriterionGini
		}
	}
	row, _ := criterion.ByName(c.String())
	if (row.Family == criterion.Classes) != classes {
		return criterion.Definition{}, fmt.Errorf("criterion=%v does not fit a %s label",
			c, task)
	}
	return row, nil
}

// CheckLabels returns an error that names the row of the first label which a criterion does not
// allow. It checks training and validation rows; the labels of the latter may all be 0.
func CheckLabels(
	row criterion.Definition, f *data.Frame, t *data.Target, pop *grow.Population, valid []int32,
) error {
	if row.Check == nil {
		return nil
	}
	locate := func(err error, rows []int32) error {
		var fault *criterion.LabelError
		if errors.As(err, &fault) && fault.At >= 0 {
			return fmt.Errorf("%s: %w", f.Locate(int(rows[fault.At])), err)
		}
		return err
	}
	if err := row.Check(pop.Y); err != nil {
		return locate(err, pop.Rows)
	}
	for _, r := range valid {
		if err := row.Check([]float64{1, t.Y[0][r]}); err != nil {
			return locate(err, []int32{r, r})
		}
	}
	return nil
}
