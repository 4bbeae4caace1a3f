package encode

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The bin of a value is the number of quantiles below it, which a sort of all values finds too.
func TestQuantileBins(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.Float64Range(-3, 3)
		if rapid.Bool().Draw(t, "few values") {
			number = rapid.SampledFrom([]float64{-1e6, -2, -1e-9, 0, 0.5, 7})
		}
		values := rapid.SliceOfN(number, 0, 500).Draw(t, "values")
		sorted := slices.Sorted(slices.Values(values))
		var splitPoints []float64
		for b := 1; b < searchBins && len(values) > 0; b++ {
			splitPoints = append(splitPoints, sorted[b*(len(values)-1)/searchBins])
		}
		splitPoints = slices.Compact(splitPoints)
		for i, b := range quantileBins(values) {
			if want, _ := slices.BinarySearch(splitPoints, values[i]); int(b) != want {
				t.Fatalf("%v has bin %d, want %d", values[i], b, want)
			}
		}
	})
}
