package param

import (
	"errors"
	"slices"
	"strings"
)

// Chooser is a variable that holds one of several things which have parameters of their own, such
// as the learner that another one works with.
type Chooser interface {
	// Chosen returns the current choice as text, "" if there is none, and its parameters, bound to
	// it.
	Chosen() (text string, params Set)
	// Choose finds what a text stands for, with the parameters that it starts with. They may be set
	// at once; store makes it the current choice, and nothing changes before. The error describes
	// what is wrong with the text.
	Choose(text string) (params Set, store func(), err error)
}

// Chosen declares a parameter that chooses. The parameters of what it chose are set as NAME.KEY:
// base=c45 and, before or after it, base.confidence=0.1. The syntax is shown as its range.
func Chosen(c Chooser, name, def, syntax, help string) Param {
	return declare(name, help, &chosen{c: c, def: def, syntax: syntax})
}

// All returns the parameters, each followed by those of what it chose. The default of base.depth is
// what base starts with. The set is of the choices as they are now.
func (s Set) All() Set {
	all := make(Set, 0, len(s))
	for _, p := range s {
		all = append(all, p)
		c, ok := p.value.(*chosen)
		if !ok {
			continue
		}
		text, params := c.c.Chosen()
		all = append(all, c.below(p.Name, text, params)...)
	}
	return all
}

// chosen is the value of a parameter that chooses.
type chosen struct {
	c           Chooser
	def, syntax string
}

// below returns the parameters of a choice by the names that they have beside the parameter that
// chose. Their defaults are what the choice starts with; those further below are the business of
// the choices there.
func (v *chosen) below(name, text string, params Set) Set {
	fresh, _, err := v.c.Choose(text)
	all := params.All()
	for i := range all {
		if start := fresh.find(all[i].Name); err == nil && start != nil {
			all[i].Default = start.Value()
		}
		all[i] = all[i].Below(name)
	}
	return all
}

// find is Choose with the error of a text that is empty.
func (v *chosen) find(text string) (Set, func(), error) {
	if text == "" {
		return nil, nil, errors.New("want " + v.syntax)
	}
	return v.c.Choose(text)
}

// below returns the names that follow a stem and have no further dot, without the stem.
func (s Set) below(stem string) []string {
	var names []string
	for i := range s {
		if rest, ok := strings.CutPrefix(s[i].Name, stem); ok && !strings.Contains(rest, ".") {
			names = append(names, rest)
		}
	}
	return names
}

func (v *chosen) parse(text string) (func(), error) {
	_, store, err := v.find(text)
	return store, err
}

func (v *chosen) check() error {
	if v.text() == "" {
		return errors.New("want " + v.syntax)
	}
	return nil
}

// reset leaves a default that cannot be found unchosen, which check reports.
func (v *chosen) reset() {
	if _, store, err := v.c.Choose(v.def); err == nil {
		store()
	}
}

func (v *chosen) text() string {
	text, _ := v.c.Chosen()
	return text
}

func (v *chosen) json() ([]byte, error) { return quote(v.text()) }
func (v *chosen) defaultText() string   { return v.def }
func (v *chosen) domain() string        { return v.syntax }

// choose assigns a parameter that chooses: the parameters below it become those of the new choice,
// whose changes have no effect before the choice is stored.
func (a *assigner) choose(p *Param, text string) (func(), error) {
	c, ok := p.value.(*chosen)
	if !ok {
		return p.value.parse(text)
	}
	name := p.Name
	a.set = slices.DeleteFunc(a.set,
		func(other Param) bool { return strings.HasPrefix(other.Name, name+".") })
	params, store, err := c.find(text)
	if err != nil {
		a.lost = append(a.lost, name+".")
		return nil, err
	}
	a.set = append(a.set, c.below(name, text, params)...)
	return store, nil
}
