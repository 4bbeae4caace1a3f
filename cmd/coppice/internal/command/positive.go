package command

import (
	"math"

	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/model"
)

// positiveFlag names the positive one of two classes.
type positiveFlag struct{ positive string }

func (o *positiveFlag) define(f *pflag.FlagSet, otherwise string) {
	f.StringVar(&o.positive, "positive", "", "binary: `NAME` is the positive class, for F1, precision, recall and thresholds (default: "+otherwise+")")
}

// usualPositive describes the default positive class.
const usualPositive = "1, true, yes or +, else the class with fewer training rows"

// positiveFacts name the positive one of two classes and why it is that one; of other targets
// nothing.
func positiveFacts(t *data.Target) []fact {
	if !t.HasPositive() {
		return nil
	}
	text := humanize.Name(t.Classes[t.PositiveClass()])
	if t.Positive.Why != "" {
		text += ": " + t.Positive.Why
	}
	return []fact{{"positive", text}}
}

// positiveName names the positive class of a model of two classes; "" for others, and for scores of
// anomalies.
func positiveName(s *model.Spec) string {
	if at := s.Positive(); at >= 0 && s.Task.Classes() {
		return s.Classes[at]
	}
	return ""
}

// thresholdFlag chooses labels of two classes by a threshold of its own.
type thresholdFlag struct {
	threshold float64
	given     *pflag.FlagSet
}

func (o *thresholdFlag) define(f *pflag.FlagSet) {
	o.given = f
	f.Float64Var(&o.threshold, "threshold", 0, "binary: predict the positive class if its probability is greater than `X`, from 0 to 1 (default: that of the model)")
}

// requested reports whether the flag is given.
func (o *thresholdFlag) requested() bool { return o.given.Changed("threshold") }

// check finds misuse that needs no model.
func (o *thresholdFlag) check() error {
	if o.requested() && !(o.threshold >= 0 && o.threshold <= 1) {
		return misusef("--threshold %v: want a probability from 0 to 1", o.threshold)
	}
	return nil
}

// decide returns the model with the threshold, if one is requested; firstPositive reports whether
// the first class is the positive one.
func (o *thresholdFlag) decide(m model.Model, firstPositive bool) (model.Model, error) {
	if !o.requested() {
		return m, nil
	}
	spec := m.Spec()
	switch {
	case !spec.Task.Classes():
		return nil, misusef("--threshold is for the probability of one of two classes, and this model predicts %s (%s)", predictions(spec), spec.Task)
	case len(spec.Classes) != 2:
		return nil, misusef("--threshold is for the probability of one of two classes, and this model predicts %s", humanize.Count(len(spec.Classes), "class", "classes"))
	}
	return model.WithDecision(m, model.Decision{Threshold: max(o.threshold, math.SmallestNonzeroFloat64), FirstPositive: firstPositive})
}

// probabilityColumns name the columns of the probabilities of classes.
func probabilityColumns(classes []string) []string {
	names := make([]string, len(classes))
	for i, class := range classes {
		names[i] = "p_" + class
	}
	return names
}
