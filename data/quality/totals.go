package quality

import (
	"fmt"
	"math"
	"slices"
)

// leastSummed is the number of other labels, beside those that are 0, of which one is the total.
const leastSummed = 10

// totals warns of a row whose label is the sum of all others, as the last line of spreadsheets.
func totals(t *inspected) []Warning {
	if len(t.Target.Y) != 1 {
		return nil
	}
	y := t.Target.Y[0]
	most, others, rest := slices.Index(y, slices.Max(y)), 0, 0.0
	for row, v := range y {
		if row != most && v != 0 {
			others, rest = others+1, rest+v
		}
	}
	if others < leastSummed || !(math.Abs(y[most]-rest) <= 1e-9*math.Abs(rest)) {
		return nil
	}
	return []Warning{{Columns: []string{t.Target.Name}, Rows: 1, Value: rest,
		Message: fmt.Sprintf("%s: the label is the sum of all others", t.Locate(most)),
		Advice:  "leave the row out of the file if it is their total"}}
}
