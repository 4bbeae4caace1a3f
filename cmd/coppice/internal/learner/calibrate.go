package learner

import (
	"strings"

	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/catalog"
)

// calibrateFlags wrap the trained learner in the learner calibrate.
type calibrateFlags struct {
	method string
	aim    string
	costs  string
	given  *pflag.FlagSet
}

func (o *calibrateFlags) define(f *pflag.FlagSet) {
	o.given = f
	f.StringVar(&o.method, "calibrate", "none",
		"calibrate the class probabilities by `METHOD`, fitted to out-of-fold predictions: "+
			strings.Join(catalog.CalibrationMethods(), ", "))
	f.StringVar(&o.aim, "threshold-for", "none",
		"binary: choose the decision threshold that is best for `AIM` on out-of-fold predictions: "+
			strings.Join(catalog.CalibrationAims(), ", "))
	f.StringVar(&o.costs, "costs", "", "read misclassification costs from `FILE`: the predicted "+
		"class has the least expected cost, or --threshold-for cost")
}

// wrap wraps a learner, whose parameters are set, in a calibration. It returns nil if no flag
// requires one.
func (o *calibrateFlags) wrap(name string, l learn.Learner) (learn.Learner, error) {
	var settings []string
	for _, f := range []struct{ flag, key, value string }{
		{"calibrate", "method", o.method}, {"threshold-for", "threshold_for", o.aim},
		{"costs", "costs", o.costs},
	} {
		if !o.given.Changed(f.flag) {
			continue
		}
		switch {
		case name == catalog.Calibration:
			return nil, cli.Misusef("--%s wraps a learner in %s, which is the learner already: "+
				"use --set %s=%s", f.flag, name, f.key, f.value)
		case l.Capabilities().Unsupervised:
			return nil, cli.Misusef(
				"--%s: %s is no classifier: choose a learner for classification", f.flag, name)
		}
		settings = append(settings, f.key+"="+f.value)
	}
	if settings == nil {
		return nil, nil
	}
	if !o.given.Changed("calibrate") {
		settings = append(settings, "method="+o.method)
	}
	c, err := catalog.Calibrate(name, l, settings...)
	if err != nil {
		return nil, cli.Misusef("calibration: %w", err)
	}
	return c, nil
}
