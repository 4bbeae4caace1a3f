package explain_test

import (
	"context"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/datatest"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/model"
)

// mixedRows are those that are explained.
var mixedRows = []int32{0, 17, 23, 40, 55, 100}

// explainers are the functions that take a table, by name, with what they return for rows of one.
// ds has the labels.
func explainers() map[string]func(
	ctx context.Context, m model.Model, f *data.Frame, ds *data.Dataset,
) (any, error) {
	effects := explain.EffectOptions{Points: 4}
	some := func(f *data.Frame) *data.Frame { return f.Subset([]int32{1, 2, 3, 17, 60, 99}) }
	return map[string]func(context.Context, model.Model, *data.Frame, *data.Dataset) (any, error){
		"Shapley": func(ctx context.Context, m model.Model, f *data.Frame, _ *data.Dataset) (any, error) {
			return explain.Shapley(ctx, m, f, mixedRows, explain.ShapleyOptions{Background: some(f)})
		},
		"Interactions": func(ctx context.Context, m model.Model, f *data.Frame, _ *data.Dataset) (any, error) {
			return explain.Interactions(ctx, m, f, mixedRows, explain.ShapleyOptions{Background: some(f)})
		},
		"NewShapleyExplainer": func(ctx context.Context, m model.Model, f *data.Frame, _ *data.Dataset) (any, error) {
			x, err := explain.NewShapleyExplainer(ctx, m, &f.Schema,
				explain.ShapleyOptions{Background: some(f)})
			if err != nil {
				return nil, err
			}
			dst := make([]float64, x.Scores*len(x.Features))
			return dst, x.Row(dst, valuesOf(f, 17))
		},
		"NewReasons": func(ctx context.Context, m model.Model, f *data.Frame, _ *data.Dataset) (any, error) {
			r, err := explain.NewReasons(ctx, m, &f.Schema, explain.ReasonOptions{
				ShapleyOptions: explain.ShapleyOptions{Background: some(f)}})
			if err != nil {
				return nil, err
			}
			return r.Table(ctx, f, mixedRows, 3)
		},
		"Sampled": func(ctx context.Context, m model.Model, f *data.Frame, _ *data.Dataset) (any, error) {
			return explain.Sampled(ctx, m, f, mixedRows,
				explain.SampledOptions{Background: some(f), Samples: 3})
		},
		"PartialDependence": func(ctx context.Context, m model.Model, f *data.Frame, _ *data.Dataset) (any, error) {
			return eachColumn(func(columns ...string) (any, error) {
				return explain.PartialDependence(ctx, m, f, nil, columns, effects)
			}, "day", "day.days", "seen.hour", "note.words", "kind", "price", "open", "day+price")
		},
		"AccumulatedEffects": func(ctx context.Context, m model.Model, f *data.Frame, _ *data.Dataset) (any, error) {
			return eachColumn(func(columns ...string) (any, error) {
				return explain.AccumulatedEffects(ctx, m, f, nil, columns, effects)
			}, "seen", "day", "day.days", "seen.hour", "kind", "price", "open", "day+price")
		},
		"Interaction": func(ctx context.Context, m model.Model, f *data.Frame, _ *data.Dataset) (any, error) {
			return explain.Interaction(ctx, m, f, mixedRows,
				[]string{"day", "seen.days", "kind", "note.words"}, effects)
		},
		"Counterfactual": func(ctx context.Context, m model.Model, f *data.Frame, _ *data.Dataset) (any, error) {
			o := explain.CounterfactualOptions{Fix: []string{"day", "seen.hour", "open", "kind"}, Like: some(f)}
			if low := -1e9; !m.Spec().Labels() {
				o.Below = &low
			}
			return explain.Counterfactual(ctx, m, f, 17, o)
		},
		"NewProximities": func(ctx context.Context, m model.Model, f *data.Frame, _ *data.Dataset) (any, error) {
			p, err := explain.NewProximities(ctx, m, f, mixedRows, explain.ProximityOptions{})
			if err != nil {
				return nil, err
			}
			return p.Neighbours(ctx, 2)
		},
		"Relabel": func(ctx context.Context, m model.Model, f *data.Frame, _ *data.Dataset) (any, error) {
			ds, err := explain.Relabel(ctx, m, f, 1)
			if err != nil {
				return nil, err
			}
			return [2]any{ds.Schema.Names(), ds.Target}, nil
		},
		"Features": func(_ context.Context, m model.Model, f *data.Frame, _ *data.Dataset) (any, error) {
			f, err := explain.Features(m, f)
			return f.Schema.Names(), err
		},
		"Permutation": func(ctx context.Context, m model.Model, f *data.Frame, ds *data.Dataset) (any, error) {
			own := *ds
			own.Frame = f
			return explain.Permutation(ctx, m, &own, nil, explain.PermutationOptions{Repeats: 2})
		},
	}
}

