package model_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/modeltest"
	"github.com/coppice-ml/coppice/tree"
)

// classifier is one tree over job (categorical) and x: job in {clerk} first, else x <= 1.
func classifier(t *testing.T) *model.Ensemble {
	t.Helper()
	b := tree.NewBuilder(tree.Counts, 2, false)
	b.Split(0, tree.Split{Kind: tree.SetFirst, Feature: 1, Set: []uint64{1}, Missing: tree.MissingFirst})
	b.Split(2, tree.Split{Kind: tree.Numeric, Feature: 2, SplitPoint: 1, Missing: tree.MissingLast})
	for n, v := range [][]float64{{4, 4}, {3, 1}, {1, 3}, {1, 1}, {0, 2}} {
		b.SetValue(int32(n), v)
	}
	grown, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	m := &model.Ensemble{Trees: []*tree.Tree{grown}, Combine: model.Mean, Meta: model.Spec{Task: data.Binary, Classes: []string{"no", "yes"},
		Schema: data.Schema{Fields: []data.Field{{Name: "unused"}, {Name: "job", Kind: data.Categorical, Levels: []string{"clerk", "smith"}}, {Name: "x"}}}}}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	return m
}

// shuffled is a table with other positions, other dictionary and one more column.
func shuffled(t *testing.T) *data.Frame {
	t.Helper()
	f, err := data.NewFrame(data.Schema{Fields: []data.Field{
		{Name: "x"}, {Name: "more"}, {Name: "unused"}, {Name: "job", Kind: data.Categorical, Levels: []string{"baker", "clerk", "smith"}}}},
		[]data.Column{data.Numbers([]float64{0, 0, 5, math.NaN(), 0, 5}), data.Numbers(make([]float64, 6)), data.Numbers(make([]float64, 6)),
			data.Codes([]uint32{1, 2, 2, 2, 0, data.MissingCode})})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func predict(t *testing.T, m model.Model, f *data.Frame, o model.Options) []float64 {
	t.Helper()
	return modeltest.Predict(t, m, f, o, nil)
}

// TestByName: columns are matched by name, categories by text, whatever their positions and codes.
func TestByName(t *testing.T) {
	m, f := classifier(t), shuffled(t)
	for out, want := range map[model.Output][]float64{
		//               clerk     smith 0   smith 5  smith -  baker 0   - 5
		model.Response: {.75, .25, .5, .5, 0, 1, 0, 1, .5, .5, .75, .25},
		model.Label:    {0, 0, 1, 1, 0, 0},
		model.Leaf:     {1, 3, 4, 4, 3, 1},
	} {
		if got := predict(t, m, f, model.Options{Output: out}); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", out, got, want)
		}
	}
	p, err := m.Bind(&f.Schema, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	nan := math.NaN()
	for _, c := range []struct {
		row  []float64
		want float64
	}{
		{[]float64{0, nan, nan, 1}, .25}, {[]float64{5, 0, 0, 2}, 1}, {[]float64{0, 0, 0, -1}, .5}, {[]float64{9, 0, 0, nan}, .25},
	} {
		dst := make([]float64, 2)
		if err := p.PredictRow(dst, c.row); err != nil || dst[1] != c.want {
			t.Errorf("row %v: %v, %v, want %g", c.row, dst, err, c.want)
		}
	}
}

// With costs the label is the class of least expected cost; probabilities stay the same.
func TestLabelByCost(t *testing.T) {
	m, f := classifier(t), shuffled(t)
	m.Meta.Decision.Costs = data.Costs{{0, 1}, {4, 0}}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	if got := predict(t, m, f, model.Options{Output: model.Label}); !slices.Equal(got, []float64{1, 1, 1, 1, 1, 1}) {
		t.Errorf("labels %v", got)
	}
	if got := predict(t, m, f, model.Options{}); got[0] != 0.75 {
		t.Errorf("probabilities %v", got)
	}
	m.Meta.Decision.Costs[1][0] = -1
	if err := m.Validate(); err == nil {
		t.Error("a negative cost is valid")
	}
}

// A threshold decides between two classes whatever the costs, and between what is normal and what
// is none by a score.
func TestLabelByThreshold(t *testing.T) {
	m, f := classifier(t), shuffled(t)
	m.Meta.Decision = model.Decision{Costs: data.Costs{{0, 1}, {4, 0}}, Threshold: 0.5}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	if got := predict(t, m, f, model.Options{Output: model.Label}); !slices.Equal(got, []float64{0, 0, 1, 1, 0, 0}) {
		t.Errorf("labels %v", got)
	}
	leaf := tree.NewBuilder(tree.Scalar, 1, false)
	first := leaf.Split(0, tree.Split{Kind: tree.Numeric, Feature: 2, SplitPoint: 1})
	leaf.SetValue(first, []float64{2})
	leaf.SetValue(first+1, []float64{1})
	grown, err := leaf.Build()
	if err != nil {
		t.Fatal(err)
	}
	m = &model.Ensemble{Trees: []*tree.Tree{grown}, Link: link.Halving(), Meta: m.Meta}
	m.Meta.Task, m.Meta.Decision = data.Anomaly, model.Decision{Threshold: 0.25}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	for out, want := range map[model.Output][]float64{
		model.Response: {.25, .25, .5, .25, .25, .5}, model.Raw: {2, 2, 1, 2, 2, 1}, model.Label: {0, 0, 1, 0, 0, 1}, model.Leaf: {1, 1, 2, 1, 1, 2},
	} {
		if got := predict(t, m, f, model.Options{Output: out}); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", out, got, want)
		}
	}
}

