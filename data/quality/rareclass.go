package quality

import (
	"fmt"

	"github.com/coppice-ml/coppice/internal/option"
)

// RarePositive is the name of the check of rare positive classes.
const RarePositive = "rare_positive"

// rareFraction is the fraction of the training rows below which a positive class is rare. A model
// that never predicts it is right in more than 19 of 20 cases, and finds no positive row.
const rareFraction = 0.05

// rarePositive warns of a positive class (data.Target.ChoosePositive) that few training rows are
// of.
func rarePositive(t *inspected) []Warning {
	target := t.Target
	target.ChoosePositive(t.rows)
	if !target.HasPositive() || target.Class == nil {
		return nil
	}
	at, found, all := target.PositiveClass(), 0, 0
	for _, row := range t.rows {
		if target.WeightAt(row) == 0 {
			continue
		}
		if all++; int(target.Class[row]) == at {
			found++
		}
	}
	fraction := float64(found) / float64(all)
	if !(fraction < rareFraction) {
		return nil
	}
	return []Warning{{Rows: found, Value: fraction,
		Message: fmt.Sprintf("the positive class %q is rare, %d of %d%s training rows",
			target.Classes[at], found, all, t.part),
		Advice: option.Expand("choose labels with {threshold-for f1 or predict --threshold}, or weigh " +
			"the classes with class_weight")}}
}
