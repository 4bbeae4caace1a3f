package weighting

import (
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/param"
)

// balanced is the class weight that makes all classes weigh the same.
const balanced = "balanced"

// ReadClassWeight reads "", "balanced" or "name=weight,...".
func ReadClassWeight(text string) (data.ClassWeight, error) {
	if text == balanced {
		return data.ClassWeight{Balanced: true}, nil
	}
	of, err := param.ParseNamed(text, "weight", "class", nil)
	return data.ClassWeight{Of: of}, err
}

func writeClassWeight(w data.ClassWeight) string {
	if w.Balanced {
		return balanced
	}
	return param.WriteNamed(w.Of)
}

// ClassWeight declares the parameter class_weight, which every learner of classes has.
func ClassWeight(p *data.ClassWeight) param.Param {
	return param.Parsed(p, "class_weight", "balanced|NAME=WEIGHT,...", ReadClassWeight,
		writeClassWeight,
		"factor on the weight of each row by its class; balanced = rows / (classes x rows of the "+
			"class); classes not named have 1")
}

// Times returns the weights of frame rows, nil = all 1, times the factors of their classes.
func Times(weight []float64, class []uint32, factors []float64) []float64 {
	own := slices.Repeat([]float64{1}, len(class))
	copy(own, weight)
	for r, c := range class {
		own[r] *= factors[c]
	}
	return own
}

// ClassFactors returns the factor of each class that a class_weight sets, nil if all are 1. class
// holds the classes of the training rows. count is how often each row is there, nil = once.
// Balanced factors count rows, as scikit-learn does, not their weights. A class that does not
// exist, or a target without classes, is an error.
func ClassFactors(w data.ClassWeight, t *data.Target, class []uint32, count []uint32) ([]float64, error) {
	if !w.Given() {
		return nil, nil
	}
	if !t.Task.Classes() {
		return nil, fmt.Errorf("class_weight does not fit a %s label", t.Task)
	}
	factors := make([]float64, len(t.Classes))
	if w.Balanced {
		rows := make([]float64, len(t.Classes))
		total, present := 0.0, 0.0
		for i, c := range class {
			n := 1.0
			if count != nil {
				n = float64(count[i])
			}
			if rows[c] == 0 {
				present++
			}
			rows[c] += n
			total += n
		}
		for c := range factors {
			factors[c] = 1 // a class without rows weighs nothing anyway
			if rows[c] > 0 {
				factors[c] = total / float64(present*rows[c])
			}
		}
		return factors, nil
	}
	for c := range factors {
		factors[c] = 1
	}
	for _, e := range w.Of {
		c := slices.Index(t.Classes, e.Name)
		if c < 0 {
			return nil, fmt.Errorf("class_weight: %w", param.Unknown("class", e.Name, t.Classes))
		}
		factors[c] = e.Value
	}
	return factors, nil
}
