package weighting

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/param"
)

// priorSlack is how far from 1 priors that are typed with a few digits may add up to.
const priorSlack = 1e-6

// ReadPriors reads "" or "name=probability,...".
func ReadPriors(text string) ([]param.Named, error) {
	entries, err := param.ParseNamed(text, "prior", "class", nil)
	if err != nil {
		return nil, err
	}
	sum := 0.0
	for _, e := range entries {
		sum += e.Value
	}
	if sum > 1+priorSlack {
		return nil, fmt.Errorf("priors add up to %.6g, more than 1", sum)
	}
	return entries, nil
}

// Priors declares the parameter priors.
func Priors(p *[]param.Named) param.Param {
	return param.Parsed(p, "priors", "NAME=PROBABILITY,...", ReadPriors, param.WriteNamed,
		"class probabilities where the model will be used, if they are not those of the training "+
			"rows; classes not named divide the rest as their rows do")
}

// PriorFactors returns for each class the prior that a value of Priors gives it, over its fraction
// of the weight: what the weight of its rows is multiplied by (Breiman et al. 1984, section 4.4);
// nil for none. weight is the total weight of each class among the training rows. A class
// without rows has factor 1. Errors: a class that does not exist, and nothing left for a class that
// is not named. So is a sum other than 1 where no class can take the rest.
func PriorFactors(priors []param.Named, t *data.Target, weight []float64) ([]float64, error) {
	if priors == nil {
		return nil, nil
	}
	if !t.Task.Classes() {
		return nil, fmt.Errorf("priors do not fit a %s label", t.Task)
	}
	prior := make([]float64, len(t.Classes))
	rest := 1.0
	for _, e := range priors {
		c := slices.Index(t.Classes, e.Name)
		if c < 0 {
			return nil, fmt.Errorf("priors: %w", param.Unknown("class", e.Name, t.Classes))
		}
		prior[c] = e.Value
		rest -= e.Value
	}
	total, unnamed := 0.0, 0.0
	for c, w := range weight {
		total += w
		if prior[c] == 0 {
			unnamed += w
		}
	}
	switch {
	case unnamed > 0 && rest <= priorSlack:
		return nil,
			errors.New("priors: those named add up to 1 and leave nothing for " +
				unnamedClass(t, prior, weight))
	case unnamed == 0 && math.Abs(rest) > priorSlack:
		return nil, fmt.Errorf("priors add up to %.6g, not 1", 1-rest)
	}
	factors := make([]float64, len(prior))
	for c := range factors {
		switch {
		case weight[c] == 0:
			factors[c] = 1
		case prior[c] > 0:
			factors[c] = prior[c] / (weight[c] / total)
		default:
			factors[c] = rest / (unnamed / total)
		}
	}
	return factors, nil
}

func unnamedClass(t *data.Target, prior, weight []float64) string {
	var names []string
	for c, w := range weight {
		if prior[c] == 0 && w > 0 {
			names = append(names, fmt.Sprintf("%q", t.Classes[c]))
		}
	}
	return strings.Join(names, ", ")
}
