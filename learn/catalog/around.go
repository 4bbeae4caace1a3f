package catalog

import (
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/calibrate"
	"github.com/coppice-ml/coppice/learn/inner"
	"github.com/coppice-ml/coppice/learn/vote"
	"github.com/coppice-ml/coppice/model/calibrated"
)

// Calibration is the name of the learner that Calibrate returns.
const Calibration = calibrate.Name

// CalibrationMethods returns the values of the learner's parameter method, and CalibrationAims
// those of threshold_for; none, which both have, is left out.
func CalibrationMethods() []string { return calibrated.Methods()[1:] }

// CalibrationAims returns what a threshold can be chosen for.
func CalibrationAims() []string {
	var names []string
	for _, a := range calibrate.Aims() {
		names = append(names, a.Name)
	}
	return names
}

// Calibrate returns the learner calibrate around another, of which name is the name. settings are
// parameters of calibrate, such as method=isotonic; that which is not allowed, or is in conflict,
// is an error.
func Calibrate(name string, base learn.Learner, settings ...string) (learn.Learner, error) {
	c := calibrate.New(Resolve)
	if err := c.Params().Set(settings); err != nil {
		return nil, err
	}
	c.Base.Name, c.Base.Learner = name, base
	if err := c.Capabilities().Conflicts; err != nil {
		return nil, err
	}
	return c, nil
}

// Partition returns the learner vote, with a member for each of so many disjoint subsets of the
// rows. The learner of the given name is trained on each; one that is a vote already is changed.
func Partition(name string, l learn.Learner, subsets int) (learn.Learner, error) {
	v, ok := l.(*vote.Learner)
	if !ok {
		v = vote.New(nil)
		v.Members.List = []inner.Member{{Name: name, Learner: inner.Choice{Name: name, Learner: l}}}
	}
	v.Partition = subsets
	if err := v.Capabilities().Conflicts; err != nil {
		return nil, err
	}
	return v, nil
}
