package committee_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/coppice-ml/coppice/codec/codectest"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/modeltest"
	"github.com/coppice-ml/coppice/tree"
)

func TestFields(t *testing.T) {
	two := &model.Spec{Task: data.Binary, Classes: []string{"no", "yes"}}
	three := &model.Spec{Task: data.Multiclass, Classes: []string{"p", "q", "r"}}
	number := &model.Spec{Task: data.Regression}
	for _, c := range []struct {
		spec   *model.Spec
		output model.Output
		width  int
		want   string
	}{
		{two, model.Response, 2, "m:yes"}, {three, model.Response, 3, "m:p m:q m:r"}, {number, model.Response, 1, "m"},
		{two, model.Raw, 1, "m"}, {three, model.Raw, 3, "m:0 m:1 m:2"}, {three, model.Label, 1, "m"}, {number, model.Label, 1, "m"}, {number, model.Response, 2, "m:0 m:1"},
	} {
		fields := committee.PredictedFields("m", c.spec, c.output, c.width)
		s := data.Schema{Fields: fields}
		if got := strings.Join(s.Names(), " "); got != c.want {
			t.Errorf("%s of %s, %d: %s, want %s", c.output, c.spec.Task, c.width, got, c.want)
		}
		if label := c.output == model.Label && c.spec.Task.Classes(); label != (fields[0].Kind == data.Categorical) || label && !slices.Equal(fields[0].Levels, c.spec.Classes) {
			t.Errorf("%s of %s: %+v", c.output, c.spec.Task, fields[0])
		}
	}
	probabilities := committee.PredictedColumns(committee.PredictedFields("m", two, model.Response, 2), 2, []float64{0.75, 0.25, 1, 0})
	labels := committee.PredictedColumns(committee.PredictedFields("m", three, model.Label, 1), 1, []float64{2, math.NaN(), 0})
	if diff := cmp.Diff([]data.Column{data.Numbers([]float64{0.25, 0})}, probabilities); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]data.Column{data.Codes([]uint32{2, data.MissingCode, 0})}, labels); diff != "" {
		t.Error(diff)
	}
}

// step is a model of numbers, or of two classes by their probabilities: column <= 0 ? low : high.
func stackMember(t *testing.T, s model.Spec, column string, low, high []float64) model.Model {
	t.Helper()
	kind := tree.Vector
	if len(low) == 1 {
		kind = tree.Scalar
	}
	b := tree.NewBuilder(kind, len(low), false)
	first := b.Split(0, tree.Split{Kind: tree.Numeric, Feature: int32(s.Schema.Index(column)), SplitPoint: 0})
	b.SetValue(first, low)
	b.SetValue(first+1, high)
	grown, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return &model.Ensemble{Meta: s, Trees: []*tree.Tree{grown}, Combine: model.Mean}
}

func stackSchema(names ...string) (s data.Schema) {
	for _, n := range names {
		s.Fields = append(s.Fields, data.Field{Name: n})
	}
	return s
}

// numbers has members a and b of columns of these names, and a meta-learner that looks at b's
// answer.
func stackOfNumbers(t *testing.T, pass bool) *committee.Stack {
	spec := model.Spec{Task: data.Regression, Schema: stackSchema("x", "y")}
	a, b, over := spec, spec, spec
	a.Schema, b.Schema, over.Schema = stackSchema("x"), stackSchema("y"), stackSchema("b")
	s := &committee.Stack{Meta: spec, Names: []string{"a", "b"}, Passthrough: pass,
		Members:   []model.Model{stackMember(t, a, "x", []float64{1}, []float64{2}), stackMember(t, b, "y", []float64{-1}, []float64{3})},
		MetaModel: stackMember(t, over, "b", []float64{10}, []float64{20})}
	if pass {
		over.Schema = stackSchema("y", "a")
		s.MetaModel = stackMember(t, over, "y", []float64{7}, []float64{8})
	}
	return s
}

func predictStack(t *testing.T, m model.Model, f *data.Frame, o model.Options) []float64 {
	t.Helper()
	return modeltest.PredictBoth(t, m, f, o, nil)
}

