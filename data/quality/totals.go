package quality

import (
	"fmt"
	"math"
)

// leastSummed is the number of other labels, beside those that are 0, of which one is the total.
const leastSummed = 10

// totals warns of a row whose label is the sum of all others, as the last line of spreadsheets.
func totals(t *inspected) []Warning {
	if len(t.Target.Y) != 1 {
		return nil
	}
	most, others, rest := 0, 0, 0.0
	for row, y := range t.Target.Y[0] {
		if y > t.Target.Y[0][most] {
			most = row
		}
	}
	for row, y := range t.Target.Y[0] {
		if row != most && y != 0 {
			others, rest = others+1, rest+y
		}
	}
	if others < leastSummed || !(math.Abs(t.Target.Y[0][most]-rest) <= 1e-9*math.Abs(rest)) {
		return nil
	}
	return []Warning{{Columns: []string{t.Target.Name}, Rows: 1, Value: rest,
		Message: fmt.Sprintf("%s: the label is the sum of all others", t.Locate(most)),
		Advice:  "leave the row out of the file if it is their total"}}
}
