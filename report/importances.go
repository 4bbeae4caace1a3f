package report

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
)

// importanceReport is the content of the section about importances: kinds side by side.
type importanceReport struct {
	Kinds    []term
	Features []featureImportance // the most important first
	Notes    []string            // why a kind is left out
}

// featureImportance is what the kinds have for a column, or a combination of columns.
type featureImportance struct {
	Name string
	// by kind; null: the kind has no entry of it
	Values []*number
	Errors []*number // half of the interval of 95 %, where the kind has one
	rank   float64
}

// permutationRepeats is how often each column is permuted.
const permutationRepeats = 5

// shownFeatures is the number of features that tables of importances show first.
const shownFeatures = 15

func (r *importanceReport) parts() []piece {
	all := &grid{Caption: "Importances side by side; lines are intervals of 95 %",
		Columns: []column{{Name: "feature"}}}
	most := make([]number, len(r.Kinds))
	for _, kind := range r.Kinds {
		all.Columns = append(all.Columns, column{Name: kind.Name, Class: "measured", Sort: true})
	}
	for i := range r.Features {
		for k, v := range r.Features[i].Values {
			if v != nil {
				most[k] = max(most[k], *v)
			}
		}
	}
	unused := 0
	for i := range r.Features {
		if f := &r.Features[i]; f.used() {
			all.Rows = append(all.Rows, f.cells(most))
		} else {
			unused++
		}
	}
	few := *all
	few.Rows = few.Rows[:min(shownFeatures, len(few.Rows))]
	parts := []piece{terms(r.Kinds), table(&few)}
	if n := len(all.Rows); n > shownFeatures {
		parts = append(parts, folded(fmt.Sprintf("All %d features", n), table(all)))
	}
	if unused > 0 {
		parts = append(parts, note("%s no importance of any kind.", humanize.Count(unused,
			"other column has", "other columns have")))
	}
	return append(parts, notes(r.Notes)...)
}

func (f *featureImportance) used() bool {
	return slices.ContainsFunc(f.Values, func(v *number) bool { return v != nil && *v != 0 })
}

// cells returns the line of a feature; most is the largest value of each kind.
func (f *featureImportance) cells(most []number) []cell {
	line := []cell{text(f.Name)}
	for k, v := range f.Values {
		switch half := f.Errors[k]; {
		case v == nil:
			line = append(line, cell{Text: "–", Key: "-1e300"})
		case half == nil:
			c := amount(*v, 3)
			c.Inner = gauge(*v, 0, most[k], 0, 0)
			line = append(line, c)
		default:
			c := amount(*v, 3)
			c.Text += " ± " + numberWords(*half, 2)
			c.Inner = gauge(*v, 0, most[k], *v-*half, *v+*half)
			line = append(line, c)
		}
	}
	return line
}

func importancesOf(ctx context.Context, s *subject) (content, error) {
	r := &importanceReport{}
	at := map[string]int{}
	set := func(name string, value, half float64) {
		i, known := at[name]
		if !known {
			i = len(r.Features)
			at[name] = i
			r.Features = append(r.Features, featureImportance{Name: name})
		}
		f := &r.Features[i]
		for len(f.Values) < len(r.Kinds) {
			f.Values, f.Errors = append(f.Values, nil), append(f.Errors, nil)
		}
		v := number(value)
		if last := len(r.Kinds) - 1; f.Values[last] != nil {
			v += *f.Values[last] // parts of one date
		}
		f.Values[len(r.Kinds)-1] = &v
		if half > 0 {
			e := number(half)
			f.Errors[len(r.Kinds)-1] = &e
		}
	}
	r.addSplits(s, set)
	if err := r.addPermutation(ctx, s, set); err != nil {
		return nil, err
	}
	if err := r.addShapley(ctx, s, set); err != nil {
		return nil, err
	}
	if len(r.Kinds) == 0 {
		return nil, missing("Importances: the model stores none, and none can be computed.")
	}
	r.sort()
	return r, nil
}

// addSplits adds the importances by splits: of the trees, else those that training stored.
func (r *importanceReport) addSplits(s *subject, set func(name string, value, half float64)) {
	kind := cmp.Or(s.found.SplitKind, training.Impurity)
	help := "fraction of the decrease of impurity by splits in training"
	if kind == training.Gain {
		help = "fraction of the decrease of the loss by splits in training"
	}
	sources := map[string]string{}
	for i := range s.spec.Schema.Fields {
		f := &s.spec.Schema.Fields[i]
		sources[f.Name] = f.Source()
	}
	all, err := bySplits(s.model)
	if len(all) == 0 {
		if err != errNoTrees {
			r.Notes = append(r.Notes, "Importances by splits: "+err.Error())
		}
		return
	}
	r.Kinds = append(r.Kinds, term{kind, help})
	for _, i := range all {
		set(cmp.Or(sources[i.Feature], i.Feature), i.Value, 0)
	}
}

