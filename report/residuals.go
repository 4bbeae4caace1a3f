package report

import (
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/internal/figure"
	"github.com/coppice-ml/coppice/internal/svg"
)

// residuals compare numbers with their predictions: residual = label - prediction.
type residuals struct {
	// the sampled rows
	Label      []number
	Prediction []number
	Histogram  histogram // of the residuals of all rows
	// Quantiles are the 5 %, 25 %, 50 %, 75 % and 95 % quantiles of all residuals.
	Quantiles []number
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

// parts shows residuals of a label.
func (r *residuals) parts(label string) []piece {
	q := make([]string, len(r.Quantiles))
	for i, v := range r.Quantiles {
		q[i] = numberWords(v, 4)
	}
	labels, predictions := floats(r.Label), floats(r.Prediction)
	left := make([]float64, len(labels))
	for i, y := range labels {
		left[i] = y - predictions[i]
	}
	rows := fmt.Sprintf("of %d rows", len(labels))
	ends := endsOf(labels, predictions)
	flat := endsOf(predictions)
	guide := figure.Layer{X: ends, Y: ends, Colour: svg.Faded, Width: 10, Dashed: true, Still: true}
	level := guide
	level.X, level.Y = flat, []float64{0, 0}
	dots := figure.Layer{Kind: figure.Dots, X: predictions, Y: labels, Colour: svg.Below, Faint: true}
	below := dots
	below.Y = left
	return []piece{heading("Residuals"),
		paragraph("A residual is label minus prediction. Half of them are between %s and %s, nine of "+
			"ten between %s and %s; the median is %s.", q[1], q[3], q[0], q[4], q[2]),
		figures(
			figureOf("Labels and predictions", &figure.Panel{Label: "Labels " + label +
				" against predictions " + rows + ".", X: figure.Side{Label: "prediction"},
				Y: figure.Side{Label: "label"}, Layers: []figure.Layer{guide, dots}}),
			figureOf("Residuals by prediction", &figure.Panel{Label: "Residuals against predictions " +
				rows + ".", X: figure.Side{Label: "prediction"}, Y: figure.Side{Label: "residual"},
				Layers: []figure.Layer{level, below}}),
			figureOf("Distribution of residuals", r.Histogram.panel("residual",
				fmt.Sprintf("Histogram of residuals: median %s, quartiles %s and %s.", q[2], q[1], q[3]))))}
}

// endsOf returns the least and the greatest of some values.
func endsOf(lists ...[]float64) []float64 {
	all := slices.Concat(lists...)
	if len(all) == 0 {
		return nil
	}
	return []float64{slices.Min(all), slices.Max(all)}
}