func TestValidateDecision(t *testing.T) {
	for want, s := range map[string]model.Spec{
		"a model of anomalies needs a threshold between two classes, and no costs": {Task: data.Anomaly, Classes: []string{"normal", "anomaly"}},
		"a threshold between 3 classes, want 2":                                    {Task: data.Multiclass, Classes: []string{"a", "b", "c"}, Decision: model.Decision{Threshold: 1}},
		"threshold NaN: want a number from 0 up":                                   {Task: data.Binary, Classes: []string{"a", "b"}, Decision: model.Decision{Threshold: math.NaN()}},
		"threshold +Inf: want a number from 0 up":                                  {Task: data.Anomaly, Classes: []string{"a", "b"}, Decision: model.Decision{Threshold: math.Inf(1)}},
		"a positive class of multiclass with 3 classes, want two classes":          {Task: data.Multiclass, Classes: []string{"a", "b", "c"}, Decision: model.Decision{FirstPositive: true}},
		"a positive class of anomaly with 2 classes, want two classes":             {Task: data.Anomaly, Classes: []string{"a", "b"}, Decision: model.Decision{Threshold: 1, FirstPositive: true}},
		"a classification model without classes":                                   {Task: data.Binary},
	} {
		if err := s.Validate(); err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

func TestBindRefuses(t *testing.T) {
	m := classifier(t)
	var missing *model.MissingColumnError
	if _, err := m.Bind(&data.Schema{Fields: []data.Field{{Name: "x"}}}, model.Options{}); !errors.As(err, &missing) || missing.Column != "unused" {
		t.Errorf("error %v, want the missing column", err)
	}
	var kind *model.KindError
	if _, err := m.Bind(&data.Schema{Fields: []data.Field{{Name: "unused"}, {Name: "job"}, {Name: "x"}}}, model.Options{}); !errors.As(err, &kind) || kind.Column != "job" {
		t.Errorf("error %v, want the kind of job", err)
	}
	f := shuffled(t)
	p, err := m.Bind(&f.Schema, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var size *model.SizeError
	if err := p.Predict(make([]float64, 3), f, nil); !errors.As(err, &size) {
		t.Errorf("error %v, want the size", err)
	}
	if err := p.PredictRow(make([]float64, 2), []float64{1}); !errors.As(err, &size) {
		t.Errorf("error %v, want the size", err)
	}
}

// TestPolicies: what the schema refuses is an error that names the first such row, also for columns
// that no tree uses.
func TestPolicies(t *testing.T) {
	f := shuffled(t)
	for _, c := range []struct {
		field int
		set   func(*data.Field)
		row   int
		what  string
	}{
		{2, func(f *data.Field) { f.Missing = data.Refuse }, 3, "missing value"},
		{1, func(f *data.Field) { f.Missing = data.Refuse }, 5, "missing value"},
		{1, func(f *data.Field) { f.Unseen = data.Refuse }, 4, "category never seen in training"},
	} {
		m := classifier(t)
		c.set(&m.Meta.Schema.Fields[c.field])
		p, err := m.Bind(&f.Schema, model.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var refused *model.ValueError
		err = p.Predict(make([]float64, 12), f, nil)
		if !errors.As(err, &refused) || refused.Row != c.row || refused.What != c.what || refused.Column != m.Meta.Schema.Fields[c.field].Name {
			t.Errorf("error %v, want %s in row %d", err, c.what, c.row)
		}
	}
	m := classifier(t)
	m.Meta.Schema.Fields[0].Missing = data.Refuse
	g, err := data.FromRows([][]float64{{math.NaN(), 1}}, []string{"unused", "x"})
	if err != nil {
		t.Fatal(err)
	}
	g.Schema.Fields = append(g.Schema.Fields, m.Meta.Schema.Fields[1])
	g.Columns = append(g.Columns, data.Codes([]uint32{0}))
	p, err := m.Bind(&g.Schema, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Predict(make([]float64, 2), g, nil); err == nil {
		t.Error("a missing value in an unused column was not refused")
	}
}

// TestBoosted: weights, bias, outputs and link of a sum of trees, and its first rounds alone.
func TestBoosted(t *testing.T) {
	leaf := func(v float64) *tree.Tree {
		b := tree.NewBuilder(tree.Scalar, 1, false)
		b.SetValue(0, []float64{v})
		grown, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		return grown
	}
	logistic, err := link.ByName("softmax")
	if err != nil {
		t.Fatal(err)
	}
	m := &model.Ensemble{Trees: []*tree.Tree{leaf(1), leaf(2), leaf(4), leaf(8)}, Output: []int32{0, 1, 0, 1}, Weights: []float64{1, 1, 0.5, 0.25},
		Bias: []float64{0.5, -1}, Link: logistic, Meta: model.Spec{Task: data.Binary, Classes: []string{"a", "b"}}}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	f, err := data.FromRows([][]float64{{1}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := predict(t, m, f, model.Options{Output: model.Raw}); !slices.Equal(got, []float64{0.5 + 1 + 2, -1 + 2 + 2}) {
		t.Errorf("raw %v", got)
	}
	if got := predict(t, m, f, model.Options{Output: model.Raw, Rounds: 1}); !slices.Equal(got, []float64{1.5, 1}) {
		t.Errorf("raw after one round %v", got)
	}
	want := 1 / (1 + math.Exp(-0.5))
	if got := predict(t, m, f, model.Options{}); math.Abs(got[0]-want) > 1e-15 || math.Abs(got[0]+got[1]-1) > 1e-15 {
		t.Errorf("response %v, want %g", got, want)
	}
	m.Combine, m.Weights, m.Output, m.Bias, m.Meta.Task, m.Link = model.Mean, []float64{1, 1, 1, 5}, nil, nil, data.Regression, nil
	if got := predict(t, m, f, model.Options{}); got[0] != (1+2+4+40)/8. {
		t.Errorf("weighted mean %v", got)
	}
}

// TestWorkers: many rows in blocks give what single rows give, for any number of workers.
func TestWorkers(t *testing.T) {
	m := classifier(t)
	var rows [][]float64
	for i := range 7000 {
		rows = append(rows, []float64{float64(i % 3), float64(i % 5)})
	}
	f, err := data.FromRows(rows, []string{"unused", "x"})
	if err != nil {
		t.Fatal(err)
	}
	f.Schema.Fields = append(f.Schema.Fields, m.Meta.Schema.Fields[1])
	codes := make([]uint32, 7000)
	for i := range codes {
		codes[i] = uint32(i % 2)
	}
	f.Columns = append(f.Columns, data.Codes(codes))
	p, err := m.Bind(&f.Schema, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var single []float64
	for i := range rows {
		dst := make([]float64, 2)
		if err := p.PredictRow(dst, append(slices.Clone(rows[i]), float64(codes[i]))); err != nil {
			t.Fatal(err)
		}
		single = append(single, dst...)
	}
	for _, workers := range []int{1, 2, 7} {
		if got := predict(t, m, f, model.Options{Workers: workers}); !slices.Equal(got, single) {
			t.Errorf("%d workers predict otherwise than row by row", workers)
		}
	}
}
