package learn

import (
	"encoding/json"
	"fmt"

	"github.com/coppice-ml/coppice/param"
)

// Choice is the learner that another one trains, such as the base of a bag. It is chosen by its
// name or an alias in a catalog, or given as a value under any name:
//
//	l.Base = learn.Choice{Name: "mine", Learner: mine}
type Choice struct {
	// in the catalog, or of one's own for a Learner that is none of the catalog
	Name    string
	Learner Learner // nil: Prepare finds it by Name
	// Resolve makes a learner with default parameters when a name is set; nil: names are kept for
	// Prepare, and parameters of the learner cannot be set by text.
	Resolve Resolve
	// Start returns settings that a learner chosen by name starts with instead of its own defaults;
	// nil = none.
	Start func(name string) []string

	made Learner // what Resolve made
}

// ChoiceParam declares a parameter that chooses a learner; the learner's own parameters are set as
// NAME.KEY.
func ChoiceParam(p *Choice, name, def, help string) param.Param {
	return param.Chosen(p, name, def, "name of a learner", help)
}

// Chosen returns the learner's name and parameters.
func (in *Choice) Chosen() (string, param.Set) {
	if in.Learner == nil {
		return in.Name, nil
	}
	return in.Name, in.Learner.Params()
}

// Choose makes the learner of a name or an alias. The choice stores the name.
func (in *Choice) Choose(name string) (param.Set, func(), error) {
	_, params, store, err := in.choose(name)
	return params, store, err
}

// choose is Choose. It returns the name, too.
func (in *Choice) choose(
	nameOrAlias string,
) (name string, params param.Set, store func(), err error) {
	if in.Resolve == nil {
		name = nameOrAlias
		return name, nil, func() { in.Name, in.Learner, in.made = name, nil, nil }, nil
	}
	name, l, err := in.start(in.Resolve, nameOrAlias)
	if err != nil {
		return name, nil, nil, err
	}
	return name, l.Params(), func() { in.Name, in.Learner, in.made = name, l, l }, nil
}

// start makes a learner with what it starts with, and returns its name, too.
func (in *Choice) start(resolve Resolve, nameOrAlias string) (string, Learner, error) {
	name, l, err := resolve(nameOrAlias)
	if err != nil || in.Start == nil {
		return name, l, err
	}
	return name, l, l.Params().Set(in.Start(name))
}

// Capabilities returns those of the learner; of one that only Prepare finds nothing is known, and
// they are the zero value.
func (in *Choice) Capabilities() Capabilities {
	if in.Learner == nil {
		return Capabilities{}
	}
	return in.Learner.Capabilities()
}

// Take returns the choice for a Prepare, with a Learner. A learner that was chosen by name is a
// copy that no other code can change; one that was given as a value is the same. A learner that is
// unsupervised is refused.
func (in *Choice) Take(env Env) (Choice, error) {
	taken := *in
	var err error
	if taken.Name, taken.Learner, err = in.take(env); err != nil {
		return taken, err
	}
	return taken, checkSupervised(taken.Name, taken.Learner)
}

func (in *Choice) take(env Env) (string, Learner, error) {
	switch {
	case in.Learner == nil && env.Resolve == nil:
		return "", nil, fmt.Errorf("there is no catalog to find the learner %q in: give a Learner",
			in.Name)
	case in.Learner == nil:
		return in.start(env.Resolve, in.Name)
	case in.Learner != in.made:
		return in.Name, in.Learner, nil
	}
	params, err := json.Marshal(in.Learner.Params())
	if err != nil {
		return "", nil, err
	}
	name, l, err := in.Resolve(in.Name)
	if err != nil {
		return "", nil, err
	}
	return name, l, l.Params().UnmarshalJSON(params)
}

// checkSupervised refuses a learner, called by name, that uses no label.
func checkSupervised(name string, l Learner) error {
	if l.Capabilities().Unsupervised {
		return fmt.Errorf("%s uses no label, so it cannot be trained inside another learner: use a "+
			"learner such as cart", name)
	}
	return nil
}
