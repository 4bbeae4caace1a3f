package weighting

import (
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/param"
)

// balanced is the class weight that makes all classes weigh the same.
const balanced = "balanced"

// parseClassWeight reads "", "balanced" (both give no entries) or "name=weight,...".
func parseClassWeight(text string) ([]param.Named, error) {
	if text == "" || text == balanced {
		return nil, nil
	}
	return param.ParseNamed(text, "weight", "class")
}

// ClassWeight declares the parameter class_weight, which every learner of classes has.
func ClassWeight(p *string) param.Param {
	check := func(text string) error {
		_, err := parseClassWeight(text)
		return err
	}
	return param.Text(p, "class_weight", "", "balanced|NAME=WEIGHT,...", check,
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
func ClassFactors(text string, t *data.Target, class []uint32, count []uint32) ([]float64, error) {
	if text == "" {
		return nil, nil
	}
	if !t.Task.Classes() {
		return nil, fmt.Errorf("class_weight does not fit a %s label", t.Task)
	}
	factors := make([]float64, len(t.Classes))
	if text == balanced {
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
	entries, err := parseClassWeight(text)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		c := slices.Index(t.Classes, e.Name)
		if c < 0 {
			return nil, fmt.Errorf("class_weight: %w", param.Unknown("class", e.Name, t.Classes))
		}
		factors[c] = e.Value
	}
	return factors, nil
}
