package report

import (
	"fmt"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/internal/figure"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/svg"
)

// histogram counts values in bins of equal width.
type histogram struct {
	From   number
	To     number
	Counts []int
	Below  int // values below From
	Above  int // values above To
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

// panel draws a histogram of what a label names.
func (h *histogram) panel(label, words string) *figure.Panel {
	if beyond := h.Below + h.Above; beyond > 0 {
		label += fmt.Sprintf(" (%s beyond the axis)", humanize.Count(beyond, "row is", "rows are"))
	}
	l := figure.Layer{Kind: figure.Bins, Colour: svg.Below, Ends: []float64{float64(h.To)}}
	width := (float64(h.To) - float64(h.From)) / float64(len(h.Counts))
	for i, n := range h.Counts {
		l.X = append(l.X, float64(h.From)+float64(float64(i)*width))
		l.Y = append(l.Y, float64(n))
	}
	return &figure.Panel{Label: words, X: figure.Side{Label: label},
		Y: figure.Side{Label: "rows", Zero: true}, Layers: []figure.Layer{l}}
}

// quantile returns the value of ascending ones below which a fraction of them is.
func quantile(sorted []float64, level float64) float64 {
	return sorted[int(math.Round(level*float64(len(sorted)-1)))]
}
