package calibrate

import (
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/models/committee"
)

// holdOut is the out-of-fold predictions of rows, with their labels.
type holdOut struct {
	classes       int
	probabilities []float64 // of all classes, row after row
	class         []uint32
	weight        []float64 // times multiplicity
}

// calibrators fits the calibrators of a method. One of Platt's that falls would reverse the base's
// order of rows; it is made constant, at the frequency of the class.
func (h *holdOut) calibrators(m committee.CalibrationMethod) []committee.Calibrator {
	made := make([]committee.Calibrator, m.Calibrators(h.classes))
	if m == MethodTemperature {
		logs := make([]float64, len(h.probabilities))
		for i, p := range h.probabilities {
			logs[i] = committee.LogProbability(p)
		}
		made[0].Slope = fitTemperature(logs, h.class, h.classes, h.weight)
		return made
	}
	for i := range made {
		class := i
		if len(made) == 1 {
			class = 1
		}
		probabilities, positive := h.against(class)
		if m == MethodIsotonic {
			truth := make([]float64, len(positive))
			for r, yes := range positive {
				truth[r] = float64(index(yes))
			}
			made[i].At, made[i].Value = fitIsotonic(probabilities, truth, h.weight)
			continue
		}
		for r, p := range probabilities {
			probabilities[r] = committee.LogOdds(p)
		}
		made[i].Slope, made[i].Intercept = fitPlatt(probabilities, positive, h.weight)
		if made[i].Slope < 0 {
			clear(probabilities)
			_, made[i].Intercept = fitPlatt(probabilities, positive, h.weight)
			made[i].Slope = 0
		}
	}
	return made
}

// against returns the probability of a class for each row, and which rows are of it.
func (h *holdOut) against(class int) (probabilities []float64, positive []bool) {
	for i, c := range h.class {
		probabilities, positive = append(probabilities, h.probabilities[i*h.classes+class]),
			append(positive, int(c) == class)
	}
	return probabilities, positive
}

// apply replaces the probabilities by calibrated ones.
func (h *holdOut) apply(c *committee.Calibrated) {
	for i := range h.class {
		c.Apply(h.probabilities[i*h.classes : (i+1)*h.classes])
	}
}

// Losses are mean losses of probabilities over rows.
type Losses struct {
	LogLoss float64 `json:"logloss"` // of -log of the true class's probability, at least 2^-52
	// of squared errors: of two classes those of the second's probability, of more the sum over all
	// classes
	Brier float64 `json:"brier"`
}

// losses evaluates the probabilities.
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
		l.Brier /= 2 // both errors are equal
	}
	return l
}
