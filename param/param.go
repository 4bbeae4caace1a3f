// Package param owns the declaration of parameters: name, default, range and meaning are written
// once. Setting from text, checking, JSON, help tables and suggestions for misspelt names all use
// that one place.
//
// A learner (or a loss, a criterion, a sampler) lists its parameters with pointers into itself:
//
//	func (l *Learner) Params() param.Set {
//		return param.Set{
//			param.Int(&l.Depth, "depth", 0, 0, math.MaxInt, "edges down to the deepest leaf",
//				param.Zero("no limit")),
//			param.Float(&l.Rate, "learning_rate", 0.1, 0, 1, "factor on each tree's values",
//				param.ExcludeMin),
//		}
//	}
//
// Fields set by Go code and texts set by users pass the same checks.
package param

import (
	"fmt"
	"strings"
)

// Param is one declared parameter, bound to a variable.
type Param struct {
	Name    string `json:"name"`
	Default string `json:"default"` // as text that Set.Set accepts
	Range   string `json:"range"`   // the values that are accepted, in words: "an integer >= 1"
	Help    string `json:"help"`    // one line: what it means, with its unit
	// Aliases are further names that Set.Set accepts.
	Aliases []string `json:"aliases,omitempty"`
	// Search is the values that tuning tries; nil: it leaves the parameter alone.
	Search *Search           `json:"search,omitempty"`
	unlike map[string]string // by a name that other tools use for something else: what to use
	value  value
}

// Value returns the current value as text that Set.Set accepts.
func (p *Param) Value() string { return p.value.text() }

// Int declares an integer within [min, max]. A max of math.MaxInt stands for no upper bound.
func Int(p *int, name string, def, min, max int, help string, options ...Option) Param {
	return declare(name, help, &integer{p: p, def: def, min: min, max: max, rule: ruleOf(options)})
}

// Float declares a finite number within [min, max]. Infinite bounds stand for no bound; the value
// itself is never infinite or NaN.
func Float(p *float64, name string, def, min, max float64, help string, options ...Option) Param {
	return declare(name, help, &number{p: p, def: def, min: min, max: max, rule: ruleOf(options)})
}

// Bool declares a switch, written true or false.
func Bool(p *bool, name string, def bool, help string) Param {
	return declare(name, help, &toggle{p: p, def: def})
}

// Choice declares a text that must be one of options.
func Choice(p *string, name, def string, options []string, help string) Param {
	return declare(name, help, &choice{p: p, def: def, options: options})
}

// Text declares a value with a syntax of its own, such as "auto|cv|alpha=NUMBER". The syntax is
// shown as its range; check returns what is wrong with a text, nil if nothing is. A nil check
// accepts every text.
func Text(p *string, name, def, syntax string, check func(string) error, help string) Param {
	read := func(text string) (string, error) {
		if check == nil {
			return text, nil
		}
		return text, check(text)
	}
	return declare(name, help, &structured[string]{p, def, syntax, read, strings.Clone})
}

// Parsed declares a value that read makes of a text and write makes a text of, such as a list of
// numbers by name. Its zero value is the default and the text "". What is wrong with a text, or
// with the current value, is the error of read.
func Parsed[T any](p *T, name, syntax string, read func(string) (T, error), write func(T) string,
	help string) Param {
	return declare(name, help, &structured[T]{p, "", syntax, read, write})
}

func declare(name, help string, v value) Param {
	return Param{Name: name, Default: v.defaultText(), Range: v.domain(), Help: help, value: v}
}

// Option refines the range of a number.
type Option func(*rule)

// rule is what two bounds cannot express of a range.
type rule struct {
	above bool   // the lower bound itself is excluded
	below bool   // the upper bound itself is excluded
	zero  string // what 0 means; not empty: 0 is accepted also outside the bounds
	auto  string // what auto means; not empty: the learner may choose
}

func ruleOf(options []Option) rule {
	var r rule
	for _, o := range options {
		o(&r)
	}
	return r
}

// ExcludeMin excludes the lower bound: a learning rate is above 0.
func ExcludeMin(r *rule) { r.above = true }

// ExcludeMax excludes the upper bound: a fraction of the rows that leaves some for others is below
// 1.
func ExcludeMax(r *rule) { r.below = true }

// Zero gives the value 0 a meaning of its own, such as "no limit", and accepts it also outside the
// bounds.
func Zero(meaning string) Option { return func(r *rule) { r.zero = meaning } }

// AutoInt is the value auto of an integer with the option Automatic.
const AutoInt = -1

// Automatic gives an integer the further value auto, with which the learner chooses. Texts and JSON
// hold the word, the variable AutoInt. So a value that was given by hand differs from the default,
// even where it is the one that the learner takes mostly. The meaning follows "auto = " in the
// range.
func Automatic(meaning string) Option { return func(r *rule) { r.auto = meaning } }

// Set is the parameters of one object in the order of their declaration. Names are unique, and have
// no dots unless they are those of All.
type Set []Param

// Lookup returns the parameter called name, which may be one below a choice, or nil.
func (s Set) Lookup(name string) *Param { return s.All().find(name) }

func (s Set) find(name string) *Param {
	for i := range s {
		if s[i].Name == name {
			return &s[i]
		}
	}
	return nil
}

// Names returns the names in order of declaration, without those below choices.
func (s Set) Names() []string {
	names := make([]string, len(s))
	for i := range s {
		names[i] = s[i].Name
	}
	return names
}

// Reset gives every parameter its default. A choice starts again.
func (s Set) Reset() {
	for i := range s {
		s[i].value.reset()
	}
}

// Set assigns texts of the form name=value; the value is all that follows the first '='. Blanks
// around name and value are dropped. The error is a Faults with everything that is wrong: unknown
// names, names given twice, values outside their ranges. If there is any, nothing is assigned.
func (s Set) Set(assignments []string) error {
	a := newAssigner(s)
	for _, line := range assignments {
		name, value, ok := strings.Cut(line, "=")
		name = strings.TrimSpace(name)
		if !ok || name == "" {
			a.refuse(name, fmt.Sprintf("%q is no setting: write name=value", line))
			continue
		}
		a.add(name, strings.TrimSpace(value))
	}
	return a.finish()
}

// Validate checks the current values, for callers that set fields and not texts. The error is a
// Faults with everything that is wrong.
func (s Set) Validate() error {
	var faults Faults
	all := s.All()
	for i := range all {
		p := &all[i]
		if err := p.value.check(); err != nil {
			faults = append(faults,
				&Fault{p.Name, fmt.Sprintf("%s=%s: %v", p.Name, p.Value(), err)})
		}
	}
	return faults.orNil()
}

// Auto is the value of parameters that the learner chooses by the data.
const Auto = "auto"
