package portfolio

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/metric"
)

// TestSelection compares the selection with its definition: in each step the configuration with
// which the metric of the mean is best, and of all sizes the best one.
func TestSelection(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows, configurations := rapid.IntRange(1, 12).Draw(t, "rows"),
			rapid.IntRange(1, 5).Draw(t, "configurations")
		most := rapid.IntRange(1, 8).Draw(t, "most")
		start := rapid.IntRange(1, most).Draw(t, "start")
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
			name := "rmse"
			if classes {
				name = "logloss"
			}
			v, err := metric.Of(name, s)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		order := make([]int, start) // of the first configuration
		least := loss(order)
		for range most - start {
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
		weights, _ := p.selected(start, most)
		var chosen []int
		for c, n := range weights {
			chosen = append(chosen, slices.Repeat([]int{c}, n)...)
		}
		if got := loss(chosen); math.Abs(got-least) > 1e-9*max(1, least) {
			t.Fatalf("selected %v of loss %.12g, want %.12g", weights, got, least)
		}
	})
}

// TestGains compares the gain and its standard error with their definitions, on weighted rows.
func TestGains(t *testing.T) {
	first := []float64{1, 2, 4, 8}
	mean := []float64{1.5, 2, 3, 10}
	j := &job{target: &data.Target{Task: data.Regression, Y: [][]float64{{2, 2, 2, 9}},
		Weight: []float64{1, 2, 1, 4}}}
	j.tested = data.AllRows(4)
	// squared errors 1, 0, 4, 1 and 0.25, 0, 1, 1; times the weight over the mean weight of 2
	gains := []float64{0.375, 0, 1.5, 0}
	if got := j.gains(first, mean); !slices.Equal(got, gains) {
		t.Errorf("gains %v, want %v", got, gains)
	}
	c := compared(gains)
	want := Comparison{Gain: 0.46875, Error: math.Sqrt((2*0.2197265625 + 0.0087890625 +
		1.0634765625) / 12)}
	if math.Abs(c.Gain-want.Gain) > 1e-15 || math.Abs(c.Error-want.Error) > 1e-15 || c.Lost {
		t.Errorf("%+v, want %+v", *c, want)
	}
	if c := compared([]float64{1, -1}); !c.Lost {
		t.Errorf("no gain, but %+v", *c)
	}
	if c := compared([]float64{1}); c != nil {
		t.Errorf("one row: %+v", *c)
	}
}