// bySplits returns the importances of a model of trees by their splits, or those that training
// stored; else the reason why there are none.
func bySplits(m model.Model) ([]explain.Importance, error) {
	var err error = errNoTrees
	if trees, ok := model.AsTrees(m); ok {
		var all []explain.Importance
		if all, err = explain.Impurity(trees); err == nil {
			return all, nil
		}
	}
	var all []explain.Importance
	for _, i := range catalog.Training(m).ImportancesOf(training.Impurity) {
		all = append(all, explain.Importance{Feature: i.Column, Value: i.Fraction})
	}
	return all, err
}

// addPermutation adds the permutation importance on the table, else the one that the model stores.
func (r *importanceReport) addPermutation(
	ctx context.Context, s *subject, set func(name string, value, half float64),
) error {
	p, where := s.spec.Permutation, ""
	if s.sample != nil {
		found, err := explain.Permutation(ctx, s.model, s.data, s.permuted(), explain.PermutationOptions{
			Repeats: permutationRepeats, Seed: s.options.Seed, Workers: s.options.Workers})
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && p == nil:
			r.Notes = append(r.Notes, "Permutation importance: "+err.Error())
		case err == nil:
			p, where = found, "this table"
		}
	}
	if p == nil {
		return nil
	}
	r.Kinds = append(r.Kinds, term{"permutation",
		permutationWords(p, cmp.Or(where, "the "+p.Set+" set"))})
	for _, c := range p.Columns {
		set(c.Name, c.Drop, 1.96*c.StdError)
	}
	return nil
}

// The rows that are permuted: fewer of models that predict slowly.
const (
	permutedLeast  = 1000
	permutedValues = 200_000_000 // of trees: visits of trees
)

// permuted returns the sampled rows that permutation importance is computed on.
func (s *subject) permuted() []int32 {
	predictions := permutationRepeats * len(s.spec.Schema.Fields)
	if s.trees == nil {
		return thinned(s.drawn, s.affordable(predictions))
	}
	values := int64(predictions) * int64(s.model.Outputs()) * int64(len(s.trees.Trees))
	return thinned(s.drawn, int(max(permutedLeast, permutedValues/max(1, values))))
}

func permutationWords(p *model.Permutation, where string) string {
	change := "decrease"
	if !p.Higher {
		change = "increase"
	}
	return fmt.Sprintf("%s of %s when the column is permuted, on %s of %s, mean of %d repeats",
		change, metric.Words(p.Metric), humanize.Count(p.Rows, "row", "rows"), where, p.Repeats)
}

// addShapley adds the mean |Shapley value| of the explained rows.
func (r *importanceReport) addShapley(
	ctx context.Context, s *subject, set func(name string, value, half float64),
) error {
	e, err := s.explain(ctx)
	if absent := (*missingError)(nil); errors.As(err, &absent) {
		if absent != errNoTable && absent != errNotExact {
			r.Notes = append(r.Notes, absent.reason)
		}
		return nil
	}
	if err != nil {
		return err
	}
	r.Kinds = append(r.Kinds, term{"mean |SHAP|", fmt.Sprintf(
		"mean absolute Shapley value over %s, in units of the %s",
		humanize.Count(len(e.rows), "row", "rows"), s.scaleWords())})
	for i := range s.spec.Schema.Fields {
		set(s.spec.Schema.Fields[i].Source(), e.mean[i], 0)
	}
	return nil
}

// sort orders features by the sum of their importances, each kind scaled to its largest.
func (r *importanceReport) sort() {
	largest := make([]float64, len(r.Kinds))
	for i := range r.Features {
		f := &r.Features[i]
		for len(f.Values) < len(r.Kinds) {
			f.Values, f.Errors = append(f.Values, nil), append(f.Errors, nil)
		}
		for k, v := range f.Values {
			if v != nil {
				largest[k] = max(largest[k], float64(*v))
			}
		}
	}
	for i := range r.Features {
		f := &r.Features[i]
		for k, v := range f.Values {
			if v != nil && largest[k] > 0 {
				f.rank += float64(*v) / largest[k]
			}
		}
	}
	slices.SortStableFunc(r.Features,
		func(a, b featureImportance) int { return cmp.Compare(b.rank, a.rank) })
}
