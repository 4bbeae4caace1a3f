package learn

import "github.com/coppice-ml/coppice/param"

// Criterion is the impurity that the splits of a tree decrease.
type Criterion = param.Enum[criterionNames]

// The criteria, by their places in the table of package internal/criterion.
const (
	// CriterionGini for classes, CriterionSquaredError for numbers
	CriterionAuto Criterion = iota
	// the Gini index of classes
	CriterionGini
	// the entropy of classes
	CriterionEntropy
	// the decrease of the entropy over the entropy of the children's sizes
	CriterionGainRatio
	// the fraction of rows outside the largest class
	CriterionMisclassification
	// the Hellinger distance of classes over the children
	CriterionHellinger
	// the mean squared distance of numbers from their mean
	CriterionSquaredError
	// the mean distance of numbers from their median
	CriterionAbsoluteError
	// half the mean Poisson deviance of counts and rates
	CriterionPoisson
)

type criterionNames struct{}

func (criterionNames) Enum() (string, []string) {
	return "criterion", []string{param.Auto, "gini", "entropy", "gain_ratio", "misclassification",
		"hellinger", "squared_error", "absolute_error", "poisson"}
}
