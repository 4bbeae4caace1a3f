package show

import (
	"fmt"
	"strings"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/describe"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
	"github.com/coppice-ml/coppice/report/plot"
)

// showImportances shows the importances of one kind alone.
func (o *command) showImportances(path string, v *describe.View) error {
	spec := v.Spec
	if kind := v.ImportanceKind(); o.importances == training.Impurity ||
		o.importances == training.Gain {
		all := v.Importances()
		switch {
		case len(all) == 0:
			return fmt.Errorf("%s: the model stores no importances by %s", path, o.importances)
		case kind != o.importances:
			return fmt.Errorf("%s: %s has importances by %s: use --importances %s", path,
				spec.Learner, kind, kind)
		}
		return o.writeImportances(spec, describe.ImportanceCaption(kind), fractionsOf(all),
			func(c *cli.Console) { describe.PrintImportances(c, kind, all, 0) })
	}
	if p := spec.Permutation; o.importances == training.Permutation && p != nil {
		return o.writePermutation(v, p)
	}
	for _, kind := range describe.ReportedKinds(spec) {
		if kind.Name != o.importances {
			continue
		}
		all := v.Ranked(kind.Name)
		if len(all) == 0 {
			return fmt.Errorf("%s: the model stores no such importances: %s", path, kind.Advice)
		}
		return o.writeImportances(spec, kind.Caption(), all,
			func(c *cli.Console) { kind.Print(c, all, 0) })
	}
	return nil // check has refused other kinds
}

// writePermutation writes the importance by permutation that a model stores, and of forests that on
// out-of-bag rows below it.
func (o *command) writePermutation(v *describe.View, p *model.Permutation) error {
	all := make([]training.Importance, len(p.Columns))
	for i, c := range p.Columns {
		all[i] = training.Importance{Column: c.Name, Value: c.Drop, StdError: c.StdError}
	}
	if o.JSONFlag.JSON {
		return o.write(func(out *cli.Console) error { return out.JSON(p) })
	}
	return o.writeImportances(v.Spec, describe.PermutationCaption(p), all, func(c *cli.Console) {
		describe.PrintPermutation(c, p, 0)
		for _, kind := range describe.ReportedKinds(v.Spec) {
			if reported := v.Ranked(kind.Name); kind.Name == training.Permutation &&
				len(reported) > 0 {
				kind.Print(c, reported, 0)
			}
		}
	})
}

// writeImportances writes importances in the requested form: as JSON, as a picture, or what print
// prints.
func (o *command) writeImportances(
	spec *model.Spec, caption plot.ImportanceCaption, all []training.Importance,
	print func(*cli.Console),
) error {
	return o.write(func(out *cli.Console) error {
		switch {
		case o.JSONFlag.JSON:
			return out.JSON(training.Importances{Kind: o.importances, Columns: all})
		case o.format == "svg":
			bars := make([]plot.Bar, len(all))
			for i, a := range all {
				bars[i] = plot.Bar{Name: describe.ColumnName(a), Value: a.Value,
					StdError: a.StdError}
			}
			return plot.Importances(out.Out, spec, caption, bars)
		}
		print(out)
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
	return "show the importances of a `KIND` alone: " +
		strings.Join(describe.ImportanceKinds(), ", ") + "; or kinds side by side: " +
		strings.Join(kindNames(), ",")
}
