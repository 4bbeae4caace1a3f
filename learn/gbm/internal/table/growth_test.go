package table

import (
	"reflect"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/internal/input"
	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
	"github.com/coppice-ml/coppice/learn/gbm/internal/hist"
)

// Columns a, b and c, of which a and b may be used together: a statistic goes where all of its
// sources may go, has the least of their weights, and no direction.
func TestLimitsOfDerivedColumns(t *testing.T) {
	given := &Limits{Monotone: []int8{1, 0, -1}, Weight: []float64{2, 0.5, 3},
		Sets: [][]int32{{0, 1}, {2}}}
	derived := &input.Set{}
	for _, source := range [][]int32{{0}, {0, 1}, {1, 2}, {2}} {
		derived.Columns = append(derived.Columns, input.Column{Table: int32(len(derived.Tables))})
		derived.Tables = append(derived.Tables, input.Table{Source: source})
	}
	got := given.ofSources(3, derived)
	want := &Limits{Monotone: []int8{1, 0, -1, 0, 0, 0, 0},
		Weight: []float64{2, 0.5, 3, 2, 0.5, 0.5, 3},
		Sets:   [][]int32{{0, 1, 3, 4}, {2, 6}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("limits %+v, want %+v", got, want)
	}
	if len(given.Sets[0]) != 2 || len(given.Weight) != 3 {
		t.Errorf("the limits of features are %+v", given)
	}

	// a matrix of c, the statistic of a and b, and that of c
	m := &bins.Matrix{Columns: []bins.Column{{Feature: 2}, {Feature: 4}, {Feature: 6}}}
	var c hist.Config
	got.limit(&c, m)
	if !slices.Equal(c.Monotone, []int8{-1, 0, 0}) ||
		!slices.Equal(c.ColumnWeight, []float64{3, 0.5, 3}) ||
		!reflect.DeepEqual(c.Interactions, [][]int32{{1}, {0, 2}}) {
		t.Errorf("limits of the matrix: %v, %v, %v", c.Monotone, c.ColumnWeight, c.Interactions)
	}
}

// Half of the columns, but four at least; of few rows a leaf may have one. What is given stays.
func TestFewestRowsAndColumns(t *testing.T) {
	var c Config
	for columns, want := range map[int]float64{1: 0, 4: 0, 5: 0.8, 6: 4.0 / 6, 8: 0.5, 100: 0.5} {
		if got := c.FractionOfColumns(columns); got != want {
			t.Errorf("of %d columns a tree uses %v, want %v", columns, got, want)
		}
	}
	for rows, want := range map[int]int{1: 1, 999: 1, 1000: 2, 1 << 20: 2} {
		if got := c.FewestRows(rows); got != want {
			t.Errorf("of %d rows a leaf keeps %d, want %d", rows, got, want)
		}
	}
	c.LeafRows = 20
	for rows, want := range map[int]int{1: 1, 100: 5, 999: 20, 1000: 20, 1 << 20: 20} {
		if got := c.FewestRows(rows); got != want {
			t.Errorf("of %d rows a leaf of a loss that asks for 20 keeps %d, want %d", rows, got, want)
		}
	}
	c.Engine.MinLeaf, c.Engine.ColumnsByTree = 7, 0.1
	if c.FewestRows(10) != 7 || c.FractionOfColumns(10) != 0.1 {
		t.Errorf("given: %d rows, fraction %v", c.FewestRows(10), c.FractionOfColumns(10))
	}
}

func TestKeptColumns(t *testing.T) {
	sources := [][]int32{{1}, {0, 2}, {3}} // of columns alone, and of two together
	if got := keptColumns(4, sources, false); !slices.Equal(got, []int{0, 2}) {
		t.Errorf("kept %v", got)
	}
	if got := keptColumns(4, sources, true); !slices.Equal(got, []int{0, 1, 2, 3}) {
		t.Errorf("with both kept %v", got)
	}
	if got := keptColumns(1, [][]int32{{0}}, false); got == nil || len(got) > 0 {
		t.Errorf("kept %#v, nil would be all", got)
	}
}
