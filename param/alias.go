package param

import (
	"fmt"
	"strings"
)

// Also returns the parameter with further names that Set accepts, those that other tools use for
// the same thing: trees is also n_estimators. JSON, help and errors keep the name. A parameter and
// its alias together are an error.
func (p Param) Also(names ...string) Param {
	p.Aliases = append(p.Aliases[:len(p.Aliases):len(p.Aliases)], names...)
	return p
}

// Below returns the parameter with its name and aliases as they are below a choice: trees of base
// is base.trees.
func (p Param) Below(choice string) Param {
	aliases := make([]string, len(p.Aliases))
	for i, alias := range p.Aliases {
		aliases[i] = choice + "." + alias
	}
	p.Name, p.Aliases, p.Search = choice+"."+p.Name, aliases, p.Search.below(choice)
	return p
}

// Unlike returns the parameter with a name that other tools use for something near, but not the
// same: setting it is an error with advice. The advice follows "unknown parameter NAME: ".
func (p Param) Unlike(name, advice string) Param {
	unlike := make(map[string]string, len(p.unlike)+1)
	for n, a := range p.unlike {
		unlike[n] = a
	}
	unlike[name] = advice
	p.unlike = unlike
	return p
}

// elsewhere is what other tools take for parameters of a learner and Coppice does not.
var elsewhere = map[string]string{
	"random_state": "the seed belongs to the training: use the flag seed, in Go Job.Seed",
	"random_seed":  "the seed belongs to the training: use the flag seed, in Go Job.Seed",
	"seed":         "the seed belongs to the training: use the flag seed, in Go Job.Seed",
	"n_jobs":       "threads belong to the training: use the flag threads, in Go Job.Workers",
	"nthread":      "threads belong to the training: use the flag threads, in Go Job.Workers",
	"num_threads":  "threads belong to the training: use the flag threads, in Go Job.Workers",
	"thread_count": "threads belong to the training: use the flag threads, in Go Job.Workers",
	"verbose":      "the command shows progress on a terminal; in Go use Job.Observe",
}

// canonical returns the declared name of an alias, of a parameter or of a choice that it is below;
// every other name is returned as it is.
func (s Set) canonical(name string) string {
	for i := range s {
		for _, alias := range s[i].Aliases {
			if name == alias {
				return s[i].Name
			}
			if rest, below := strings.CutPrefix(name, alias+"."); below {
				return s.canonical(s[i].Name + "." + rest)
			}
		}
	}
	return name
}

// Canonical returns the declared name of an alias, as that of a parameter below a choice; every
// other name is returned as it is.
func (s Set) Canonical(name string) string { return s.canonical(name) }

// advice returns what to use in place of a name of other tools, "" if nothing is known of it.
func (s Set) advice(name string) string {
	for i := range s {
		stem := s[i].Name[:strings.LastIndexByte(s[i].Name, '.')+1]
		if rest, ok := strings.CutPrefix(name, stem); ok && s[i].unlike[rest] != "" {
			return s[i].unlike[rest]
		}
	}
	return elsewhere[name[strings.LastIndexByte(name, '.')+1:]]
}

// twice is the fault of a parameter that is set again; before and now are the names that were
// given.
func twice(name, before, now string) string {
	for _, alias := range []string{now, before} {
		if alias != name {
			return fmt.Sprintf("parameter %q is set twice: %q is another name of it", name, alias)
		}
	}
	return fmt.Sprintf("parameter %q is set twice", name)
}
