package explain_test

import (
	"context"
	"errors"
	"math"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/internal/input"
	"github.com/coppice-ml/coppice/internal/models/dense"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/learn/learntest"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
	"github.com/coppice-ml/coppice/tree/treetest"
)

// fourColumns is a table of two columns of numbers, or of categories if these are needed, and two
// of categories. The last has many.
func fourColumns(task data.Task, needs learn.Needs) *data.Dataset {
	const rows = 240
	s := rng.New(29)
	fields := make([]data.Field, 4)
	for j, levels := range []int{0, 0, 4, 15} {
		fields[j].Name = string(rune('a' + j))
		if needs.Categorical {
			levels = max(levels, 8)
		}
		for c := range levels {
			fields[j].Kind = data.Categorical
			fields[j].Levels = append(fields[j].Levels, string(rune('A'+c)))
		}
	}
	target := data.Target{Name: "y", Task: task, Y: [][]float64{make([]float64, rows)}}
	target.Class = make([]uint32, rows)
	numbers, codes := make([][]float64, 4), make([][]uint32, 4)
	for r := range rows {
		effect := 0.0
		for j := range fields {
			x := s.Intn(max(8, len(fields[j].Levels)))
			x %= max(8*(1-min(1, len(fields[j].Levels))), len(fields[j].Levels))
			effect += float64((x*x*(j+3)%7)*(x%(j+2)+1)) / 6
			numbers[j], codes[j] = append(numbers[j], float64(x)), append(codes[j], uint32(x))
			if !needs.Complete && s.Intn(12) == 0 {
				numbers[j][r], codes[j][r] = math.NaN(), data.MissingCode
			}
		}
		target.Y[0][r] = effect + s.Float64()
		target.Class[r] = uint32(min(2, int(effect)/4))
		if task == data.Binary {
			target.Class[r] = uint32(min(1, int(effect)/5))
		}
	}
	columns := make([]data.Column, 4)
	for j := range fields {
		columns[j] = data.Codes(codes[j])
		if fields[j].Kind == data.Numeric {
			columns[j] = data.Numbers(numbers[j])
		}
	}
	if task == data.Regression || task == data.Survival {
		target.Class = nil
	} else {
		target.Y, target.Classes = nil, []string{"no", "maybe", "yes"}
		if task == data.Binary {
			target.Classes = []string{"no", "yes"}
		}
	}
	if needs.Unsupervised {
		target = data.Target{}
	}
	f, err := data.NewFrame(data.Schema{Fields: fields}, columns)
	if err != nil {
		panic(err) // the columns are as long as each other
	}
	return &data.Dataset{Frame: f, Target: target}
}

// raw returns the raw scores of a table.
func raw(t *testing.T, m model.Model, f *data.Frame) (scores []float64, width int) {
	t.Helper()
	bound, err := m.Bind(&f.Schema, model.Options{Output: model.Raw})
	if err != nil {
		t.Fatal(err)
	}
	scores = make([]float64, f.Rows()*bound.Width())
	if err := bound.Predict(scores, f, nil); err != nil {
		t.Fatal(err)
	}
	if m.Spec().Task == data.Anomaly { // contributions point towards anomalies, whose paths are short
		for i := range scores {
			scores[i] = -scores[i]
		}
	}
	return scores, bound.Width()
}

// The models of all learners are explained, or refused with an error that names the reason.
// Contributions add up to the scores, and with a background they are those of the definition.
func TestShapleyOfLearners(t *testing.T) {
	tier.NotShort(t, "explains a model of each learner")
	for _, entry := range catalog.Table() {
		needs := entry.New().Capabilities().Needs
		for _, task := range []data.Task{data.Binary, data.Multiclass, data.Regression, data.Survival} {
			if task == data.Regression && needs.Classes || task != data.Binary && needs.Unsupervised ||
				needs.Survival != (task == data.Survival) {
				continue
			}
			t.Run(entry.Name+"/"+task.String(), func(t *testing.T) {
				ds := fourColumns(task, needs)
				m, f := fitted(t, learntest.Small(entry.New()), ds, data.AllRows(ds.Rows())), ds.Frame
				switch m.(type) {
				case *model.Ensemble, *dense.Linear:
					if !explain.IsExact(m) {
						t.Error("the values are not exact")
					}
				default:
					if !explain.IsExact(m) {
						refused(t, m, f)
						return
					}
				}
				addsUp(t, m, f, explain.ShapleyOptions{})
				o := explain.ShapleyOptions{Background: f.Subset(data.AllRows(f.Rows())[:30])}
				addsUp(t, m, f, o)
				addsUp(t, m, f.Subset([]int32{7, 8, 9}), o)
				byDefinition(t, m, f.Subset([]int32{50, 60, 70}), o)
			})
		}
	}
}

