package catalog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/calibrate"
	"github.com/coppice-ml/coppice/learn/vote"
)

// Calibration is the name of the learner that Calibrate returns.
const Calibration = calibrate.Name

// CalibrationMethods returns the values of the learner's parameter method, and CalibrationAims
// those of threshold_for; none, which both have, is left out.
func CalibrationMethods() []string { return committee.CalibrationMethods()[1:] }

// CalibrationAims returns what a threshold can be chosen for.
func CalibrationAims() []string {
	var names []string
	for a := calibrate.AimAccuracy; a <= calibrate.AimCost; a++ {
		names = append(names, a.String())
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

// WithPreset returns the learner of an entry with one of its presets or compats, and its name.
// These are another learner's where the preset has one. An unknown preset is a *PresetError.
//
// Chosen reports that the caller named the learner. Else a preset of another learner leaves it to
// that one which learners it trains: the preset best of gbm trains configurations of gbm alone if
// gbm was named.
func WithPreset(e Entry, preset string, chosen bool) (string, learn.Learner, error) {
	l := e.New()
	c := l.Capabilities()
	wrong := &PresetError{Learner: e.Name, Preset: preset}
	for _, p := range slices.Concat(c.Presets, c.Compats) {
		if p.Name != preset {
			wrong.Known = append(wrong.Known, p.Name)
			continue
		}
		if p.Learner == "" {
			return e.Name, l, l.Params().Set(p.Settings)
		}
		name, other, err := Resolve(p.Learner)
		if err != nil || !chosen {
			return name, other, err
		}
		return name, other, other.Params().Set(p.Settings)
	}
	return "", nil, wrong
}

// PresetError reports a preset that a learner does not have.
type PresetError struct {
	Learner, Preset string
	Known           []string // none: the learner has no presets
}

func (e *PresetError) Error() string {
	if len(e.Known) == 0 {
		return fmt.Sprintf("%s has no presets", e.Learner)
	}
	return fmt.Sprintf("%s has no preset %q: there are %s", e.Learner, e.Preset,
		strings.Join(e.Known, ", "))
}

// Partition returns the learner vote, with a member for each of so many disjoint subsets of the
// rows. The learner of the given name is trained on each; one that is a vote already is changed.
func Partition(name string, l learn.Learner, subsets int) (learn.Learner, error) {
	v, ok := l.(*vote.Learner)
	if !ok {
		v = vote.New(nil)
		v.Members.List = []learn.Member{{Name: name, Learner: learn.Choice{Name: name, Learner: l}}}
	}
	v.Partition = subsets
	if err := v.Capabilities().Conflicts; err != nil {
		return nil, err
	}
	return v, nil
}
