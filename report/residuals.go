package report

import "slices"

// residuals compare numbers with their predictions: residual = label - prediction.
type residuals struct {
	// the sampled rows
	Label      []number  `json:"label"`
	Prediction []number  `json:"prediction"`
	Histogram  histogram `json:"histogram"` // of the residuals of all rows
	// Quantiles are the 5 %, 25 %, 50 %, 75 % and 95 % quantiles of all residuals.
	Quantiles []number `json:"quantiles"`
}

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
