package adaboost

import "github.com/coppice-ml/coppice/param"

// Variant is a way to boost. Each but auto has a row in variants.
type Variant = param.Enum[variantEnum]

// The ways, with the papers that they are from.
const (
	// discrete for two classes, samme for more, r2 for regression
	VariantAuto Variant = iota
	// AdaBoost, and AdaBoost.M1 for more than two classes (Freund & Schapire 1997)
	VariantDiscrete
	// the same with an error up to that of chance among all classes (Zhu et al. 2009)
	VariantSAMME
	// by class probabilities (Friedman, Hastie & Tibshirani 2000)
	VariantReal
	// by regressions of +1 and -1 (Friedman, Hastie & Tibshirani 2000)
	VariantGentle
	// regression (Drucker 1997)
	VariantR2
)

type variantEnum struct{}

func (variantEnum) Enum() (string, []string) { return "variant", variantNames() }

// Loss is the loss of an error in variant r2, where d is the error as a fraction of the largest.
type Loss = param.Enum[lossNames]

// The losses of AdaBoost.R2 (Drucker 1997).
const (
	// d
	LossLinear Loss = iota
	// d^2
	LossSquare
	// 1 - exp(-d)
	LossExponential
)

type lossNames struct{}

func (lossNames) Enum() (string, []string) {
	return "loss", []string{"linear", "square", "exponential"}
}

// Resample is whether members are trained on rows sampled by weight, in place of weights.
type Resample = param.Enum[resampleNames]

// The values.
const (
	// if the base learner ignores weights
	ResampleAuto Resample = iota
	ResampleTrue
	ResampleFalse
)

type resampleNames struct{}

func (resampleNames) Enum() (string, []string) {
	return "resample", []string{"auto", "true", "false"}
}
