package explain

import (
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/explain/internal/axes"
)

// A cell without rows gets the value of the nearest one that has some, be it of one row.
func TestCellsWithoutRows(t *testing.T) {
	for _, c := range []struct {
		ends []float64
		want float64
	}{{[]float64{0, 2, 3, 10}, 10}, {[]float64{0, 6, 7, 8}, 30}} {
		cells := newCells(1, 3)
		copy(cells.count, []float64{1, 0, 5})
		copy(cells.value, []float64{10, 0, 30})
		cells.fill(&axes.Intervals{Ends: []float64{0, 1}, Count: []float64{6}},
			&axes.Intervals{Ends: c.ends, Count: cells.count})
		if want := []float64{10, c.want, 30}; !slices.Equal(cells.value, want) {
			t.Errorf("%v: %v, want %v", c.ends, cells.value, want)
		}
	}
}
