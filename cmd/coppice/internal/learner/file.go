package learner

import (
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/param"
)

// AddSettings gives the learner settings of a file that is for a learner, "" = the default one. It
// reports whether that is the learner of the flags.
func (o *Choice) AddSettings(settings []string, of string) bool {
	if nameOf(o.Name) != nameOf(of) {
		return false
	}
	o.file = settings
	return true
}

// CheckSettings returns the faults of all settings, those of a file included.
func (o *Choice) CheckSettings() error {
	tried := *o // Learner changes names
	_, err := tried.Learner()
	return err
}

// AddSettings gives the learner settings of a file that is for it, "" = for the default one. It
// reports whether it is among those of the flags. Settings NAME.KEY are for several learners.
func (o *Several) AddSettings(settings []string, of string) bool {
	all, _, err := o.read()
	if err != nil {
		return true // CheckSettings reports it
	}
	var own []string
	for _, text := range settings {
		if slices.ContainsFunc(all, func(e eval.Entrant) bool {
			return strings.HasPrefix(text, e.Name+".")
		}) {
			o.set = append([]string{text}, o.set...)
		} else {
			own = append(own, text)
		}
	}
	o.file, o.fileOf = own, nameOf(of)
	return len(own) == 0 || slices.Contains(namesOf(all), o.fileOf)
}

// CheckSettings returns the faults of all settings, those of a file included.
func (o *Several) CheckSettings() error {
	_, err := o.Learners()
	return err
}

// nameOf returns the name of a learner that is called by it or by an alias, "" = the default one.
func nameOf(learner string) string {
	if learner == "" {
		return catalog.Default
	}
	if row, err := catalog.Find(learner); err == nil {
		return row.Name
	}
	return learner
}

// overridden returns the settings of a file without those that further settings override, and then
// these. A choice such as loss=huber also overrides the parameters below it.
func overridden(params param.Set, file, by []string) []string {
	key := func(text string) string {
		name, _, _ := strings.Cut(text, "=")
		return params.Canonical(strings.TrimSpace(name))
	}
	kept := slices.DeleteFunc(slices.Clone(file), func(text string) bool {
		return slices.ContainsFunc(by, func(other string) bool {
			return key(text) == key(other) || strings.HasPrefix(key(text), key(other)+".")
		})
	})
	return append(kept, by...)
}
