package hist

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
)

// Leaves that all workers add up together are those of one worker: by words and by pairs, of narrow
// and of wide codes, with columns that are listed, of one output and of several.
func TestLeavesAddedTogether(t *testing.T) {
	const rows = together + 500
	s := rng.New(51)
	f := withSparse(t, mixed(t, rows, 5, s), 3, s)
	for _, c := range []struct {
		name    string
		options bins.Options
		double  bool
	}{
		{"words", bins.Options{List: true, Joint: 200}, false}, {"wide words", bins.Options{List: true, Bins: 1000}, false},
		{"pairs", bins.Options{List: true, Joint: 200}, true}, {"wide pairs", bins.Options{List: true, Bins: 1000}, true},
	} {
		m, err := bins.Make(t.Context(), f, nil, nil, c.options, 2)
		if err != nil {
			t.Fatal(err)
		}
		g, h := derivatives(2*rows, c.double, s)
		var want, wantSeveral string
		for _, workers := range []int{1, 3} {
			config := Config{Shape: Shape{Leaves: 5}, Double: c.double, Workers: workers, Categories: Categories{OneHot: 4},
				Regularization: Regularization{MinLeaf: 20}}
			got := string(described(t, NewGrower(m, config), g[:rows], h[:rows], nil))
			several := printedOf(t, NewVectorGrower(m, config, 2), g, h, 1)
			if workers == 1 {
				want, wantSeveral = got, several
			}
			if got != want || several != wantSeveral {
				t.Errorf("%s: another tree of %d workers", c.name, workers)
			}
		}
		if bytes.Count([]byte(want), []byte("{")) < 5 {
			t.Errorf("%s: a tree of few leaves: %s", c.name, want)
		}
	}
}

// With hessians below 0 a split leaves a sum above 0 of each output, with the penalty, on both
// sides. It is the best of those, by brute force.
func TestSplitsOfSignedHessians(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, outputs := rapid.IntRange(2, 30).Draw(t, "rows"), rapid.IntRange(1, 3).Draw(t, "outputs")
		values := rapid.IntRange(2, 5).Draw(t, "values")
		var codes []int
		for range n {
			codes = append(codes, rapid.IntRange(0, values-1).Draw(t, "code"))
		}
		var g, h []float64
		for range n * outputs {
			g = append(g, float64(rapid.IntRange(-20, 20).Draw(t, "g")))
			h = append(h, float64(rapid.IntRange(-1, 5).Draw(t, "h")))
		}
		m := table([]int{values}, [][]int{codes})
		c := Config{Shape: Shape{Leaves: 2}, Double: true, Regularization: Regularization{L2: float64(rapid.IntRange(0, 2).Draw(t, "l2"))}}
		score := func(g, h float64) float64 {
			if h += c.L2; h > 0 {
				return g * g / h
			}
			return 0
		}
		best, signed, lowest := 0.0, false, 0.0
		for k := range outputs {
			least := slices.Min(h[k*n : (k+1)*n])
			signed = signed || least < 0
			lowest += max(least/2, 1e-9) / float64(outputs) // less is the dust of differences
		}
		for bin := range values - 1 {
			gain, allowed, mean := 0.0, true, [2]float64{}
			for k := range outputs {
				var side [2][2]float64
				for r, code := range codes {
					i := 0
					if code > bin {
						i = 1
					}
					side[i][0] += g[k*n+r]
					side[i][1] += h[k*n+r]
				}
				for i, s := range side {
					gain += score(s[0], s[1])
					mean[i] += s[1] / float64(outputs)
					allowed = allowed && (!signed || s[1]+c.L2 > 0)
				}
				gain -= score(side[0][0]+side[1][0], side[0][1]+side[1][1])
			}
			if math.Abs(min(mean[0], mean[1])-lowest) < 1e-6 {
				return // rounding decides
			}
			if allowed && min(mean[0], mean[1]) > lowest {
				best = max(best, gain)
			}
		}
		grown, err := NewVectorGrower(m, c, outputs).Grow(t.Context(), g, h, nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		root := grown.nodes[0]
		if split := grown.inner(root); split != (best > 1e-9) || split && math.Abs(root.split.gain-best) > 1e-6*(1+best) {
			t.Fatalf("split: %v, a gain of %v, by brute force %v", split, root.split.gain, best)
		}
	})
}
