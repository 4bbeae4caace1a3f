package hist

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/internal/rng"
)

// many is a table whose leaves are worth sharing, with derivatives that two columns explain.
func many(rows int) problem {
	s := rng.New(7)
	values, codes := []int{40, 40, 3, 200}, make([][]int, 4)
	p := problem{g: make([]float64, rows), h: make([]float64, rows), c: Config{Shape: Shape{Leaves: 9}, Regularization: Regularization{L2: 1, MinLeaf: 1}}}
	for j := range codes {
		codes[j] = make([]int, rows)
		for i := range codes[j] {
			codes[j][i] = s.Intn(values[j])
		}
	}
	for i := range rows {
		p.g[i], p.h[i] = math.Sin(float64(codes[0][i])/5)*float64(1+codes[2][i])+s.Float64()-0.5, 0.5+s.Float64()
	}
	p.m, p.codes = table(values, codes), codes
	return p
}

// TestHelpersAddEachRowOnce lets several workers make one histogram.
func TestHelpersAddEachRowOnce(t *testing.T) {
	p := many(100_000)
	p.c.Workers = 3
	r := NewGrower(p.m, p.c)
	makeSums(r.sums, &source{outputs: 1, g: p.g, h: p.h, n: len(p.g)}, false, r.team, r.ranks)
	var rows []int32
	for i := range int32(100_000) {
		if i%3 != 1 {
			rows = append(rows, i)
		}
	}
	want, got := r.hist.take(), r.hist.take()
	r.hist.fill(want, rows)
	clear(got.packed)
	c := newLeafWorkers(r.growth, nil)
	done := make(chan struct{})
	for range 2 {
		go func() {
			c.mu.Lock()
			for c.shared == nil {
				c.waiting++
				c.wake.Wait()
				c.waiting--
			}
			c.help(c.shared[0], r.team[0])
			c.mu.Unlock()
			done <- struct{}{}
		}()
	}
	for waiting := 0; waiting < 2; {
		c.mu.Lock()
		waiting = c.waiting
		c.mu.Unlock()
	}
	hold := newSharedHistogram(r.hist, rows)
	c.mu.Lock()
	c.shared = append(c.shared, hold)
	c.wake.Broadcast()
	c.mu.Unlock()
	<-done
	<-done
	if len(hold.partials) != 2 || hold.helpers != 0 {
		t.Fatalf("%d parts, %d helpers at work", len(hold.partials), hold.helpers)
	}
	got.plus(hold.partials[0])
	got.plus(hold.partials[1])
	if !slices.Equal(got.packed, want.packed) {
		t.Fatal("helpers have other sums than one worker")
	}
	c.shared = nil
	c.fill(got, rows)
	if !slices.Equal(got.packed, want.packed) || len(c.shared) != 0 {
		t.Fatal("alone a worker has other sums")
	}
}

// TestLargeLeavesAreTheSameForAnyNumberOfWorkers grows trees whose leaves are shared, helped with,
// and tried ahead of their turn.
func TestLargeLeavesAreTheSameForAnyNumberOfWorkers(t *testing.T) {
	p := many(100_000)
	var first []Leaf
	for _, p.c.Workers = range []int{1, 2, 5} {
		r := NewGrower(p.m, p.c)
		for range 3 {
			grown, err := r.Grow(t.Context(), p.g, p.h, nil, 1)
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				for _, l := range grown.Leaves {
					l.Rows = slices.Clone(l.Rows)
					first = append(first, l)
				}
			}
			raw, want := make([]float64, p.m.Len()), make([]float64, p.m.Len())
			grown.Add(raw, nil, 0.5)
			for i, l := range grown.Leaves {
				f := first[i]
				if l.Value[0] != f.Value[0] || l.G[0] != f.G[0] || l.H[0] != f.H[0] || !slices.Equal(l.Rows, f.Rows) {
					t.Fatalf("%d workers: leaf %d of %d rows and value %v, want %d and %v", p.c.Workers, i, len(l.Rows), l.Value, len(f.Rows), f.Value)
				}
				for _, row := range l.Rows {
					want[row] = l.Value[0] * 0.5
				}
			}
			if len(grown.Leaves) != 9 || !slices.Equal(raw, want) {
				t.Fatalf("%d workers: %d leaves, or scores that are not their values", p.c.Workers, len(grown.Leaves))
			}
		}
	}
}

func TestGrowRefusesDerivativesThatAreNotFinite(t *testing.T) {
	p := many(1000)
	for _, bad := range []float64{math.NaN(), math.Inf(1)} {
		for _, double := range []bool{false, true} {
			for _, at := range [][]float64{p.g, p.h} {
				p.c.Double = double
				good := at[17]
				at[17] = bad
				if _, err := NewGrower(p.m, p.c).Grow(t.Context(), p.g, p.h, nil, 1); !errors.Is(err, ErrNotFinite) {
					t.Errorf("%v among the derivatives: %v", bad, err)
				}
				at[17] = good
			}
		}
	}
	// Finite sums whose squares are not: no gain could be compared.
	for i := range p.g {
		p.g[i] = []float64{1e300, -1e300, 1e-300, -1e-300}[i%4]
	}
	for _, c := range []Conventions{Own, LightGBM} {
		p.c.Conventions = c
		if _, err := NewGrower(p.m, p.c).Grow(t.Context(), p.g, p.h, nil, 1); !errors.Is(err, ErrNotFinite) {
			t.Errorf("large derivatives, conventions %v: %v", c, err)
		}
	}
}