// Models whose nodes and columns only rows of mixed values explain have the contributions of the
// definition too: derived columns, surrogate splits, rows that are divided or stop, splits on
// several columns, equations in leaves, weights of trees, vectors.
func TestShapleyOfAllNodes(t *testing.T) {
	for _, c := range []struct {
		learner  string
		task     data.Task
		settings []string
		has      func(m *model.Ensemble) bool
	}{
		{"gbm", data.Binary, []string{"categories=both", "ts_combine=2"},
			func(m *model.Ensemble) bool {
				return slices.ContainsFunc(m.Inputs.Tables, func(t input.Table) bool {
					return len(t.Source) == 2
				})
			}},
		{"gbm", data.Regression, []string{"linear_tree=true"}, someTree(func(t *tree.Tree) bool {
			return t.Leaf.Linear != nil
		})},
		{"gbm", data.Multiclass, []string{"boosting=dart"},
			func(m *model.Ensemble) bool { return m.Weights != nil }},
		{"gbm", data.Binary, []string{"growth=symmetric", "compat=catboost"},
			someTree(func(t *tree.Tree) bool { return slices.Contains(t.Stats.Rows, 0) })},
		{"cart", data.Binary, []string{"missing=surrogate"}, someTree(func(t *tree.Tree) bool {
			return t.Surrogates != nil
		})},
		{"cart", data.Regression, []string{"missing=fractional"}, missing(tree.MissingFractional)},
		{"cart", data.Multiclass, []string{"missing=stop"}, missing(tree.MissingStop)},
		{"cart", data.Regression, []string{"splits=oblique", "directions=20", "prune=none"},
			someTree(func(t *tree.Tree) bool { return t.Dirs != nil })},
	} {
		t.Run(c.learner+"/"+c.settings[0], func(t *testing.T) {
			entry, err := catalog.Find(c.learner)
			if err != nil {
				t.Fatal(err)
			}
			ds := fourColumns(c.task, learn.Needs{})
			all := data.AllRows(ds.Rows())
			m := fitted(t, entry.New(), ds, all, c.settings...).(*model.Ensemble)
			if !c.has(m) {
				t.Fatal("the model has nothing of the kind")
			}
			f, o := ds.Frame, explain.ShapleyOptions{Background: ds.Frame.Subset(data.AllRows(30))}
			several := slices.ContainsFunc(explain.Divided(m), func(name string) bool {
				return strings.Contains(name, "+")
			})
			if several != slices.Contains(c.settings, "ts_combine=2") {
				t.Errorf("columns of several: %v", explain.Divided(m))
			}
			addsUp(t, m, f, o)
			byDefinition(t, m, f.Subset([]int32{50, 60, 70}), o)
			checkMatrices(t, c.settings[0], m, f.Subset([]int32{50, 60, 70}), nil, o)
		})
	}
}

// someTree returns what reports whether a model has a tree of a kind.
func someTree(is func(t *tree.Tree) bool) func(m *model.Ensemble) bool {
	return func(m *model.Ensemble) bool { return slices.ContainsFunc(m.Trees, is) }
}

// missing returns what reports whether a model has a node with a rule for missing values.
func missing(rule tree.Missing) func(m *model.Ensemble) bool {
	return someTree(func(t *tree.Tree) bool {
		_, rules := treetest.Kinds(t)
		return slices.Contains(rules, rule)
	})
}

