package committee_test

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/coppice-ml/coppice/codec/codectest"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/internal/models/rules"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/modeltest"
	"github.com/coppice-ml/coppice/tree"
)

var (
	fieldX = data.Field{Name: "x"}
	fieldC = data.Field{Name: "c", Kind: data.Categorical, Levels: []string{"red", "green"}}
)

// frame has x = 0 1 2 3 and c = red green blue nothing, with blue in its own dictionary.
func frame(t *testing.T) *data.Frame {
	t.Helper()
	f, err := data.NewFrame(data.Schema{Fields: []data.Field{{Name: "c", Kind: data.Categorical, Levels: []string{"blue", "green", "red"}}, fieldX}},
		[]data.Column{data.Codes([]uint32{2, 1, 0, data.MissingCode}), data.Numbers([]float64{0, 1, 2, 3})})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func spec(task data.Task, fields ...data.Field) model.Spec {
	s := model.Spec{Schema: data.Schema{Fields: fields}, Task: task, Label: "y"}
	if task.Classes() {
		s.Classes = []string{"no", "yes"}
	}
	return s
}

// stump is the tree x <= split point ? low : high.
func stump(t *testing.T, s model.Spec, splitPoint float64, low, high []float64) *model.Ensemble {
	t.Helper()
	kind := tree.Vector
	if len(low) == 1 {
		kind = tree.Scalar
	}
	b := tree.NewBuilder(kind, len(low), false)
	first := b.Split(0, tree.Split{Kind: tree.Numeric, Feature: int32(s.Schema.Index("x")), SplitPoint: splitPoint})
	b.SetValue(first, low)
	b.SetValue(first+1, high)
	grown, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return &model.Ensemble{Meta: s, Trees: []*tree.Tree{grown}, Combine: model.Mean}
}

// colour is the list of rules: yes if c is green, else no.
func colour() *rules.Rules {
	return &rules.Rules{Meta: spec(data.Binary, fieldC), List: []rules.Rule{
		// probabilities 1/8, 7/8
		{If: []rules.Condition{{Kind: rules.In, Set: []uint64{2}}}, Value: []float64{0, 6}},
		{Value: []float64{2, 0}}, // probabilities 3/4, 1/4
	}}
}

// mixed has a tree of x, rules of c, and a committee of a tree of both.
func mixed(t *testing.T, combine committee.Combine, weights ...float64) *committee.Committee {
	t.Helper()
	inner := &committee.Committee{Meta: spec(data.Binary, fieldC, fieldX),
		Members: []model.Model{stump(t, spec(data.Binary, fieldC, fieldX), 2.5, []float64{1, 0}, []float64{0.25, 0.75})}}
	return &committee.Committee{Meta: spec(data.Binary, fieldX, fieldC), Combine: combine, Weights: weights,
		Members: []model.Model{stump(t, spec(data.Binary, fieldX), 0.5, []float64{0.5, 0.5}, []float64{0, 1}), colour(), inner}}
}

func predict(t *testing.T, m model.Model, f *data.Frame, o model.Options, rows []int32) []float64 {
	t.Helper()
	return modeltest.PredictBoth(t, m, f, o, rows)
}

func TestPredict(t *testing.T) {
	f := frame(t)
	for _, c := range []struct {
		name string
		m    *committee.Committee
		o    model.Options
		rows []int32
		want []float64
	}{
		// yes of the members: 1/2 1 1 1, 1/4 7/8 1/4 1/4, 0 0 0 3/4
		{name: "mean", m: mixed(t, committee.Mean), want: []float64{0.75, 0.25, 0.375, 0.625, 7. / 12, 5. / 12, 1. / 3, 2. / 3}},
		{name: "raw", m: mixed(t, committee.Mean), o: model.Options{Output: model.Raw}, rows: []int32{3, 1}, want: []float64{1. / 3, 2. / 3, 0.375, 0.625}},
		{name: "weighted mean", m: mixed(t, committee.Mean, 1, 2, 1), rows: []int32{1, 0}, want: []float64{0.3125, 0.6875, 0.75, 0.25}},
		{name: "label", m: mixed(t, committee.Mean), o: model.Options{Output: model.Label}, want: []float64{0, 1, 0, 1}},
		// A tie inside a member is no: the first class.
		{name: "vote", m: mixed(t, committee.Vote), want: []float64{1, 0, 1. / 3, 2. / 3, 2. / 3, 1. / 3, 1. / 3, 2. / 3}},
		{name: "weighted vote", m: mixed(t, committee.Vote, 3, 0.5, 1), rows: []int32{2}, want: []float64{1.5 / 4.5, 3 / 4.5}},
		{name: "label by vote", m: mixed(t, committee.Vote), o: model.Options{Output: model.Label}, want: []float64{0, 1, 0, 1}},
		{name: "first two", m: mixed(t, committee.Mean), o: model.Options{Rounds: 2}, rows: []int32{1}, want: []float64{1. / 16, 15. / 16}},
		{name: "first two of votes", m: mixed(t, committee.Vote, 1, 3, 9), o: model.Options{Rounds: 2}, rows: []int32{2}, want: []float64{0.75, 0.25}},
		{name: "leaves", m: mixed(t, committee.Mean), o: model.Options{Output: model.Leaf}, want: []float64{1, 1, 1, 2, 0, 1, 2, 1, 1, 2, 1, 2}},
	} {
		if err := c.m.Validate(); err != nil {
			t.Fatal(err)
		}
		got := predict(t, c.m, f, c.o, c.rows)
		if len(got) != len(c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
			continue
		}
		for i := range got {
			if math.Abs(got[i]-c.want[i]) > 1e-15 {
				t.Errorf("%s: %v, want %v", c.name, got, c.want)
				break
			}
		}
	}
}

// The committee's own decision chooses by what the members predicted; in a vote each member's
// decision chooses first.
func TestDecisions(t *testing.T) {
	f := frame(t)
	m := mixed(t, committee.Mean)
	// yes from a fraction of 1/5
	m.Meta.Decision = model.Decision{Costs: data.Costs{{0, 1}, {4, 0}}}
	if got := predict(t, m, f, model.Options{Output: model.Label}, nil); !reflect.DeepEqual(got, []float64{1, 1, 1, 1}) {
		t.Errorf("costs: labels %v", got)
	}
	m.Meta.Decision = model.Decision{Threshold: 0.65}
	if got := predict(t, m, f, model.Options{Output: model.Label}, nil); !reflect.DeepEqual(got, []float64{0, 0, 0, 1}) {
		t.Errorf("threshold: labels %v", got)
	}
	m = mixed(t, committee.Vote)
	m.Members[1].(*rules.Rules).Meta.Decision = model.Decision{Costs: data.Costs{{0, 1}, {4, 0}}}
	if got, want := predict(t, m, f, model.Options{}, []int32{0}), []float64{2. / 3, 1. / 3}; !reflect.DeepEqual(got, want) {
		t.Errorf("probabilities of votes %v, want %v", got, want)
	}
}

func TestNumbers(t *testing.T) {
	m := &committee.Committee{Meta: spec(data.Regression, fieldX), Weights: []float64{3, 1},
		Members: []model.Model{stump(t, spec(data.Regression, fieldX), 1, []float64{2}, []float64{-6}), stump(t, spec(data.Regression, fieldX), 0, []float64{10}, []float64{4})}}
	if err := m.Validate(); err != nil || m.Outputs() != 1 {
		t.Fatalf("%d outputs, %v", m.Outputs(), err)
	}
	for _, o := range []model.Output{model.Response, model.Label, model.Raw} {
		if got := predict(t, m, frame(t), model.Options{Output: o}, nil); !reflect.DeepEqual(got, []float64{4, 2.5, -3.5, -3.5}) {
			t.Errorf("%s: %v", o, got)
		}
	}
}

// Members that agree give exactly what each gives, whatever their number and weights.
func TestAgreement(t *testing.T) {
	m := &committee.Committee{Meta: spec(data.Regression, fieldX)}
	for i := range 100 {
		m.Members = append(m.Members, stump(t, m.Meta, 1, []float64{0.1}, []float64{-1e-300}))
		m.Weights = append(m.Weights, 1/float64(i+3))
	}
	if got := predict(t, m, frame(t), model.Options{}, nil); !reflect.DeepEqual(got, []float64{0.1, 0.1, -1e-300, -1e-300}) {
		t.Errorf("%v", got)
	}
}

// All rows of a large table are predicted, with the same values for any number of workers.
func TestManyRows(t *testing.T) {
	n := 5000
	x, c := make([]float64, n), make([]uint32, n)
	for i := range x {
		x[i], c[i] = float64(i%7)/2, uint32(i%3)
	}
	f, err := data.NewFrame(frame(t).Schema, []data.Column{data.Codes(c), data.Numbers(x)})
	if err != nil {
		t.Fatal(err)
	}
	m := mixed(t, committee.Mean, 1, 0.7, 0.1)
	want := predict(t, m, f, model.Options{Workers: 1}, nil)
	for _, workers := range []int{0, 2, 7} {
		if got := predict(t, m, f, model.Options{Workers: workers}, nil); !reflect.DeepEqual(got, want) {
			t.Errorf("%d workers predict otherwise than 1", workers)
		}
	}
}

func TestBindRefuses(t *testing.T) {
	m := mixed(t, committee.Mean)
	var missing *model.MissingColumnError
	if _, err := m.Bind(&data.Schema{Fields: []data.Field{fieldX}}, model.Options{}); !errors.As(err, &missing) || missing.Column != "c" {
		t.Errorf("error %v", err)
	}
	var kind *model.KindError
	if _, err := m.Bind(&data.Schema{Fields: []data.Field{fieldX, {Name: "c"}}}, model.Options{}); !errors.As(err, &kind) || kind.Column != "c" {
		t.Errorf("error %v", err)
	}
	if _, err := m.Bind(&frame(t).Schema, model.Options{Output: model.Quantiles}); !errors.Is(err, model.ErrNoQuantiles) {
		t.Errorf("error %v", err)
	}
	m.Meta.Schema.Fields[0].Missing = data.Refuse
	f := frame(t)
	f.Columns[1].Numbers()[2] = math.NaN()
	p, err := m.Bind(&f.Schema, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var value *model.ValueError
	if err := p.Predict(make([]float64, 8), f, nil); !errors.As(err, &value) || value.Row != 2 || value.Column != "x" {
		t.Errorf("error %v", err)
	}
	if err := p.PredictRow(make([]float64, 2), []float64{0, math.NaN()}); !errors.As(err, &value) || value.Row != -1 {
		t.Errorf("error %v", err)
	}
	var size *model.SizeError
	if err := p.Predict(make([]float64, 7), f, nil); !errors.As(err, &size) || size.Want != 8 {
		t.Errorf("error %v", err)
	}
	if err := p.PredictRow(make([]float64, 1), []float64{0, 0}); !errors.As(err, &size) || size.Want != 2 {
		t.Errorf("error %v", err)
	}
}

func TestValidate(t *testing.T) {
	for want, change := range map[string]func(*committee.Committee){
		"no member":                              func(m *committee.Committee) { m.Members = nil },
		"member 1: is nil":                       func(m *committee.Committee) { m.Members[1] = nil },
		"member 0: 3 start values for 2 outputs": func(m *committee.Committee) { m.Members[0].(*model.Ensemble).Bias = []float64{1, 2, 3} },
		"unknown way 99 to combine":              func(m *committee.Committee) { m.Combine = 99 },
		"member 0: predicts binary, a sum is":    func(m *committee.Committee) { m.Combine = committee.Sum },
		"a median of members, the task is binar": func(m *committee.Committee) { m.Combine = committee.Median },
		"start values of a mean: only a sum and": func(m *committee.Committee) { m.Bias = []float64{1} },
		"2 weights for 3 members":                func(m *committee.Committee) { m.Weights = []float64{1, 1} },
		"member 1 has weight 0":                  func(m *committee.Committee) { m.Weights = []float64{1, 0, 1} },
		"member 0 has weight NaN":                func(m *committee.Committee) { m.Weights = []float64{math.NaN(), 1, 1} },
		"the members have weight +Inf":           func(m *committee.Committee) { m.Weights = []float64{math.MaxFloat64, math.MaxFloat64, 1} },
		"a classification model without":         func(m *committee.Committee) { m.Meta.Classes = nil },
		`member 0: predicts binary, classes ["no" "yes"], the committee binary, classes ["yes" "no"]`: func(m *committee.Committee) {
			m.Meta.Classes = []string{"yes", "no"}
		},
		`member 1: uses a categorical column "c", which the committee does not have`: func(m *committee.Committee) { m.Meta.Schema.Fields = []data.Field{fieldX} },
		`member 2: member 0: tree 0`: func(m *committee.Committee) {
			m.Members[2].(*committee.Committee).Members[0].(*model.Ensemble).Meta.Schema.Fields = nil
		},
	} {
		m := mixed(t, committee.Mean)
		change(m)
		if err := m.Validate(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	m := &committee.Committee{Meta: spec(data.Regression, fieldX), Combine: committee.Vote,
		Members: []model.Model{stump(t, spec(data.Regression, fieldX), 1, []float64{2}, []float64{-6})}}
	if err := m.Validate(); err == nil || err.Error() != "members vote for classes, the task is regression" {
		t.Errorf("error %v", err)
	}
	m.Combine = committee.Mean
	m.Members = append(m.Members, stump(t, m.Meta, 1, []float64{2, 3}, []float64{-6, 1}))
	if err := m.Validate(); err == nil || err.Error() != "member 1: has 2 outputs, the committee 1" {
		t.Errorf("error %v", err)
	}
}

func TestDepthIsLimited(t *testing.T) {
	s := spec(data.Regression, fieldX)
	var m model.Model = stump(t, s, 1, []float64{2}, []float64{-6})
	for range committee.MaxDepth {
		m = &committee.Committee{Meta: s, Members: []model.Model{m}}
	}
	if err := m.(*committee.Committee).Validate(); err != nil {
		t.Error(err)
	}
	m = &committee.Committee{Meta: s, Members: []model.Model{m}}
	if err := m.(*committee.Committee).Validate(); err == nil || !strings.HasSuffix(err.Error(), "more than 16 committees inside each other") {
		t.Errorf("error %v", err)
	}
	circle := &committee.Committee{Meta: s}
	circle.Members = []model.Model{circle}
	if err := circle.Validate(); err == nil {
		t.Error("a committee of itself is valid")
	}
}

func TestCombineNames(t *testing.T) {
	for _, c := range []committee.Combine{committee.Mean, committee.Vote, committee.Sum, committee.Median, committee.Product} {
		var got committee.Combine
		if err := got.UnmarshalText([]byte(c.String())); got != c || err != nil {
			t.Errorf("%s is read as %s, %v", c, got, err)
		}
	}
	if err := new(committee.Combine).UnmarshalText([]byte("least")); err == nil ||
		!strings.HasSuffix(err.Error(), "want mean|vote|sum|median|product|ranks") {
		t.Errorf("error %v", err)
	}
	if got := committee.Combine(7).String(); got != "unknown(7)" {
		t.Error(got)
	}
}

func TestFlatten(t *testing.T) {
	s := spec(data.Binary, fieldC, fieldX)
	a := stump(t, s, 0.5, []float64{0.5, 0.5}, []float64{0, 1})
	b := stump(t, s, 2.5, []float64{1, 0}, []float64{0.25, 0.75})
	two := &model.Ensemble{Meta: s, Trees: []*tree.Tree{a.Trees[0], b.Trees[0]}, Weights: []float64{1, 3}, Combine: model.Mean}
	biased := stump(t, s, 1, []float64{-0.125, 0.125}, []float64{0, 0})
	biased.Bias = []float64{0.5, 0.5}
	// yes from a fraction of 1/5
	dear := stump(t, spec(data.Binary, fieldX), 1.5, []float64{0.75, 0.25}, []float64{1, 0})
	dear.Meta.Decision.Costs = data.Costs{{0, 1}, {4, 0}}
	sums := []*model.Ensemble{}
	for _, e := range []*model.Ensemble{a, biased} {
		sum := *e
		sum.Combine, sum.Weights = model.Sum, []float64{0.5}
		sums = append(sums, &sum)
	}
	for name, c := range map[string]struct {
		m       *committee.Committee
		weights []float64
		bias    []float64
	}{
		"a forest":      {&committee.Committee{Meta: s, Members: []model.Model{a, b, a}}, nil, nil},
		"weights":       {&committee.Committee{Meta: s, Members: []model.Model{a, b}, Weights: []float64{1, 4}}, []float64{1, 4}, nil},
		"means of mean": {&committee.Committee{Meta: s, Members: []model.Model{two, b}, Weights: []float64{2, 1}}, []float64{0.5, 1.5, 1}, nil},
		"start values":  {&committee.Committee{Meta: s, Members: []model.Model{biased, b, b, b}}, nil, []float64{0.125, 0.125}},
		"sums":          {&committee.Committee{Meta: s, Members: []model.Model{sums[0], sums[1]}, Weights: []float64{3, 1}}, []float64{0.375, 0.125}, []float64{0.125, 0.125}},
		"other columns": {&committee.Committee{Meta: s, Members: []model.Model{a, stump(t, spec(data.Binary, fieldX), 1.5, []float64{0.75, 0.25}, []float64{0, 1})}}, nil, nil},
		"votes":         {&committee.Committee{Meta: s, Combine: committee.Vote, Members: []model.Model{a, b, dear}, Weights: []float64{1, 2, 0.5}}, []float64{1, 2, 0.5}, nil},
		"a vote of one that is a vote": {&committee.Committee{Meta: s, Combine: committee.Vote,
			Members: []model.Model{b, &committee.Committee{Meta: s, Combine: committee.Vote, Members: []model.Model{a}}}}, nil, nil},
		"nested": {&committee.Committee{Meta: s, Members: []model.Model{a, &committee.Committee{Meta: s, Members: []model.Model{b, b}}}},
			[]float64{1, 0.5, 0.5}, nil},
	} {
		e, ok := c.m.Flatten()
		if !ok {
			t.Errorf("%s: is not flattened", name)
			continue
		}
		if d := cmp.Diff(c.weights, e.Weights); d != "" {
			t.Errorf("%s: weights %s", name, d)
		}
		if d := cmp.Diff(c.bias, e.Bias); d != "" {
			t.Errorf("%s: start values %s", name, d)
		}
		want, got := predict(t, c.m, frame(t), model.Options{}, nil), predict(t, e, frame(t), model.Options{}, nil)
		for i := range got {
			if math.Abs(got[i]-want[i]) > 1e-15 {
				t.Errorf("%s: flat %v, want %v", name, got, want)
				break
			}
		}
		if d := cmp.Diff(predict(t, c.m, frame(t), model.Options{Output: model.Leaf}, nil), predict(t, e, frame(t), model.Options{Output: model.Leaf}, nil)); d != "" {
			t.Errorf("%s: leaves %s", name, d)
		}
	}
}

func TestFlattenRefuses(t *testing.T) {
	s := spec(data.Binary, fieldC, fieldX)
	a := stump(t, s, 0.5, []float64{0.5, 0.5}, []float64{0, 1})
	sum, linked, negative, other := *a, *a, *a, *a
	sum.Combine = model.Sum
	linked.Link = link.Softmax()
	negative.Trees, negative.Weights = []*tree.Tree{a.Trees[0], a.Trees[0]}, []float64{-2, 1}
	other.Meta.Schema.Fields = []data.Field{{Name: "c", Kind: data.Categorical, Levels: []string{"green", "red"}}, fieldX}
	turned := stump(t, spec(data.Binary, fieldX, fieldC), 0.5, []float64{0.5, 0.5}, []float64{0, 1})
	for name, m := range map[string]model.Model{"rules": colour(), "a sum beside a mean": &sum, "a link": &linked, "negative weights": &negative,
		"another dictionary": &other, "another order": turned, "a committee of rules": &committee.Committee{Meta: s, Members: []model.Model{colour()}}} {
		c := &committee.Committee{Meta: s, Members: []model.Model{a, m}}
		if err := c.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if e, ok := c.Flatten(); ok {
			t.Errorf("%s: is flattened to %v", name, e)
		}
	}
	two, weighed, started, divided := *a, *a, *a, *a
	two.Trees = []*tree.Tree{a.Trees[0], a.Trees[0]}
	weighed.Combine, weighed.Weights = model.Sum, []float64{2}
	started.Bias = []float64{1, 0}
	b := tree.NewBuilder(tree.Vector, 2, false)
	first := b.Split(0, tree.Split{Kind: tree.Numeric, Feature: 1, Missing: tree.MissingFractional})
	b.SetFraction(first, 0.5)
	b.SetFraction(first+1, 0.5)
	grown, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	divided.Trees = []*tree.Tree{grown}
	for name, m := range map[string]model.Model{"two trees": &two, "a weight": &weighed, "a start value": &started, "rows that divide": &divided} {
		c := &committee.Committee{Meta: s, Combine: committee.Vote, Members: []model.Model{a, m}}
		if err := c.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if e, ok := c.Flatten(); ok {
			t.Errorf("votes of %s: are flattened to %v", name, e)
		}
	}
	pool := codectest.Pool() // its samples of training values have no place in a mean
	c := &committee.Committee{Meta: pool.Meta, Members: []model.Model{pool, pool}}
	if err := c.Validate(); err != nil {
		t.Error(err)
	}
	if _, ok := c.Flatten(); ok {
		t.Error("pools are flattened")
	}
}
