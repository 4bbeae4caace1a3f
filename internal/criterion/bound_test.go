package criterion

import (
	"testing"

	"pgregory.net/rapid"
)

// TestBound: no split point within a bin gains more than the bound, which is the gain where the bin
// is empty.
func TestBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		weight := func(label string) float64 {
			return float64(rapid.IntRange(0, 8).Draw(t,
				label)) / 4
		}
		var c Criterion = squaredError{}
		width := 2
		if classes := rapid.IntRange(1, 4).Draw(t, "classes"); classes > 1 {
			c, width = newGini(classes), classes
		}
		numbers := c == squaredError{}
		row := func() []float64 { // statistics
			s := make([]float64, width)
			if numbers {
				s[0] = weight("weight")
				s[1] = float64(s[0] * float64(rapid.IntRange(-4, 4).Draw(t, "value")))
			} else {
				s[rapid.IntRange(0, width-1).Draw(t, "class")] = weight("weight")
			}
			return s
		}
		add := func(to, s []float64) {
			for k, v := range s {
				to[k] += v
			}
		}
		before, within, after, bin := row(), make([]float64, width), row(),
			make([]float64, max(width, 4))
		for range rapid.IntRange(0, 5).Draw(t, "rows of the bin") {
			s := row()
			switch {
			case !numbers:
				add(bin, s)
			case s[1] < 0:
				add(bin[2:], s)
			default:
				add(bin, s)
			}
			if rapid.Bool().Draw(t, "first") {
				add(within, s)
			} else {
				add(after, s)
			}
		}
		first, last, total := append([]float64(nil), before...), after, make([]float64, width)
		add(first, within)
		add(total, first)
		add(total, last)
		var child [3]float64
		c.Impurity(child[:], append(append(append([]float64(nil), first...), last...), total...),
			total)
		gain := child[2] - child[0] - child[1]
		if bound := c.(Bounder).Bound(before, bin, total); gain > bound+1e-9 {
			t.Fatalf("gain %v, bound %v", gain, bound)
		}
	})
}