func TestStackPredicts(t *testing.T) {
	f, err := data.NewFrame(stackSchema("other", "y", "x"), []data.Column{data.Numbers([]float64{0, 0}), data.Numbers([]float64{-1, 1}), data.Numbers([]float64{5, -5})})
	if err != nil {
		t.Fatal(err)
	}
	for pass, want := range map[bool][]float64{false: {10, 20}, true: {7, 8}} {
		m := stackOfNumbers(t, pass)
		if err := m.Validate(); err != nil {
			t.Fatal(err)
		}
		if got := predictStack(t, m, f, model.Options{}); !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	}
	classes := model.Spec{Task: data.Binary, Classes: []string{"no", "yes"}, Schema: stackSchema("x", "y")}
	over := classes
	over.Schema = stackSchema("a:yes")
	m := &committee.Stack{Meta: classes, Names: []string{"a"}, Members: []model.Model{stackMember(t, classes, "x", []float64{1, 0}, []float64{0.5, 0.5})},
		MetaModel: stackMember(t, over, "a:yes", []float64{0.75, 0.25}, []float64{0.6, 0.4})}
	m.Meta.Decision.Threshold = 0.3 // the stack's own
	if got := predictStack(t, m, f, model.Options{Output: model.Label}); !slices.Equal(got, []float64{1, 0}) {
		t.Errorf("labels %v", got)
	}
	if got := predictStack(t, m, f, model.Options{}); !slices.Equal(got, []float64{0.6, 0.4, 0.75, 0.25}) {
		t.Errorf("probabilities %v", got)
	}
	if got := predictStack(t, m, f, model.Options{Output: model.Leaf}); len(got) != 2 {
		t.Errorf("leaves %v", got)
	}
}

func TestStackBindRefuses(t *testing.T) {
	m := stackOfNumbers(t, false)
	s := stackSchema("x")
	var missing *model.MissingColumnError
	if _, err := m.Bind(&s, model.Options{}); !errors.As(err, &missing) || missing.Column != "y" {
		t.Errorf("error %v", err)
	}
	m.Meta.Schema.Fields[0].Missing = data.Refuse
	s = stackSchema("x", "y")
	p, err := m.Bind(&s, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var value *model.ValueError
	if err := p.PredictRow(make([]float64, 1), []float64{math.NaN(), 0}); !errors.As(err, &value) || value.Column != "x" {
		t.Errorf("error %v", err)
	}
	var size *model.SizeError
	if err := p.PredictRow(nil, []float64{0, 0}); !errors.As(err, &size) {
		t.Errorf("error %v", err)
	}
	f, err := data.NewFrame(s, []data.Column{data.Numbers([]float64{0, math.NaN()}), data.Numbers([]float64{0, 0})})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Predict(make([]float64, 1), f, nil); !errors.As(err, &size) || size.Want != 2 {
		t.Errorf("error %v", err)
	}
	if err := p.Predict(make([]float64, 2), f, nil); !errors.As(err, &value) || value.Row != 1 {
		t.Errorf("error %v", err)
	}
}

func TestStackValidates(t *testing.T) {
	for want, change := range map[string]func(*committee.Stack){
		"no member":                               func(m *committee.Stack) { m.Members, m.Names = nil, nil },
		"1 names for 2 members":                   func(m *committee.Stack) { m.Names = m.Names[:1] },
		`two members are called "a"`:              func(m *committee.Stack) { m.Names[1] = "a" },
		"members predict leaf":                    func(m *committee.Stack) { m.MemberOutput = model.Leaf },
		"member 1: is nil":                        func(m *committee.Stack) { m.Members[1] = nil },
		"meta-learner: is nil":                    func(m *committee.Stack) { m.MetaModel = nil },
		`member 0: uses a numeric column "x"`:     func(m *committee.Stack) { m.Meta.Schema = stackSchema("y") },
		`meta-learner: uses a numeric column "b"`: func(m *committee.Stack) { m.Names[1] = "c" },
		`two columns are called "a"`:              func(m *committee.Stack) { m.Passthrough, m.Meta.Schema = true, stackSchema("x", "y", "a") },
		"member 0: predicts binary":               func(m *committee.Stack) { m.Members[0] = codectest.Tiny() },
		"member 0: member 0: is nil": func(m *committee.Stack) {
			m.Members[0] = &committee.Stack{Meta: m.Meta, Names: []string{"n"}, Members: []model.Model{nil}}
		},
	} {
		m := stackOfNumbers(t, false)
		change(m)
		if err := m.Validate(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	circle := stackOfNumbers(t, false)
	circle.Members[0] = circle
	if err := circle.Validate(); err == nil || !strings.Contains(err.Error(), "more than 8 stacks inside each other") {
		t.Errorf("error %v", err)
	}
}
