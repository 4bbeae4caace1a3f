package tables

import (
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data/quality"
)

// TestWorstFirst puts a table of few columns before all, larger fractions before smaller ones, and
// dates, which move by themselves, at the end.
func TestWorstFirst(t *testing.T) {
	all := []quality.Warning{{Check: otherDates, Value: 1}, {Check: newCategories, Value: .3},
		{Check: outOfRange, Value: .6}, {Check: fewColumns, Value: .1}, {Check: otherDates, Value: .2}}
	slices.SortStableFunc(all, func(a, b quality.Warning) int { return worse(&a, &b) })
	want := []string{fewColumns, outOfRange, newCategories, otherDates, otherDates}
	for i, w := range all {
		if w.Check != want[i] || i == 3 && w.Value != 1 {
			t.Fatalf("the order is %v, want %v", all, want)
		}
	}
}
