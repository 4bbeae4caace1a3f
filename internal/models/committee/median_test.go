package committee

import (
	"testing"

	"pgregory.net/rapid"
)

// TestWeightedMedian: no more than half of the weight lies on either side of it.
func TestWeightedMedian(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 9).Draw(t, "n")
		all := make([]weighted, n)
		total := 0.0
		for i := range all {
			all[i] = weighted{float64(rapid.IntRange(-3, 3).Draw(t, "value")),
				float64(rapid.IntRange(1, 4).Draw(t, "weight"))}
			total += all[i].Weight
		}
		m := weightedMedian(all)
		below, upTo := 0.0, 0.0
		for _, v := range all {
			if v.Value < m {
				below += v.Weight
			}
			if v.Value <= m {
				upTo += v.Weight
			}
		}
		if below >= total/2 || upTo < total/2 {
			t.Fatalf("%v of %v", m, all)
		}
	})
}
