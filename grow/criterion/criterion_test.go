package criterion_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/grow/criterion"
)

func impurity(c criterion.Criterion, stats ...float64) float64 {
	var dst [1]float64
	c.Impurity(dst[:], stats)
	return dst[0]
}

// TestByHand compares each criterion with numbers computed by hand.
func TestByHand(t *testing.T) {
	for _, c := range []struct {
		name  string
		stats []float64
		want  float64
	}{
		{"gini", []float64{3, 5}, 8 * 2 * 3.0 / 8 * 5 / 8},
		{"gini", []float64{4, 0}, 0},
		{"gini", []float64{2, 2, 4}, 8 * (1 - 1.0/16 - 1.0/16 - 1.0/4)},
		{"entropy", []float64{1, 1}, 2},
		{"entropy", []float64{2, 2, 4}, 8 * 1.5},
		{"entropy", []float64{7, 0, 0}, 0},
		{"entropy", []float64{12, 8}, 20 * 0.9709505944546686}, // H(12/20), three_binary_features
		{"squared_error", []float64{4, 6}, -9},
	} {
		row, ok := criterion.ByName(c.name)
		if !ok {
			t.Fatalf("no criterion %s", c.name)
		}
		if got := impurity(row.New(len(c.stats)), c.stats...); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s%v = %.15g, want %.15g", c.name, c.stats, got, c.want)
		}
	}
	if _, ok := criterion.ByName("no such"); ok {
		t.Error("an unknown name was found")
	}
}

// TestConformance ranges over the table: what every criterion must keep, a new row included.
func TestConformance(t *testing.T) {
	for _, row := range criterion.Table() {
		t.Run(row.Name, func(t *testing.T) {
			if row.Help == "" {
				t.Error("no help")
			}
			rapid.Check(t, func(t *rapid.T) { conform(t, row) })
		})
	}
}

func conform(t *rapid.T, row criterion.Row) {
	width := 2
	if row.Family == criterion.Classes {
		width = rapid.IntRange(2, 5).Draw(t, "width")
	}
	c := row.New(width)
	draw := func() []float64 {
		stats := make([]float64, width)
		for i := range stats {
			stats[i] = float64(rapid.IntRange(0, 50).Draw(t, "weight")) / 4
		}
		if row.Family == criterion.Moments {
			stats[1] = float64(rapid.IntRange(-50, 50).Draw(t, "sum")) / 4
			if stats[0] == 0 {
				stats[1] = 0
			}
		}
		return stats
	}
	a, b := draw(), draw()
	whole, twice := make([]float64, width), make([]float64, width)
	for i := range whole {
		whole[i] = a[i] + b[i]
		twice[i] = 2 * a[i]
	}
	ia, ib, iw := impurity(c, a...), impurity(c, b...), impurity(c, whole...)
	if iw-ia-ib < -1e-9 {
		t.Fatalf("splitting %v into %v and %v loses %g", whole, a, b, iw-ia-ib)
	}
	if i2 := impurity(c, twice...); math.Abs(i2-2*ia) > 1e-9*(1+math.Abs(i2)) {
		t.Fatalf("doubling the weights of %v takes the impurity from %g to %g", a, ia, i2)
	}
	if z := impurity(c, make([]float64, width)...); z != 0 {
		t.Fatalf("an empty set has impurity %g", z)
	}
	var batch [3]float64
	c.Impurity(batch[:], append(append(append([]float64{}, a...), b...), whole...))
	if batch != [3]float64{ia, ib, iw} {
		t.Fatalf("a batch gives %v, one by one %v", batch, [3]float64{ia, ib, iw})
	}
}
