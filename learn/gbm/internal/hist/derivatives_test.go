package hist

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/tree"
)

// TestDerivedTrees grows trees on derivatives that are computed some at a time, of all rows and of
// some, one after the other with one grower: whatever the scale of the last tree of the same output
// was, they are those of a new grower that is given all derivatives.
func TestDerivedTrees(t *testing.T) {
	p := many(3*block/2 + 3)
	g, h := make([]float64, len(p.g)), make([]float64, len(p.h))
	var some []int32
	for r := range p.g {
		if r%5 > 1 {
			some = append(some, int32(r))
		}
	}
	for _, c := range []Config{{}, {Outputs: 2}, {Double: true}} {
		for _, workers := range []int{1, 3} {
			c.Leaves, c.Workers = 9, workers
			old := NewGrower(p.m, c)
			for i, size := range []float64{1, 1, 1e-3, 1e-3, 1e5, 0, 1, math.Inf(1), 1} {
				var rows []int32
				if i%3 == 2 {
					rows = some
				}
				derive := func(toG, toH []float64, from, to int) {
					for i := range toG {
						r := from + i
						if rows != nil {
							r = int(rows[r])
						}
						toG[i], toH[i] = g[r], h[r]
					}
				}
				for i := range g {
					g[i], h[i] = p.g[i]*size, p.h[i]*size
				}
				want, failed := grownOn(NewGrower(p.m, c).Grow(t.Context(), g, h, rows, 3))
				got, err := grownOn(old.GrowDerived(t.Context(), derive, rows, 3))
				if !errors.Is(err, failed) || !reflect.DeepEqual(got, want) {
					t.Fatalf("%+v, derivatives times %g: another tree, or error %v instead of %v", c, size, err, failed)
				}
			}
		}
	}
}

func grownOn(g *Grown, err error) (*tree.Tree, error) {
	if err != nil {
		return nil, err
	}
	return g.Tree(1)
}

// TestScaleStays counts how often derivatives are worked out: once a tree where the scale is that
// of the last one of the same output.
func TestScaleStays(t *testing.T) {
	p := many(5000)
	p.c.Outputs, p.c.Workers = 2, 1
	r := NewGrower(p.m, p.c)
	var got []int
	for _, size := range []float64{1, 1e6, 1, 1e6, 1, 1e3, 1, 1e3} {
		rows := 0
		if _, err := r.GrowDerived(t.Context(), func(g, h []float64, from, to int) {
			rows += to - from
			for i := range g {
				g[i], h[i] = p.g[from+i]*size, p.h[from+i]*size
			}
		}, nil, 1); err != nil {
			t.Fatal(err)
		}
		got = append(got, rows/5000)
	}
	if want := []int{2, 2, 1, 1, 1, 2, 1, 1}; !slices.Equal(got, want) {
		t.Errorf("passes over the derivatives of each tree: %v, want %v", got, want)
	}
}
