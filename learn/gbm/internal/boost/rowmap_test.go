package boost

import (
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/learn/internal/boosting"
)

// Of the prepared rows 2, 4, 5, 8 and 9 the training set has 2, 5 and 9.
func TestRowMap(t *testing.T) {
	m, err := newRowMap([]int32{2, 5, 9}, []int32{2, 4, 5, 8, 9})
	if err != nil || m.same() {
		t.Fatalf("%+v, %v", m, err)
	}
	if got := m.matrixRows([]int32{0, 2}); !slices.Equal(got, []int32{0, 4}) {
		t.Errorf("matrix rows %v", got)
	}
	if got := m.positions([]int32{2, 4}); !slices.Equal(got, []int32{1, 2}) {
		t.Errorf("positions %v", got)
	}
	raw := []float64{1, 2, 3, 4, 5, 10, 20, 30, 40, 50} // of two outputs
	set := &boosting.Set{Rows: []int32{2, 5, 9}, Raw: make([]float64, 6)}
	m.take(set, m.at, raw)
	if !slices.Equal(set.Raw, []float64{1, 3, 5, 10, 30, 50}) {
		t.Errorf("scores %v", set.Raw)
	}
	set.Raw[4] = -1
	m.put(set, m.at, raw)
	if !slices.Equal(raw, []float64{1, 2, 3, 4, 5, 10, 20, -1, 40, 50}) {
		t.Errorf("scores by matrix row %v", raw)
	}
}

func TestRowMapOfAllRows(t *testing.T) {
	rows := []int32{3, 7}
	m, err := newRowMap(rows, rows)
	if err != nil || !m.same() {
		t.Fatalf("%+v, %v", m, err)
	}
	if got := m.positions([]int32{1}); !slices.Equal(got, []int32{1}) {
		t.Errorf("positions %v", got)
	}
	_, err = newRowMap([]int32{3, 8}, rows)
	if err == nil || err.Error() != "row 8 to train on was not prepared" {
		t.Errorf("error %v", err)
	}
}
