package command

import (
	"fmt"
	"io"
	"strings"

	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
	"github.com/coppice-ml/coppice/report/plot"
)

// The kinds of importances that all models of trees have, one or the other.
const (
	impurityName = "impurity"
	gainName     = "gain"
)

// importanceNames are the values of --importances.
func importanceNames() []string {
	names := []string{impurityName, gainName}
	for _, k := range reportedKinds(&model.Spec{}) {
		names = append(names, k.name)
	}
	return names
}

// showImportances shows the importances of one kind alone.
func (o *showCommand) showImportances(path string, m model.Model) error {
	spec := m.Spec()
	if kind := importanceKind(spec); o.importances == impurityName || o.importances == gainName {
		all := importances(m)
		switch {
		case len(all) == 0:
			return fmt.Errorf("%s: the model stores no importances by %s", path, o.importances)
		case kind != o.importances:
			return fmt.Errorf("%s: %s has importances by %s: use --importances %s", path, spec.Learner, kind, kind)
		}
		return o.writeImportances(spec, importanceCaption(kind), fractionsOf(all), func(c *console) { printImportances(c, kind, all, 0) })
	}
	if p := spec.Permutation; o.importances == training.Permutation && p != nil {
		return o.writePermutation(spec, p)
	}
	for _, kind := range reportedKinds(spec) {
		if kind.name != o.importances {
			continue
		}
		all := ranked(spec, kind.name)
		if len(all) == 0 {
			return fmt.Errorf("%s: the model stores no such importances: %s", path, kind.advice)
		}
		return o.writeImportances(spec, kind.caption(), all, func(c *console) { kind.print(c, all, 0) })
	}
	return nil // check has refused other kinds
}

// writePermutation writes the importance by permutation that a model stores, and of forests that on
// out-of-bag rows below it.
func (o *showCommand) writePermutation(spec *model.Spec, p *model.Permutation) error {
	all := make([]training.Importance, len(p.Columns))
	for i, c := range p.Columns {
		all[i] = training.Importance{Column: c.Name, Value: c.Drop, StdError: c.StdError}
	}
	if o.jsonFlag.json {
		return o.fileFlag.write(o.console, func(w io.Writer) error {
			out := *o.console
			out.out = w
			return out.json(p)
		})
	}
	return o.writeImportances(spec, permutationCaption(p), all, func(c *console) {
		printPermutation(c, p, 0)
		for _, kind := range reportedKinds(spec) {
			if reported := ranked(spec, kind.name); kind.name == training.Permutation && len(reported) > 0 {
				kind.print(c, reported, 0)
			}
		}
	})
}

// writeImportances writes importances in the requested form: as JSON, as a picture, or what print
// prints.
func (o *showCommand) writeImportances(spec *model.Spec, caption plot.ImportanceCaption, all []training.Importance, print func(*console)) error {
	return o.fileFlag.write(o.console, func(w io.Writer) error {
		out := *o.console
		out.out = w
		switch {
		case o.jsonFlag.json:
			return out.json(training.Importances{Kind: o.importances, Columns: all})
		case o.format == "svg":
			bars := make([]plot.Bar, len(all))
			for i, a := range all {
				bars[i] = plot.Bar{Name: columnWords(a), Value: a.Value, StdError: a.StdError}
			}
			return plot.Importances(w, spec, caption, bars)
		}
		print(&out)
		return nil
	})
}

// fractionsOf are fractions of the decrease of impurity in the form in which forests report
// importances.
func fractionsOf(all []explain.Importance) []training.Importance {
	reported := make([]training.Importance, len(all))
	for i, a := range all {
		reported[i] = training.Importance{Column: a.Feature, Value: a.Value}
	}
	return reported
}

// importancesHelp describes --importances.
func importancesHelp() string {
	return "show the importances of a `KIND` alone: " + strings.Join(importanceNames(), ", ")
}