// valuesOf returns the values of a row as model.Predictor.PredictRow takes them.
func valuesOf(f *data.Frame, row int) []float64 {
	var values []float64
	for i := range f.Columns {
		c := &f.Columns[i]
		switch {
		case c.Codes() == nil:
			values = append(values, c.Number(row))
		case c.Code(row) == data.MissingCode:
			values = append(values, math.NaN())
		default:
			values = append(values, float64(c.Code(row)))
		}
	}
	return values
}

// eachColumn calls a function for columns, or for several that are joined by +.
func eachColumn(of func(columns ...string) (any, error), columns ...string) (any, error) {
	var all []any
	for _, name := range columns {
		found, err := of(strings.Split(name, "+")...)
		if err != nil {
			return nil, err
		}
		all = append(all, found)
	}
	return all, nil
}

// TestExplainersTakeTablesAsRead: each explainer has the same result for a table as it was read,
// with dates and texts, and for the same table expanded. Models of kinds that it refuses are
// refused for both.
func TestExplainersTakeTablesAsRead(t *testing.T) {
	for _, x := range []struct{ learner, label string }{{"gbm", "bought"}, {"gbm", "sales"},
		{"cart", "left"}, {"forest", "size"}, {"linear", "sales"}, {"knn", "bought"}} {
		f, ds := datatest.ReadMixed(t, x.label)
		l, err := catalog.New(x.learner)
		if err != nil {
			t.Fatal(err)
		}
		m := fitted(t, l, ds, data.AllRows(ds.Rows()))
		for name, explainer := range explainers() {
			t.Run(x.learner+"/"+x.label+"/"+name, func(t *testing.T) {
				read, err := explainer(t.Context(), m, f, ds)
				expanded, other := explainer(t.Context(), m, ds.Frame, ds)
				switch kind := (*explain.ModelError)(nil); {
				case (err == nil) != (other == nil):
					t.Fatalf("as read: %v; expanded: %v", err, other)
				case errors.As(err, &kind), err != nil && strings.Contains(err.Error(), "no leaves"):
					return // refused, by its kind
				case err != nil:
					t.Fatal(err)
				}
				if diff := cmp.Diff(asJSON(t, expanded), asJSON(t, read)); diff != "" {
					t.Errorf("as read it differs (-expanded +read):\n%.2000s", diff)
				}
			})
		}
	}
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestAllExplainersAreTested: each function that takes a model and a table is one of explainers.
func TestAllExplainersAreTested(t *testing.T) {
	paths, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	table := explainers()
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || !f.Name.IsExported() || f.Recv != nil {
				continue
			}
			takes := slices.ContainsFunc(f.Type.Params.List, func(p *ast.Field) bool {
				star, ok := p.Type.(*ast.StarExpr)
				if !ok {
					return false
				}
				s, ok := star.X.(*ast.SelectorExpr)
				return ok && slices.Contains([]string{"Frame", "Dataset", "Schema"}, s.Sel.Name)
			})
			if takes && table[f.Name.Name] == nil {
				t.Errorf("%s: the explainer %s is not among explainers()", path, f.Name.Name)
			}
		}
	}
}

// TestEffectsOfDates: dates are replaced by all of their parts, and axes have them as people write
// them.
func TestEffectsOfDates(t *testing.T) {
	f, ds := datatest.ReadMixed(t, "sales")
	l, err := catalog.New("gbm")
	if err != nil {
		t.Fatal(err)
	}
	m := fitted(t, l, ds, data.AllRows(ds.Rows()))
	d, err := explain.PartialDependence(t.Context(), m, f, nil, []string{"day"},
		explain.EffectOptions{Points: 4})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(d.Axes[0].Dates, " "); got != "2024-01-14 2024-03-13 2024-05-11 2024-07-09" {
		t.Errorf("dates %s", got)
	}
	// By hand: all rows have the date.
	p, err := m.Bind(&f.Schema, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, micros := range d.Axes[0].Values {
		g := *f
		g.Columns = slices.Clone(f.Columns)
		g.Columns[f.Schema.Index("day")] = data.Numbers(slices.Repeat([]float64{micros}, f.Rows()))
		all := make([]float64, f.Rows())
		if err := p.Predict(all, &g, nil); err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for _, v := range all {
			sum += v
		}
		if mean := sum / float64(len(all)); math.Abs(mean-d.At(i, 0)[0]) > 1e-9 {
			t.Errorf("%s: %v, by hand %v", d.Axes[0].Text(i), d.At(i, 0)[0], mean)
		}
	}
	var parts *explain.PartsError
	_, err = explain.PartialDependence(t.Context(), m, f, nil, []string{"note"}, explain.EffectOptions{})
	if !errors.As(err, &parts) || parts.Parts[0] != "note.words" {
		t.Errorf("a text: %v", err)
	}
	_, err = explain.PartialDependence(t.Context(), m, f, nil, []string{"day", "day.days"},
		explain.EffectOptions{})
	if err == nil || !strings.Contains(err.Error(), "same dates") {
		t.Errorf("a date and its part: %v", err)
	}
}
