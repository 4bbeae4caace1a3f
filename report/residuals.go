package report

import (
	"math"
	"slices"
)

// residuals compare numbers with their predictions: residual = label - prediction.
type residuals struct {
	// the sampled rows
	Label      []number  `json:"label"`
	Prediction []number  `json:"prediction"`
	Histogram  histogram `json:"histogram"` // of the residuals of all rows
	// Quantiles are the 5 %, 25 %, 50 %, 75 % and 95 % quantiles of all residuals.
	Quantiles []number `json:"quantiles"`
}

// histogram counts values in bins of equal width.
type histogram struct {
	From   number `json:"from"`
	To     number `json:"to"`
	Counts []int  `json:"counts"`
	Below  int    `json:"below,omitempty"` // values below From
	Above  int    `json:"above,omitempty"` // values above To
}

// shownPoints is the number of points that scatter plots of the page show at most.
const shownPoints = 1500

// residualBins is the number of bins of the histogram of residuals.
const residualBins = 40

func residualsOf(s *subject) *residuals {
	r := &residuals{}
	for _, row := range thinned(s.drawn, shownPoints) {
		r.Label = append(r.Label, number(s.sample.Y[row]))
		r.Prediction = append(r.Prediction, number(s.sample.Pred[row]))
	}
	all := make([]float64, len(s.sample.Y))
	for i, y := range s.sample.Y {
		all[i] = y - s.sample.Pred[i]
	}
	slices.Sort(all)
	for _, level := range []float64{0.05, 0.25, 0.5, 0.75, 0.95} {
		r.Quantiles = append(r.Quantiles, number(quantile(all, level)))
	}
	r.Histogram = histogramOf(all, residualBins)
	return r
}

// thinned returns at most that many of some rows, at equal distances.
func thinned(rows []int32, most int) []int32 {
	if len(rows) <= most {
		return rows
	}
	some := make([]int32, most)
	for i := range some {
		some[i] = rows[i*len(rows)/most]
	}
	return some
}

// quantile returns the value of ascending ones below which a fraction of them is.
func quantile(sorted []float64, level float64) float64 {
	return sorted[int(math.Round(level*float64(len(sorted)-1)))]
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
