package calibrate

import (
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/model/calibrated"
)

// held is what is known of rows that were held back.
type held struct {
	classes int
	shares  []float64 // of all classes, row after row
	class   []uint32
	weight  []float64 // times multiplicity
}

// curves fits the curves of a method. A curve of Platt's that falls, because the shares say less than nothing, is not believed:
// it is level, and says how frequent the class is.
func (h *held) curves(m calibrated.Method) []calibrated.Curve {
	curves := make([]calibrated.Curve, m.Curves(h.classes))
	if m == calibrated.Temperature {
		logs := make([]float64, len(h.shares))
		for i, p := range h.shares {
			logs[i] = calibrated.LogShare(p)
		}
		curves[0].Slope = Temperature(logs, h.class, h.classes, h.weight)
		return curves
	}
	for i := range curves {
		class := i
		if len(curves) == 1 {
			class = 1
		}
		shares, positive := h.against(class)
		if m == calibrated.Isotonic {
			truth := make([]float64, len(positive))
			for r, yes := range positive {
				truth[r] = float64(index(yes))
			}
			curves[i].At, curves[i].Value = Isotonic(shares, truth, h.weight)
			continue
		}
		for r, p := range shares {
			shares[r] = calibrated.LogOdds(p)
		}
		curves[i].Slope, curves[i].Intercept = Platt(shares, positive, h.weight)
		if curves[i].Slope < 0 {
			clear(shares)
			_, curves[i].Intercept = Platt(shares, positive, h.weight)
			curves[i].Slope = 0
		}
	}
	return curves
}

// against returns the share of a class in each row, and which rows are of it.
func (h *held) against(class int) (shares []float64, positive []bool) {
	for i, c := range h.class {
		shares, positive = append(shares, h.shares[i*h.classes+class]), append(positive, int(c) == class)
	}
	return shares, positive
}

// apply puts the calibrated shares in the place of the shares.
func (h *held) apply(c *calibrated.Calibrated) {
	for i := range h.class {
		c.Apply(h.shares[i*h.classes : (i+1)*h.classes])
	}
}

// Losses are means over rows of how far shares are from the truth.
type Losses struct {
	LogLoss float64 `json:"logloss"` // of -log of the true class's share, at least 2^-52
	Brier   float64 `json:"brier"`   // of the squared distance from the truth: of two classes of the second's share, of more of all shares together
}

// losses measures the shares.
func (h *held) losses() *Losses {
	l, total := &Losses{}, 0.0
	for i, c := range h.class {
		row, w := h.shares[i*h.classes:(i+1)*h.classes], h.weight[i]
		l.LogLoss -= float64(w * kernel.Log(max(row[c], 0x1p-52)))
		squares := 0.0
		for k, p := range row {
			if uint32(k) == c {
				p = 1 - p
			}
			squares += float64(p * p)
		}
		l.Brier += float64(w * squares)
		total += w
	}
	l.LogLoss, l.Brier = l.LogLoss/total, l.Brier/total
	if h.classes == 2 {
		l.Brier /= 2 // both shares are as far
	}
	return l
}
