package hist

import (
	"math"
	"reflect"
	"sync"
	"testing"
)

// TestTreesOfOutputs grows trees of three outputs at the same time, on words that one pass has
// made: they are those of a new grower that is given the derivatives of one output. The second
// output's words become too coarse, and the third's infinite.
func TestTreesOfOutputs(t *testing.T) {
	p := many(2*block + 3)
	n := len(p.g)
	var some []int32
	for r := range p.g {
		if r%5 > 1 {
			some = append(some, int32(r))
		}
	}
	const outputs = 3
	for _, workers := range []int{1, 4} {
		p.c.Workers = workers
		words := [2]*Outputs{NewOutputs(p.m, outputs, nil, workers),
			NewOutputs(p.m, outputs, some, workers)}
		var growers [outputs]*Grower
		for k := range growers {
			growers[k] = NewGrower(p.m, p.c)
		}
		var g, h [outputs][]float64
		for i, size := range []float64{1, 1, 1e-3, 1e5, 0, 1, math.Inf(1), 1} {
			var rows []int32
			of := words[0]
			if i%3 == 2 {
				rows, of = some, words[1]
			}
			for k := range outputs {
				g[k], h[k] = make([]float64, n), make([]float64, n)
				for r := range n {
					g[k][r], h[k][r] = p.g[r]*float64(1+r%(1+k)), p.h[r]
				}
			}
			g[1][some[0]] *= 1e12 * float64(i%2)
			for r := range n {
				g[2][r], h[2][r] = g[2][r]*size, h[2][r]*size
			}
			of.Update(func(toG, toH []float64, stride, from, to int) {
				for k := range outputs {
					for i := from; i < to; i++ {
						r := i
						if rows != nil {
							r = int(rows[i])
						}
						toG[k*stride+i-from], toH[k*stride+i-from] = g[k][r], h[k][r]
					}
				}
			})
			var wait sync.WaitGroup
			for k := range outputs {
				alone := NewGrower(p.m, p.c)
				want, err := grownOn(alone.Grow(t.Context(), g[k], h[k], rows, 3))
				if fixed := err == nil && !alone.sums[0].double; of.Fixed(k) != fixed {
					t.Fatalf("step %d: output %d has words: %v, alone %v", i, k, of.Fixed(k), fixed)
				}
				if !of.Fixed(k) {
					continue
				}
				wait.Go(func() {
					growers[k].Next(0, 1+i%workers)
					got, err := grownOn(growers[k].GrowOutput(t.Context(), of, k, 3))
					if err != nil || !reflect.DeepEqual(got, want) {
						t.Errorf("step %d: another tree of output %d, or error %v", i, k, err)
					}
				})
			}
			wait.Wait()
		}
		if of := words[0]; !of.Fixed(0) || of.Fixed(1) {
			t.Error("words where they are too coarse, or none where they are not")
		}
	}
}
