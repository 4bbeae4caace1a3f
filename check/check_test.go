package check_test

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/check"
	"github.com/coppice-ml/coppice/codec/codectest"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/profile"
)

// garden returns a table of columns of every kind with a label, of rows from a number on.
func garden(t testing.TB, rows, from int, seed uint64) *data.Frame {
	t.Helper()
	r := rng.New(seed)
	height, id, day, note, y := make([]float64, rows), make([]float64, rows), make([]float64, rows), make([]uint32, rows), make([]float64, rows)
	kind, label := make([]uint32, rows), make([]uint32, rows)
	for i := range rows {
		height[i] = 10 + normal(r)
		id[i] = float64(from + i)
		day[i] = float64(from+i) * 3600e6
		kind[i], note[i] = uint32(r.Intn(2)), uint32(r.Intn(3))
		label[i] = kind[i]
		if r.Float64() < 0.2 {
			label[i] = 1 - label[i]
		}
		y[i] = float64(kind[i]) + normal(r)
	}
	f, err := data.NewFrame(data.Schema{Fields: []data.Field{{Name: "height"}, {Name: "id"}, {Name: "day", Kind: data.Date},
		{Name: "kind", Kind: data.Categorical, Levels: []string{"fern", "moss"}},
		{Name: "note", Kind: data.Text, Levels: []string{"in the shade", "dry", "wet and cold"}},
		{Name: "alive", Kind: data.Categorical, Levels: []string{"no", "yes"}}}},
		[]data.Column{data.Numbers(height), data.Numbers(id), data.Numbers(day), data.Codes(kind), data.Codes(note), data.Codes(label)})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// grown returns a model of the label of a garden.
func grown(t testing.TB, f *data.Frame, o ...coppice.Option) model.Model {
	t.Helper()
	ds, err := data.Label("alive").Apply(f)
	if err != nil {
		t.Fatal(err)
	}
	l := cart.New()
	l.Depth = 3
	m, err := coppice.Train(context.Background(), l, ds, o...)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func checked(t testing.TB, m model.Model, f *data.Frame) *check.Report {
	t.Helper()
	r, err := check.Run(context.Background(), m, f, check.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// with returns a table in which a column is another one.
func with(f *data.Frame, name string, field data.Field, c data.Column) *data.Frame {
	own := f.Select(allColumns(f))
	at := own.Schema.Index(name)
	own.Schema.Fields = slices.Clone(own.Schema.Fields)
	own.Columns = slices.Clone(own.Columns)
	own.Schema.Fields[at], own.Columns[at] = field, c
	return own
}

func allColumns(f *data.Frame) []int {
	all := make([]int, len(f.Columns))
	for i := range all {
		all[i] = i
	}
	return all
}

// found lists the findings of a report: columns, what was found, and which columns move.
func found(r *check.Report) string {
	var words []string
	for _, c := range slices.Concat(r.Columns, r.Predictions) {
		for _, f := range c.Findings {
			words = append(words, c.Name+" "+string(f.What))
		}
		if c.Moves != "" {
			words = append(words, c.Name+" moves")
		}
	}
	for _, name := range r.Missing {
		words = append(words, name+" absent")
	}
	for _, k := range r.Kinds {
		words = append(words, k.Column+" kind")
	}
	if r.Label != nil && len(r.Label.Findings) > 0 {
		words = append(words, "label")
	}
	slices.Sort(words)
	return strings.Join(words, ", ")
}

const moving = "day moves, id moves"

func TestFindings(t *testing.T) {
	trained, next := garden(t, 1000, 0, 1), garden(t, 1000, 1000, 2)
	m := grown(t, trained)
	numbers := func(change func(i int, v float64) float64) *data.Frame {
		v := slices.Clone(next.Columns[0].Numbers())
		for i := range v {
			v[i] = change(i, v[i])
		}
		return with(next, "height", data.Field{Name: "height"}, data.Numbers(v))
	}
	for _, c := range []struct {
		name  string
		table *data.Frame
		want  string
	}{
		{"no drift", next, moving},
		{"columns in another order", next.Select([]int{5, 4, 3, 2, 1, 0}), moving},
		{"a shift", numbers(func(_ int, v float64) float64 { return v + 0.5 }), moving + ", height drift"},
		{"millimetres", numbers(func(_ int, v float64) float64 { return 1000 * v }), moving + ", height drift, height outside, height scale"},
		{"some missing", numbers(func(i int, v float64) float64 {
			if i%20 == 0 {
				return math.NaN()
			}
			return v
		}), moving + ", height missing"},
		{"all missing", numbers(func(int, float64) float64 { return math.NaN() }), moving + ", height missing"},
		{"some infinite", numbers(func(i int, v float64) float64 {
			if i%20 == 0 {
				return math.Inf(-1)
			}
			return v
		}), moving + ", height infinite"},
		{"some far away", numbers(func(i int, v float64) float64 {
			if i%20 == 0 {
				return 999
			}
			return v
		}), moving + ", height outside"},
		{"a new category", with(next, "kind", data.Field{Name: "kind", Kind: data.Categorical, Levels: []string{"fern", "moss", "oak"}},
			data.Codes(func() []uint32 {
				codes := slices.Clone(next.Columns[3].Codes())
				for i := range 30 {
					codes[20*i] = 2
				}
				return codes
			}())), moving + ", kind new"},
		{"one category", with(next, "kind", next.Schema.Fields[3], data.Codes(make([]uint32, 1000))), moving + ", kind drift"},
		{"a column less", next.Select([]int{1, 2, 3, 4, 5}), moving + ", height absent"},
		{"texts for numbers", with(next, "height", data.Field{Name: "height", Kind: data.Categorical, Levels: []string{"tall"}},
			data.Codes(make([]uint32, 1000))), moving + ", height kind"},
		{"one label", with(next, "alive", next.Schema.Fields[5], data.Codes(make([]uint32, 1000))), moving + ", label"},
		{"one row", next.Subset([]int32{7}), moving},
		{"no row", next.Subset(nil), moving},
	} {
		r := checked(t, m, c.table)
		own := strings.Split(c.want, ", ")
		slices.Sort(own)
		if got := found(r); got != strings.Join(own, ", ") {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		drifted := map[string]bool{}
		for _, column := range r.Columns {
			if len(column.Findings) > 0 {
				drifted[column.Name] = true
			}
		}
		if r.Drifted != len(drifted) || r.Rows != c.table.Rows() || r.Training != 1000 {
			t.Errorf("%s: %d columns of %d rows drifted, training had %d", c.name, r.Drifted, r.Rows, r.Training)
		}
		if _, err := json.Marshal(r); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	scaled := checked(t, m, numbers(func(_ int, v float64) float64 { return v / 1000 })).Columns[0]
	if i := slices.IndexFunc(scaled.Findings, func(f check.Finding) bool { return f.What == check.OtherScale }); i < 0 || scaled.Findings[i].Value != 0.001 {
		t.Errorf("metres: %+v", scaled.Findings)
	}
}

// A model without a profile knows its schema and its categories.
func TestWithoutProfile(t *testing.T) {
	m := grown(t, garden(t, 200, 0, 1), coppice.NoProfile())
	next := garden(t, 200, 0, 2)
	next = with(next, "kind", data.Field{Name: "kind", Kind: data.Categorical, Levels: []string{"oak"}}, data.Codes(make([]uint32, 200)))
	r := checked(t, m, next.Select([]int{1, 2, 3, 4, 5}))
	if found(r) != "height absent" && found(r) != "day moves, height absent" || r.Training != 0 {
		t.Errorf("%s, %d training rows", found(r), r.Training)
	}
	for _, c := range r.Columns {
		if c.Name == "kind" && (c.New != 1 || c.Example != "oak") {
			t.Errorf("new categories: %+v", c)
		}
	}
}

// The report is the same for any blocks and workers, and its metrics are those of package eval.
func TestBlocks(t *testing.T) {
	m := grown(t, garden(t, 300, 0, 1))
	table := garden(t, 300, 100, 3)
	labels := slices.Clone(table.Columns[5].Codes())
	for i := range 40 { // the first rows have no label yet
		labels[i] = data.MissingCode
	}
	table = with(table, "alive", table.Schema.Fields[5], data.Codes(labels))
	m.Spec().Profile.Predictions = []model.ColumnProfile{m.Spec().Profile.Columns[0], m.Spec().Profile.Columns[0]}
	m.Spec().Profile.PredictionRows = m.Spec().Profile.Rows
	whole := checked(t, m, table)
	labeled := data.AllRows(300)[40:]
	ds, err := data.Label("alive").Apply(table.Subset(labeled))
	if err != nil {
		t.Fatal(err)
	}
	want, err := eval.Evaluate(context.Background(), m, ds)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want.Metrics, whole.Evaluation.Metrics); diff != "" || whole.Evaluation.Rows != 260 {
		t.Errorf("%d rows, %s", whole.Evaluation.Rows, diff)
	}
	for i, v := range whole.Intervals {
		if v.Value != want.Metrics[i].Value || v.Low > v.Value || v.High < v.Value || v.Low == v.High {
			t.Errorf("interval %+v of %+v", v, want.Metrics[i])
		}
	}
	if len(whole.Predictions) != 2 || whole.Predictions[0].Findings == nil {
		t.Errorf("predictions %+v: %s", whole.Predictions, whole.Uncompared)
	}
	wanted, err := json.Marshal(whole)
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		c := check.New(m, check.Options{Options: model.Options{Workers: rapid.IntRange(1, 3).Draw(t, "workers")}})
		defer c.Close()
		for rows := range slices.Chunk(data.AllRows(300), rapid.IntRange(7, 300).Draw(t, "block")) {
			if err := c.Add(context.Background(), table.Subset(rows)); err != nil {
				t.Fatal(err)
			}
		}
		r, err := c.Report(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		got, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(wanted), string(got)); diff != "" {
			t.Fatal(diff)
		}
	})
}

// Metrics are compared with those that the model stores, each with its interval.
func TestStoredEvaluation(t *testing.T) {
	m := grown(t, garden(t, 300, 0, 1))
	table := garden(t, 300, 300, 3)
	before := checked(t, m, table)
	loss, _ := before.Evaluation.Metrics.Get("logloss")
	for _, c := range []struct {
		stored float64
		worse  bool
	}{{loss + 0.3, false}, {loss - 0.01, false}, {loss - 0.3, true}} {
		m.Spec().Evaluations = []model.Evaluation{{Origin: model.OfTest, Rows: 100, Positive: "yes",
			Metrics: []model.Evaluated{{Name: "logloss", Value: c.stored, Low: new(c.stored - 0.03), High: new(c.stored + 0.04)},
				{Name: "accuracy", Value: 0.5}}}}
		r := checked(t, m, table)
		if r.Worse != c.worse || len(r.Changes) != 1 || r.Changes[0].Name != "logloss" {
			t.Fatalf("stored %v, now %v: %v, %+v", c.stored, loss, r.Worse, r.Changes)
		}
		at := slices.IndexFunc(r.Intervals, func(i eval.Interval) bool { return i.Name == "logloss" })
		now, change := r.Intervals[at], r.Changes[0]
		low, high := math.Sqrt((loss-now.Low)*(loss-now.Low)+0.04*0.04), math.Sqrt((now.High-loss)*(now.High-loss)+0.03*0.03)
		if math.Abs(change.Value-(loss-c.stored)) > 1e-12 || math.Abs(change.Value-change.Low-low) > 1e-12 || math.Abs(change.High-change.Value-high) > 1e-12 {
			t.Errorf("change %+v of %+v", change, now)
		}
	}
	m.Spec().Evaluations[0].Positive = "no"
	if r := checked(t, m, table); r.Stored != nil || r.Changes != nil {
		t.Errorf("another positive class: %+v", r.Changes)
	}
}

// A check of columns alone predicts nothing.
func TestColumnsOnly(t *testing.T) {
	m, table := grown(t, garden(t, 300, 0, 1)), garden(t, 300, 300, 3)
	m.Spec().Profile.Predictions = []model.ColumnProfile{{Name: "no"}, {Name: "yes"}}
	whole := checked(t, m, table)
	r, err := check.Run(t.Context(), m, table, check.Options{ColumnsOnly: true})
	if err != nil || r.Evaluation != nil || r.Label != nil || r.Predictions != nil || r.Rows != 300 ||
		whole.Evaluation == nil || whole.Label == nil || len(whole.Predictions) != 2 {
		t.Errorf("%v: %+v; whole %+v", err, r, whole)
	}
}

// What cannot be evaluated is a reason, and no error.
func TestNotEvaluated(t *testing.T) {
	m := grown(t, garden(t, 200, 0, 1))
	next := garden(t, 200, 0, 2)
	strange := with(next, "alive", data.Field{Name: "alive", Kind: data.Categorical, Levels: []string{"maybe"}}, data.Codes(make([]uint32, 200)))
	r := checked(t, m, strange)
	if r.Evaluation != nil || !strings.Contains(r.Unevaluated, "maybe") {
		t.Errorf("another class: %q", r.Unevaluated)
	}
	m.Spec().Schema.Fields[0].Missing = data.Refuse
	heights := slices.Clone(next.Columns[0].Numbers())
	heights[199] = math.NaN()
	r = checked(t, m, with(next, "height", data.Field{Name: "height"}, data.Numbers(heights)))
	if r.Evaluation != nil || !strings.Contains(r.Unevaluated, `"height"`) {
		t.Errorf("a missing value that is refused: %q", r.Unevaluated)
	}
	if r = checked(t, m, next.Select([]int{0, 1, 2, 3, 4})); r.Evaluation != nil || r.Unevaluated != "" {
		t.Errorf("no label: %+v %q", r.Evaluation, r.Unevaluated)
	}
	c := check.New(m, check.Options{})
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if err := c.Add(ended, next); err != context.Canceled {
		t.Errorf("a cancelled check: %v", err)
	}
}

// Whatever a file states that is no contradiction, a check ends with a report that can be written.
func TestStrangeProfiles(t *testing.T) {
	numbers := []float64{-math.MaxFloat64, 5e-324, 0, 33, math.MaxFloat64, math.NaN(), math.Inf(1)}
	var x []float64
	for range 20 {
		x = append(x, numbers...)
	}
	f, err := data.FromColumns(data.NamedColumn{Name: "x", Values: x})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []*model.Ensemble{codectest.Profiled(), codectest.Discreet()} {
		for _, rows := range [][]int32{nil, {1}, {5, 5, 5}, data.AllRows(len(x))} {
			if _, err := json.Marshal(checked(t, m, f.Subset(rows))); err != nil {
				t.Errorf("%d rows: %v", len(rows), err)
			}
		}
	}
	far := slices.Repeat([]float64{1e300}, 100)
	f, err = data.FromColumns(data.NamedColumn{Name: "x", Values: far})
	if err != nil {
		t.Fatal(err)
	}
	if r := checked(t, profiled(f, profile.Options{}), f); r.Drifted > 0 {
		t.Errorf("large numbers: %+v", r.Columns)
	}
}

// A category that a few training rows have alone is expected to have company elsewhere.
func TestRareCategoriesAreExpected(t *testing.T) {
	r := rng.New(9)
	names := make([]string, 2000)
	for i := range names {
		names[i] = "n" + string(rune('A'+i%26)) + strings.Repeat("x", i/26)
	}
	column := func() *data.Frame {
		codes := make([]uint32, 1000)
		for i := range codes {
			codes[i] = uint32(r.Intn(len(names)))
		}
		f, err := data.NewFrame(data.Schema{Fields: []data.Field{{Name: "c", Kind: data.Categorical, Levels: names}}}, []data.Column{data.Codes(codes)})
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	m := profiled(column(), profile.Options{})
	if report := checked(t, m, column()); report.Drifted > 0 || report.Columns[0].New < 0.5 {
		t.Errorf("%+v", report.Columns[0])
	}
}
