package command

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/calibrate"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/calibrated"
)

// calibrateFlags put the learner calibrate around the one that is trained.
type calibrateFlags struct {
	method string
	aim    string
	costs  string
	given  *pflag.FlagSet
}

func (o *calibrateFlags) define(f *pflag.FlagSet) {
	o.given = f
	f.StringVar(&o.method, "calibrate", calibrated.None.String(), "correct the shares of the classes by `METHOD`, fitted to rows held back in turn: "+
		strings.Join(calibrated.Methods()[1:], ", "))
	f.StringVar(&o.aim, "threshold-for", "none", "of two classes, choose the label by the threshold that is best for `AIM` on rows held back: "+strings.Join(aims(), ", "))
	f.StringVar(&o.costs, "costs", "", "what wrong labels cost is in `FILE`: the label is the class of least expected cost, or by --threshold-for cost")
}

func aims() []string {
	var names []string
	for _, a := range calibrate.Aims() {
		names = append(names, a.Name)
	}
	return names
}

// wrap puts calibration around a learner with its parameters set, if a flag asks for it.
func (o *calibrateFlags) wrap(name string, l learn.Learner) (learn.Learner, error) {
	var settings []string
	for _, f := range []struct{ flag, key, value string }{
		{"calibrate", "method", o.method}, {"threshold-for", "threshold_for", o.aim}, {"costs", "costs", o.costs},
	} {
		if !o.given.Changed(f.flag) {
			continue
		}
		switch {
		case name == calibrate.Name:
			return nil, misusef("--%s goes around a learner, and %s is the one that it puts there: use --set %s=%s", f.flag, name, f.key, f.value)
		case l.Capabilities().Unsupervised:
			return nil, misusef("--%s: %s does not learn classes", f.flag, name)
		}
		settings = append(settings, f.key+"="+f.value)
	}
	if settings == nil {
		return nil, nil
	}
	if !o.given.Changed("calibrate") {
		settings = append(settings, "method="+o.method)
	}
	c := calibrate.New(catalog.New)
	if err := c.Params().Set(settings); err != nil {
		return nil, misusef("calibration: %w", err)
	}
	c.Base.Name, c.Base.Learner = name, l
	if err := c.Capabilities().Conflicts; err != nil {
		return nil, misusef("calibration: %w", err)
	}
	return c, nil
}

// calibrationFacts tell how shares were corrected and what a threshold was chosen for; of models
// that are not calibrated nothing.
func calibrationFacts(m model.Model) []fact {
	c, ok := m.(*calibrated.Calibrated)
	if !ok {
		return nil
	}
	var found calibrate.Summary
	if json.Unmarshal(c.Meta.Summary, &found) != nil {
		return nil
	}
	facts := []fact{{"base", memberWords(sizeOf(c.Base))}}
	switch {
	case found.Why != "":
		facts = append(facts, fact{"held back", "nothing: " + found.Why + "; shares are as they were"})
	case found.Before != nil && found.After != nil:
		text := fmt.Sprintf("%s in %s", count(found.HoldOut, "row", "rows"), foldWords(found.Folds, found.Requested))
		if c.Method != calibrated.None {
			text += fmt.Sprintf("; log loss %s -> %s, Brier score %s -> %s by calibrators that were fitted to these rows", metricText(found.Before.LogLoss), metricText(found.After.LogLoss),
				metricText(found.Before.Brier), metricText(found.After.Brier))
		}
		facts = append(facts, fact{"held back", text})
	}
	if found.ThresholdValue != nil {
		facts = append(facts, fact{"threshold", fmt.Sprintf("%s: a greater probability is labelled %s; %s %s on the out-of-fold rows that it was chosen by", metricText(c.Meta.Decision.Threshold),
			plain(positiveName(&c.Meta)), found.ThresholdFor, metricText(*found.ThresholdValue))})
	}
	return facts
}
