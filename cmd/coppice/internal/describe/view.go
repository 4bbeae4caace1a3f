// Package describe prints what a model is and how good it is: its size, parameters and training,
// its members, the importances of its features, its metrics and confusion matrices. Facts are lines
// of a heading; tables follow it.
//
// It depends on no type of model and no learner. A model describes itself (model.Description), and
// so does the summary of its training (training.Summary); a View is both.
package describe

import (
	"fmt"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
	"github.com/coppice-ml/coppice/tree/draw"
)

// View is what reports print of a model.
type View struct {
	model.Description
	Model    model.Model
	Spec     *model.Spec
	Training *training.Summary // never nil
}

// Of returns the view of a model.
func Of(m model.Model) *View {
	return &View{Description: m.Describe(), Model: m, Spec: m.Spec(), Training: catalog.Training(m)}
}

// SizeFact describes the size of the model, and how a tree was pruned.
func (v *View) SizeFact() cli.Fact {
	text := v.Words
	if v.Training.Pruning != "" && v.Ensemble != nil {
		text += ", " + v.Training.Pruning
	}
	return cli.Fact{Name: v.Title, Text: text}
}

// TrainingFacts reports what training found: boosting rounds, calibration, out-of-bag metrics and
// the like.
func (v *View) TrainingFacts() []cli.Fact {
	var facts []cli.Fact
	for _, f := range slices.Concat(v.Facts, v.Training.Facts) {
		facts = append(facts, cli.Fact(f))
	}
	if v.Training.Settings != nil {
		facts = append(facts, v.SettingsFact())
	}
	named := func(f cli.Fact) bool { return f.Name == "threshold" }
	if v.Spec.Task == data.Anomaly && !slices.ContainsFunc(facts, named) {
		facts = append(facts, cli.Fact{Name: "threshold", Text: training.ThresholdWords(v.Spec)})
	}
	return facts
}

// DerivedFacts lists the derived columns that the trees use besides those of the table.
func (v *View) DerivedFacts() []cli.Fact {
	const listed = 4
	names := v.derivedNames()
	if len(names) == 0 {
		return nil
	}
	text := humanize.Name(strings.Join(names[:min(listed, len(names))], ", "))
	if more := len(names) - listed; more > 0 {
		text += fmt.Sprintf(", and %d more", more)
	}
	return []cli.Fact{{Name: "derived",
		Text: text + "; importances list those of several columns as a combination"}}
}

// derivedNames returns the names of the columns that the model derives from categories.
func (v *View) derivedNames() []string {
	if v.Ensemble == nil {
		return nil
	}
	return v.Ensemble.DerivedNames()
}

// TreeNames are the words of the model's trees.
func (v *View) TreeNames() draw.Names {
	s, features := v.Spec, v.Ensemble.Features()
	if s.Task == data.Anomaly {
		return draw.Names{Schema: features, Label: "path length"} // in units of the usual one
	}
	return draw.Names{Schema: features, Classes: s.Classes, Label: s.Label,
		Impurity: v.Training.Criterion, Costs: s.Decision.Costs}
}

// RowsFor counts the rows for a purpose, and those of weight 0 among them.
func RowsFor(purpose string, rows, weightless int) string {
	text := fmt.Sprintf("%d for %s", rows, purpose)
	if weightless > 0 {
		text += fmt.Sprintf(" (%d of weight 0)", weightless)
	}
	return text
}

// PositiveName names the positive class of a model of two classes; "" for others, and for scores of
// anomalies.
func PositiveName(s *model.Spec) string {
	if at := s.Positive(); at >= 0 && s.Task.Classes() {
		return s.Classes[at]
	}
	return ""
}
