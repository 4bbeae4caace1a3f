package command

import (
	"fmt"
	"io"
	"strings"

	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/report/plot"
)

// impurityName is the kind of importances that all models of trees have.
const impurityName = "impurity"

// importanceNames are the values of --importances.
func importanceNames() []string {
	names := []string{impurityName}
	for _, k := range toldKinds(&model.Spec{}) {
		names = append(names, k.name)
	}
	return names
}

// showImportances shows the importances of one kind alone.
func (o *showCommand) showImportances(path string, m model.Model) error {
	spec := m.Spec()
	if o.importances == impurityName {
		all := importances(m)
		if len(all) == 0 {
			return fmt.Errorf("%s: the model tells no impurity importances", path)
		}
		return o.writeImportances(spec, "share of the decrease of impurity", sharesOf(all), func(c *console) { printImportances(c, all, 0) })
	}
	for _, kind := range toldKinds(spec) {
		if kind.name != o.importances {
			continue
		}
		all := ranked(spec, kind.name)
		if len(all) == 0 {
			return fmt.Errorf("%s: training told no such importances: a learner such as forest does with --set importance=%s", path, kind.name)
		}
		return o.writeImportances(spec, kind.value, all, func(c *console) { kind.print(c, all, 0) })
	}
	return nil // check has refused other kinds
}

// writeImportances writes importances in the form asked for: as JSON, as a picture, or what print prints.
func (o *showCommand) writeImportances(spec *model.Spec, label string, all []learn.Importance, print func(*console)) error {
	return o.fileFlag.write(o.console, func(w io.Writer) error {
		out := *o.console
		out.out = w
		switch {
		case o.jsonFlag.json:
			return out.json(learn.Importances{Kind: o.importances, Columns: all})
		case o.format == "svg":
			bars := make([]plot.Bar, len(all))
			for i, a := range all {
				bars[i] = plot.Bar{Name: columnWords(a), Value: a.Value, StdError: a.StdError}
			}
			return plot.Importances(w, spec, label, bars)
		}
		print(&out)
		return nil
	})
}

// sharesOf are shares of the decrease of impurity in the form in which forests tell importances.
func sharesOf(all []explain.Importance) []learn.Importance {
	told := make([]learn.Importance, len(all))
	for i, a := range all {
		told[i] = learn.Importance{Column: a.Feature, Value: a.Value}
	}
	return told
}

// importancesHelp describes --importances.
func importancesHelp() string {
	return "show the importances of a `KIND` alone: " + strings.Join(importanceNames(), ", ")
}
