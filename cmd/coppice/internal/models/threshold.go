package models

import (
	"math"

	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/model"
)

// ThresholdFlag replaces the decision threshold of a model of two classes.
type ThresholdFlag struct {
	Threshold float64
	given     *pflag.FlagSet
}

// Define defines --threshold.
func (o *ThresholdFlag) Define(f *pflag.FlagSet) {
	o.given = f
	f.Float64Var(&o.Threshold, "threshold", 0,
		"binary: predict the positive class if its probability is greater than `X`, from 0 to 1 "+
			"(default: that of the model)")
}

// Requested reports whether the flag is given.
func (o *ThresholdFlag) Requested() bool { return o.given.Changed("threshold") }

// Check refuses a threshold that is no probability.
func (o *ThresholdFlag) Check() error {
	if o.Requested() && !(o.Threshold >= 0 && o.Threshold <= 1) {
		return cli.Misusef("--threshold %v: want a probability from 0 to 1", o.Threshold)
	}
	return nil
}

// Decide returns the model with the requested threshold, else the model itself. firstPositive
// reports that the first class is the positive one.
func (o *ThresholdFlag) Decide(m model.Model, firstPositive bool) (model.Model, error) {
	if !o.Requested() {
		return m, nil
	}
	spec := m.Spec()
	switch {
	case !spec.Task.Classes():
		return nil, cli.Misusef("--threshold is for the probability of one of two classes, and "+
			"this model predicts %s (%s)", Predictions(spec), spec.Task)
	case len(spec.Classes) != 2:
		return nil, cli.Misusef("--threshold is for the probability of one of two classes, and "+
			"this model predicts %s", humanize.Count(len(spec.Classes), "class", "classes"))
	}
	return model.WithDecision(m, model.Decision{
		Threshold: max(o.Threshold, math.SmallestNonzeroFloat64), FirstPositive: firstPositive,
	})
}

// ProbabilityColumns name the columns of the probabilities of classes.
func ProbabilityColumns(classes []string) []string {
	names := make([]string, len(classes))
	for i, class := range classes {
		names[i] = "p_" + class
	}
	return names
}

// QuantileColumns name the columns of quantiles.
func QuantileColumns(levels []float64) []string {
	names := make([]string, len(levels))
	for i, q := range levels {
		names[i] = "q" + humanize.Exact(q)
	}
	return names
}

// Predictions names what a model predicts: scores, classes or numbers.
func Predictions(s *model.Spec) string {
	switch {
	case s.Task == data.Anomaly:
		return "scores"
	case s.Task.Classes():
		return "classes"
	}
	return "numbers"
}
