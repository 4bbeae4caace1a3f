package portfolio

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/metric"
)

// TestSelection compares the selection with its definition: in each step the configuration with
// which the metric of the mean is best, and of all sizes the best one.
func TestSelection(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows, configurations := rapid.IntRange(1, 12).Draw(t, "rows"),
			rapid.IntRange(1, 5).Draw(t, "configurations")
		most := rapid.IntRange(1, 8).Draw(t, "most")
		p := &pool{workers: rapid.IntRange(1, 3).Draw(t, "workers")}
		classes := rapid.Bool().Draw(t, "classes")
		numbers := rapid.SliceOfN(rapid.Float64Range(0.01, 0.99), rows, rows)
		for range configurations {
			p.x = append(p.x, numbers.Draw(t, "x"))
		}
		if !classes {
			p.y = numbers.Draw(t, "y")
		}
		if rapid.Bool().Draw(t, "weighted") {
			p.weight = rapid.SliceOfN(rapid.Float64Range(0.5, 2), rows, rows).Draw(t, "weight")
		}
		loss := func(order []int) float64 {
			s := &metric.Sample{Width: 1, Weight: p.weight, Y: p.y}
			if classes {
				s.Width, s.Class = 2, make([]uint32, rows)
			}
			for i := range rows {
				mean := 0.0
				for _, c := range order {
					mean += p.x[c][i] / float64(len(order))
				}
				if s.Pred = append(s.Pred, mean); classes {
					s.Pred = append(s.Pred, 1-mean)
				}
			}
			evaluated := metric.RMSE
			if classes {
				evaluated = metric.LogLoss
			}
			v, err := evaluated(s)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		var order []int
		least := math.Inf(1)
		for range most {
			step := math.Inf(1)
			for c := range configurations {
				step = min(step, loss(append(slices.Clone(order), c)))
			}
			first := 0 // of those that are as good as the best, but for rounding
			for loss(append(slices.Clone(order), first)) > step*(1+1e-12) {
				first++
			}
			order, least = append(order, first), min(least, step)
		}
		weights, _ := p.selected(most)
		var chosen []int
		for c, n := range weights {
			chosen = append(chosen, slices.Repeat([]int{c}, n)...)
		}
		if got := loss(chosen); math.Abs(got-least) > 1e-9*max(1, least) {
			t.Fatalf("selected %v of loss %.12g, want %.12g", weights, got, least)
		}
	})
}
