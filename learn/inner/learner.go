// Package inner owns the learners inside other learners: the base of a bag (Choice), the members of
// a stack or a vote (Members), and the columns and weights that members get.
package inner

import (
	"encoding/json"
	"fmt"

	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/param"
)

// Choice is the learner that another one trains, such as the base of a bag. It is chosen by the
// name that a catalog has for it, or given as a value under any name:
//
//	l.Base = inner.Choice{Name: "mine", Learner: mine}
type Choice struct {
	// in the catalog, or of one's own for a Learner that is none of the catalog
	Name    string
	Learner learn.Learner // nil: Prepare finds it by Name
	// Resolve makes a learner with default parameters when a name is set; nil: names are kept for
	// Prepare, and parameters of the learner cannot be set by text.
	Resolve learn.Resolve
	// Start returns settings that a learner chosen by name starts with instead of its own defaults;
	// nil = none.
	Start func(name string) []string

	made learn.Learner // what Resolve made
}

// Param declares a parameter that chooses a learner; the learner's own parameters are set as
// NAME.KEY.
func Param(p *Choice, name, def, help string) param.Param {
	return param.Chosen(p, name, def, "name of a learner", help)
}

// Chosen returns the learner's name and parameters.
func (in *Choice) Chosen() (string, param.Set) {
	if in.Learner == nil {
		return in.Name, nil
	}
	return in.Name, in.Learner.Params()
}

// Choose makes the learner of a name.
func (in *Choice) Choose(name string) (param.Set, func(), error) {
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
func (in *Choice) start(resolve learn.Resolve, name string) (learn.Learner, error) {
	l, err := resolve(name)
	if err != nil || in.Start == nil {
		return l, err
	}
	return l, l.Params().Set(in.Start(name))
}

// Capabilities returns those of the learner; of one that only Prepare finds nothing is known, and
// they are the zero value.
func (in *Choice) Capabilities() learn.Capabilities {
	if in.Learner == nil {
		return learn.Capabilities{}
	}
	return in.Learner.Capabilities()
}

// Take returns the learner for a Prepare. A learner that was chosen by name is returned as a copy,
// which nobody else can change; one that was given as a value is returned itself. A learner that is
// unsupervised is refused.
func (in *Choice) Take(env learn.Env) (learn.Learner, error) {
	l, err := in.take(env)
	if err != nil {
		return nil, err
	}
	return l, checkSupervised(in.Name, l)
}

func (in *Choice) take(env learn.Env) (learn.Learner, error) {
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
