package report

import (
	"math"
	"slices"
)

// histogram counts values in bins of equal width.
type histogram struct {
	From   number `json:"from"`
	To     number `json:"to"`
	Counts []int  `json:"counts"`
	Below  int    `json:"below,omitempty"` // values below From
	Above  int    `json:"above,omitempty"` // values above To
}

// histogramOf counts ascending finite values. It reaches from the 0.5 % to the 99.5 % quantile, and
// counts those beyond apart, so that one far value does not flatten it.
func histogramOf(sorted []float64, bins int) histogram {
	low, high := quantile(sorted, 0.005), quantile(sorted, 0.995)
	if low == high {
		low, high = sorted[0], sorted[len(sorted)-1]
	}
	h := histogram{From: number(low), To: number(high), Counts: make([]int, bins)}
	for _, v := range sorted {
		switch {
		case v < low:
			h.Below++
		case v > high:
			h.Above++
		case high == low:
			h.Counts[0]++
		default:
			width := float64(high/2) - float64(low/2)
			at := (float64(v/2) - float64(low/2)) / width * float64(bins)
			h.Counts[min(bins-1, int(at))]++
		}
	}
	return h
}

// binsOf counts the finite numbers; nil where there are none.
func binsOf(values []float64) *histogram {
	var finite []float64
	for _, v := range values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			finite = append(finite, v)
		}
	}
	if len(finite) == 0 {
		return nil
	}
	slices.Sort(finite)
	h := histogramOf(finite, columnBins)
	return &h
}

// quantile returns the value of ascending ones below which a fraction of them is.
func quantile(sorted []float64, level float64) float64 {
	return sorted[int(math.Round(level*float64(len(sorted)-1)))]
}