// refused checks that a model has an error that names its learner.
func refused(t *testing.T, m model.Model, f *data.Frame) {
	t.Helper()
	var unfit *explain.ModelError
	_, err := explain.Shapley(context.Background(), m, f, nil, explain.ShapleyOptions{})
	if !errors.As(err, &unfit) || unfit.Learner != m.Spec().Learner {
		t.Errorf("a model of another kind: %v", err)
	}
	_, err = explain.NewShapleyExplainer(context.Background(), m, &f.Schema,
		explain.ShapleyOptions{})
	if !errors.As(err, &unfit) {
		t.Errorf("an explainer of a model of another kind: %v", err)
	}
}

// addsUp compares the sums of contributions and bias with the raw scores.
func addsUp(t *testing.T, m model.Model, f *data.Frame, o explain.ShapleyOptions) {
	t.Helper()
	got, err := explain.Shapley(context.Background(), m, f, nil, o)
	var refused *explain.NotCoveredError
	if o.Background == nil && errors.As(err, &refused) {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	sameRowByRow(t, m, f, o, got)
	scores, width := raw(t, m, f)
	for i, want := range scores {
		sum, size := got.Bias[i%width], 0.0
		for _, v := range got.Row(i/width, i%width) {
			sum, size = sum+v, size+math.Abs(v)
		}
		if math.Abs(sum-want) > 1e-9*max(1, size) {
			t.Fatalf("row %d, score %d: contributions add up to %v, the score is %v", i/width,
				i%width, sum, want)
		}
	}
}

// sameRowByRow compares contributions with those of an explainer of single rows.
func sameRowByRow(
	t *testing.T, m model.Model, f *data.Frame, o explain.ShapleyOptions,
	want *explain.Contributions,
) {
	t.Helper()
	x, err := explain.NewShapleyExplainer(context.Background(), m, &f.Schema, o)
	if err != nil {
		t.Fatal(err)
	}
	size := x.Scores * len(x.Features)
	got, values := make([]float64, size), make([]float64, len(f.Columns))
	for r := range min(f.Rows(), 20) {
		for j := range values {
			if c := &f.Columns[j]; c.Codes() == nil {
				values[j] = c.Number(r)
			} else if values[j] = float64(c.Code(r)); f.IsMissing(r, j) {
				values[j] = math.NaN()
			}
		}
		if err := x.Row(got, values); err != nil {
			t.Fatal(err)
		}
		sum := 1.0
		for _, v := range got {
			sum += math.Abs(v)
		}
		for i, v := range got {
			if w := want.Values[r*size+i]; math.Abs(v-w) > 1e-12*sum {
				t.Fatalf("row %d, value %d: %v alone, %v of a table", r, i, v, w)
			}
		}
	}
}

// byDefinition compares contributions with the definition, by predictions for rows of mixed values.
func byDefinition(t *testing.T, m model.Model, f *data.Frame, o explain.ShapleyOptions) {
	t.Helper()
	got, err := explain.Shapley(context.Background(), m, f, nil, o)
	if err != nil {
		t.Fatal(err)
	}
	n, background := len(f.Columns), o.Background.Rows()
	weight := []float64{1. / 4, 1. / 12, 1. / 12, 1. / 4} // of sets of so many others, of 4 columns
	for r := range f.Rows() {
		worth := make([][]float64, 1<<n)
		for set := range worth {
			mixed := o.Background.Subset(data.AllRows(background))
			for j := range n {
				for b := range background {
					if set>>j&1 == 0 {
						continue
					}
					if codes := mixed.Columns[j].Codes(); codes != nil {
						codes[b] = f.Columns[j].Code(r)
					} else {
						mixed.Columns[j].Numbers()[b] = f.Columns[j].Number(r)
					}
				}
			}
			scores, width := raw(t, m, mixed)
			worth[set] = make([]float64, width)
			for i, v := range scores {
				worth[set][i%width] += v / float64(background)
			}
		}
		for k := range worth[0] {
			for j, v := range got.Row(r, k) {
				want, size := 0.0, 1.0
				for set := range worth {
					if set>>j&1 == 0 {
						w := weight[bits.OnesCount(uint(set))]
						want += w * (worth[set|1<<j][k] - worth[set][k])
						size = max(size, math.Abs(worth[set][k]))
					}
				}
				if math.Abs(v-want) > 1e-11*size {
					t.Fatalf("row %d, score %d, column %d: %v, want %v", r, k, j, v, want)
				}
			}
		}
	}
}
