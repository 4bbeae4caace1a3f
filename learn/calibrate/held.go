package calibrate

import (
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/model/calibrated"
)

// holdOut is what is known of rows that were held back.
type holdOut struct {
	classes       int
	probabilities []float64 // of all classes, row after row
	class         []uint32
	weight        []float64 // times multiplicity
}

// curves fits the curves of a method. A curve of Platt's that falls, because the shares say less
// than nothing, is not believed: it is level, and says how frequent the class is.
func (h *holdOut) curves(m calibrated.Method) []calibrated.Calibrator {
	curves := make([]calibrated.Calibrator, m.Calibrators(h.classes))
	if m == calibrated.Temperature {
		logs := make([]float64, len(h.probabilities))
		for i, p := range h.probabilities {
			logs[i] = calibrated.LogProbability(p)
		}
		curves[0].Slope = Temperature(logs, h.class, h.classes, h.weight)
		return curves
	}
	for i := range curves {
		class := i
		if len(curves) == 1 {
			class = 1
		}
		probabilities, positive := h.against(class)
		if m == calibrated.Isotonic {
			truth := make([]float64, len(positive))
			for r, yes := range positive {
				truth[r] = float64(index(yes))
			}
			curves[i].At, curves[i].Value = Isotonic(probabilities, truth, h.weight)
			continue
		}
		for r, p := range probabilities {
			probabilities[r] = calibrated.LogOdds(p)
		}
		curves[i].Slope, curves[i].Intercept = Platt(probabilities, positive, h.weight)
		if curves[i].Slope < 0 {
			clear(probabilities)
			_, curves[i].Intercept = Platt(probabilities, positive, h.weight)
			curves[i].Slope = 0
		}
	}
	return curves
}

// against returns the share of a class in each row, and which rows are of it.
func (h *holdOut) against(class int) (probabilities []float64, positive []bool) {
	for i, c := range h.class {
		probabilities, positive = append(probabilities, h.probabilities[i*h.classes+class]), append(positive, int(c) == class)
	}
	return probabilities, positive
}

// apply puts the calibrated shares in the place of the shares.
func (h *holdOut) apply(c *calibrated.Calibrated) {
	for i := range h.class {
		c.Apply(h.probabilities[i*h.classes : (i+1)*h.classes])
	}
}

// Losses are means over rows of how far shares are from the truth.
type Losses struct {
	LogLoss float64 `json:"logloss"` // of -log of the true class's share, at least 2^-52
	// of the squared distance from the truth: of two classes of the second's share, of more of all
	// shares together
	Brier float64 `json:"brier"`
}

// losses measures the shares.
func (h *holdOut) losses() *Losses {
	l, total := &Losses{}, 0.0
	for i, c := range h.class {
		row, w := h.probabilities[i*h.classes:(i+1)*h.classes], h.weight[i]
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
