package learn

import (
	"fmt"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/grow/criterion"
	"github.com/coppice-ml/coppice/param"
)

// Auto is the value of parameters for which the learner chooses by the data.
const Auto = "auto"

// Criterion declares the parameter criterion, which every learner has that grows trees of classes
// and of numbers.
func Criterion(p *string) param.Param {
	var classes, numbers []string
	for _, r := range criterion.Table() {
		if line := r.Name + ": " + r.Help; r.Family == criterion.Classes {
			classes = append(classes, line)
		} else {
			numbers = append(numbers, line)
		}
	}
	return param.Choice(p, "criterion", Auto, append([]string{Auto}, criterion.Names()...),
		"impurity that splits decrease; for classes "+strings.Join(classes, "; ")+"; for numbers "+strings.Join(numbers, "; ")+
			"; auto = gini for classes, squared_error for numbers")
}

// CriterionOf returns the criterion that a value of the parameter names, for a label of classes or
// of numbers. It is an error if it is for the other kind.
func CriterionOf(name string, task data.Task) (criterion.Definition, error) {
	classes := task.Classes()
	if name == Auto {
		name = "squared_error"
		if classes {
			name = "gini"
		}
	}
	row, _ := criterion.ByName(name)
	if (row.Family == criterion.Classes) != classes {
		return criterion.Definition{}, fmt.Errorf("criterion=%s does not fit a %s label", name, task)
	}
	return row, nil
}
