package learn

import (
	"encoding/json"
	"fmt"

	"github.com/coppice-ml/coppice/param"
)

// Inner is the learner that another one works with: the base of a bag. It is chosen by name, or
// given as a value by Go code, which names it as it likes.
type Inner struct {
	Name    string  // in the catalog, or of one's own for a Learner that is none of the catalog
	Learner Learner // nil: Prepare finds it by Name
	// Resolve makes a learner with default parameters when a name is set; nil: names are kept for
	// Prepare, and parameters of the learner cannot be set by text.
	Resolve Resolve
	// Start returns settings that a learner chosen by name starts with instead of its own defaults;
	// nil = none.
	Start func(name string) []string

	made Learner // what Resolve made
}

// InnerLearner declares a parameter that chooses a learner; the learner's own parameters are set as
// NAME.KEY.
func InnerLearner(p *Inner, name, def, help string) param.Param {
	return param.Chosen(p, name, def, "name of a learner", help)
}

// Chosen returns the learner's name and parameters.
func (in *Inner) Chosen() (string, param.Set) {
	if in.Learner == nil {
		return in.Name, nil
	}
	return in.Name, in.Learner.Params()
}

// Choose makes the learner of a name.
func (in *Inner) Choose(name string) (param.Set, func(), error) {
	if in.Resolve == nil {
		return nil, func() { in.Name, in.Learner, in.made = name, nil, nil }, nil
	}
	l, err := in.start(in.Resolve, name)
	if err != nil {
		return nil, nil, err
	}
	return l.Params(), func() { in.Name, in.Learner, in.made = name, l, l }, nil
}

// start makes a learner of a name with what it starts with.
func (in *Inner) start(resolve Resolve, name string) (Learner, error) {
	l, err := resolve(name)
	if err != nil || in.Start == nil {
		return l, err
	}
	return l, l.Params().Set(in.Start(name))
}

// Capabilities returns those of the learner; of one that only Prepare finds nothing is known, and
// they are the zero value.
func (in *Inner) Capabilities() Capabilities {
	if in.Learner == nil {
		return Capabilities{}
	}
	return in.Learner.Capabilities()
}

// Take returns the learner for a Prepare. A learner that was chosen by name is returned as a copy,
// which nobody else can change; one that was given as a value is returned itself. A learner that is
// unsupervised is refused.
func (in *Inner) Take(env Env) (Learner, error) {
	l, err := in.take(env)
	if err != nil {
		return nil, err
	}
	return l, checkSupervised(in.Name, l)
}

func (in *Inner) take(env Env) (Learner, error) {
	switch {
	case in.Learner == nil && env.Resolve == nil:
		return nil, fmt.Errorf("there is no catalog to find the learner %q in: give a Learner", in.Name)
	case in.Learner == nil:
		return in.start(env.Resolve, in.Name)
	case in.Learner != in.made:
		return in.Learner, nil
	}
	params, err := json.Marshal(in.Learner.Params())
	if err != nil {
		return nil, err
	}
	l, err := in.Resolve(in.Name)
	if err != nil {
		return nil, err
	}
	return l, l.Params().UnmarshalJSON(params)
}
