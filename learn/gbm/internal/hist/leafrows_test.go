package hist

import (
	"fmt"
	"slices"
	"testing"
)

// TestAddToSomeRows adds trees to scores of all rows, of the trees' own and of some more. The trees
// were grown on every row, on most and on few of a table of several pieces. Those requested get the
// value of the leaf that they end in, others nothing.
func TestAddToSomeRows(t *testing.T) {
	p := many(2*nearRows + 777)
	var most, more, few []int32
	for r := range int32(len(p.g)) {
		if r%7 != 0 {
			most = append(most, r)
		}
		if r%14 != 0 {
			more = append(more, r)
		}
		if r%7 != 0 && r%500 < 2 {
			few = append(few, r)
		}
	}
	for _, c := range []Config{{Shape: Shape{Leaves: 40}}, {Shape: Shape{Policy: Symmetric, Depth: 4}}} {
		for _, c.Workers = range []int{1, 3} {
			for _, rows := range [][]int32{nil, most, few} {
				for _, among := range [][]int32{nil, more, rows} {
					if rows == nil && among != nil {
						continue // it does not hold the tree's rows
					}
					t.Run(fmt.Sprintf("%d leaves, %d workers, %d of %d rows", c.Leaves, c.Workers, len(rows), len(among)), func(t *testing.T) {
						grown, err := NewGrower(p.m, c).Grow(t.Context(), p.g, p.h, rows, 1)
						if err != nil {
							t.Fatal(err)
						}
						want, got := make([]float64, len(p.g)), make([]float64, len(p.g))
						requested := make([]bool, len(p.g))
						for _, r := range among {
							requested[r] = true
						}
						at := p.rowsOf(grown.grown)
						for _, l := range grown.Leaves {
							for _, r := range at[l.Node] {
								if among == nil || requested[r] {
									want[r] = float64(l.Value[0] * 0.5)
								}
							}
						}
						grown.Add(got, among, 0.5)
						if !slices.Equal(got, want) {
							t.Error("other scores")
						}
					})
				}
			}
		}
	}
}

// TestAddToOtherMatrix adds a tree to scores of rows in the same bins that it was not grown beside.
func TestAddToOtherMatrix(t *testing.T) {
	p, other := many(5000), many(nearRows+333)
	for _, workers := range []int{1, 3} {
		p.c.Workers = workers
		grown, err := NewGrower(p.m, p.c).Grow(t.Context(), p.g, p.h, nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		want, got := make([]float64, len(other.g)), make([]float64, len(other.g))
		at := other.rowsOf(grown.grown)
		for _, l := range grown.Leaves {
			for _, r := range at[l.Node] {
				want[r] = float64(l.Value[0] * 0.5)
			}
		}
		if grown.AddTo(other.m, got, 0.5); !slices.Equal(got, want) {
			t.Errorf("%d workers: other scores", workers)
		}
	}
}
