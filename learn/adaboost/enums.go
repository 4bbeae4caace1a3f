package adaboost

import "github.com/coppice-ml/coppice/param"

// Variant is a way to boost. Each but auto has a row in variants.
type Variant uint8

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

// String returns the name of the value, as the parameter variant has it.
func (v Variant) String() string { return param.EnumName(variantNames(), v) }

// MarshalText writes the value by its name.
func (v Variant) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText reads a name that MarshalText wrote; any other name is an error.
func (v *Variant) UnmarshalText(text []byte) (err error) {
	*v, err = param.ParseEnum[Variant]("variant", variantNames(), text)
	return err
}

// Loss is the loss of an error in variant r2, where d is the error as a fraction of the largest.
type Loss uint8

// The losses of AdaBoost.R2 (Drucker 1997).
const (
	// d
	LossLinear Loss = iota
	// d^2
	LossSquare
	// 1 - exp(-d)
	LossExponential
)

var lossNames = []string{"linear", "square", "exponential"}

// String returns the name of the value, as the parameter loss has it.
func (l Loss) String() string { return param.EnumName(lossNames, l) }

// MarshalText writes the value by its name.
func (l Loss) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// UnmarshalText reads a name that MarshalText wrote; any other name is an error.
func (l *Loss) UnmarshalText(text []byte) (err error) {
	*l, err = param.ParseEnum[Loss]("loss", lossNames, text)
	return err
}

// Resample is whether members are trained on rows sampled by weight, in place of weights.
type Resample uint8

// The values.
const (
	// if the base learner ignores weights
	ResampleAuto Resample = iota
	ResampleTrue
	ResampleFalse
)

var resampleNames = []string{"auto", "true", "false"}

// String returns the name of the value, as the parameter resample has it.
func (r Resample) String() string { return param.EnumName(resampleNames, r) }

// MarshalText writes the value by its name.
func (r Resample) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads a name that MarshalText wrote; any other name is an error.
func (r *Resample) UnmarshalText(text []byte) (err error) {
	*r, err = param.ParseEnum[Resample]("resample", resampleNames, text)
	return err
}
