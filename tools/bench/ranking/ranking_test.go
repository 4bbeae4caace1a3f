//go:build linux

package ranking

import (
	"math"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
)

// Each table that is made has several grades. No query is for training and for testing.
func TestTables(t *testing.T) {
	for i, m := range tables {
		if m.queries == 0 {
			continue
		}
		m.queries = 30
		ds, err := m.make(rng.New(uint64(i)))
		if err != nil {
			t.Fatal(m.name, err)
		}
		relevant := slices.IndexFunc(ds.Target.Y[0], func(y float64) bool { return y > 0 })
		if relevant < 0 || slices.Min(ds.Target.Y[0]) != 0 {
			t.Errorf("%s: no row is relevant, or all are", m.name)
		}
		train, test := halves(ds.Target.Group, 1)
		in := map[int64]bool{}
		for _, row := range train {
			in[ds.Target.Group[row]] = true
		}
		for _, row := range test {
			if in[ds.Target.Group[row]] {
				t.Fatalf("%s: query %d is in both halves", m.name, ds.Target.Group[row])
			}
		}
		if len(train)+len(test) != ds.Rows() || len(train) == 0 || len(test) == 0 {
			t.Errorf("%s: halves of %d and %d of %d rows", m.name, len(train), len(test), ds.Rows())
		}
	}
}

// Of three queries one is in the best order, one in the worst, and one has no relevant row.
func TestPerQuery(t *testing.T) {
	ds := &data.Dataset{Target: data.Target{Task: data.Ranking,
		Y: [][]float64{{0, 1, 0, 1, 0, 0}}, Group: []int64{7, 7, 2, 2, 5, 5}}}
	got := perQuery(ds, []int32{0, 1, 2, 3, 4, 5}, []float64{1, 2, 2, 1, 1, 2})
	if want := []float64{1, 1 / math.Log2(3)}; len(got) != 2 || got[0] != want[0] ||
		math.Abs(got[1]-want[1]) > 1e-12 {
		t.Errorf("%v, want %v", got, want)
	}
}
