package native

import (
	"math"
	"reflect"
	"testing"

	"github.com/coppice-ml/coppice/codec/codectest"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

func idOf(t *testing.T, m model.Model) string {
	t.Helper()
	id, err := ID(m)
	if err != nil || len(id) != 32 {
		t.Fatalf("%q, %v", id, err)
	}
	return id
}

// The id is the same in memory and in a file, and another one for each model.
func TestID(t *testing.T) {
	id := func(m model.Model) string { return idOf(t, m) }
	seen := map[string]int{}
	for i, m := range codectest.Models() {
		again, err := decodeBytes(encode(t, m))
		if err != nil {
			t.Fatal(err)
		}
		if id(m) != id(again) {
			t.Errorf("model %d has the id %s, its file %s", i, id(m), id(again))
		}
		if other, ok := seen[id(m)]; ok {
			t.Errorf("models %d and %d have one id", i, other)
		}
		seen[id(m)] = i
	}
}

// A field that predictions depend on changes the id, and no other one does. Each field of models of
// trees is of one of these kinds.
func TestIDOfFields(t *testing.T) {
	full, quartiles, profiled := codectest.Full, codectest.Quartiles, codectest.Profiled
	imported, derived, refusing, covered := codectest.Imported, codectest.Derived, codectest.Refusing, codectest.Covered
	tried := map[string]bool{}
	for _, c := range []struct {
		field  string
		base   func() *model.Ensemble
		change func(e *model.Ensemble)
		kept   bool
	}{
		{"Spec.Schema", full, func(e *model.Ensemble) { e.Meta.Schema.Tokens[1] = "-99" }, false},
		{"Spec.Schema", full, func(e *model.Ensemble) { e.Meta.Schema.Fields[0].Name = "x" }, false},
		{"Spec.Schema", full, func(e *model.Ensemble) { e.Meta.Schema.Fields[1].Levels[3] = "three" }, false},
		{"Spec.Schema", full, func(e *model.Ensemble) { e.Meta.Schema.Fields[1].Unseen = data.Learned }, false},
		{"Spec.Label", full, func(e *model.Ensemble) { e.Meta.Label = "z" }, true},
		{"Spec.Task", full, func(e *model.Ensemble) { e.Meta.Task = data.Binary }, false},
		{"Spec.LabelFormat", full, func(e *model.Ensemble) { e.Meta.LabelFormat = "" }, true},
		{"Spec.Roles", quartiles, func(e *model.Ensemble) { e.Meta.Roles.Weight = "v" }, true},
		{"Spec.Classes", full, func(e *model.Ensemble) { e.Meta.Classes[0] = "<50K" }, false},
		{"Spec.Learner", full, func(e *model.Ensemble) { e.Meta.Learner = "forest" }, true},
		{"Spec.Params", full, func(e *model.Ensemble) { e.Meta.Params = nil }, true},
		{"Spec.Summary", full, func(e *model.Ensemble) { e.Meta.Summary = nil }, true},
		{"Spec.Decision", full, func(e *model.Ensemble) { e.Meta.Decision.Costs[0][1] = 0.2 }, false},
		{"Spec.Decision", full, func(e *model.Ensemble) { e.Meta.Decision.Threshold = 0.2 }, false},
		{"Spec.Decision", full, func(e *model.Ensemble) { e.Meta.Decision.FirstPositive = true }, false},
		{"Spec.Quantiles", quartiles, func(e *model.Ensemble) { e.Meta.Quantiles[0] = 0.2 }, false},
		{"Spec.TrainedOn", quartiles, func(e *model.Ensemble) { e.Meta.TrainedOn = nil }, true},
		{"Spec.Study", quartiles, func(e *model.Ensemble) { e.Meta.Study = nil }, true},
		{"Spec.Permutation", quartiles, func(e *model.Ensemble) { e.Meta.Permutation = nil }, true},
		{"Spec.Profile", profiled, func(e *model.Ensemble) { e.Meta.Profile = nil }, true},
		{"Spec.Evaluations", profiled, func(e *model.Ensemble) { e.Meta.Evaluations = nil }, true},
		{"Spec.Notes", profiled, func(e *model.Ensemble) { e.Meta.Notes["git"] = "5f2c" }, true},
		{"Spec.Stamp", profiled, func(e *model.Ensemble) { e.Meta.Stamp = nil }, true},
		{"Spec.Golden", profiled, func(e *model.Ensemble) { e.Meta.Golden = nil }, true},
		{"Spec.Memory", full, func(e *model.Ensemble) { e.Meta.Memory = "a mapped file" }, true},

		{"Ensemble.Trees", imported, func(e *model.Ensemble) { e.Trees[0], e.Trees[1] = e.Trees[1], e.Trees[0]; e.Origin.Leaf = nil }, false},
		{"Ensemble.Output", full, func(e *model.Ensemble) { e.Output[0] = 0 }, false},
		{"Ensemble.Weights", full, func(e *model.Ensemble) { e.Weights[0] = 0.2 }, false},
		{"Ensemble.Bias", full, func(e *model.Ensemble) { e.Bias[0] = 0.2 }, false},
		{"Ensemble.Combine", full, func(e *model.Ensemble) { e.Combine = model.Sum }, false},
		{"Ensemble.Link", full, func(e *model.Ensemble) { e.Link = link.OneVsAll() }, false},
		{"Ensemble.Inputs", derived, func(e *model.Ensemble) { e.Inputs.Tables[0].Sum[0] += 0.25 }, false},
		{"Ensemble.Targets", codectest.Pool, func(e *model.Ensemble) { e.Targets[0] = 0.5 }, false},
		{"Ensemble.Refused", refusing, func(e *model.Ensemble) { e.Refused = nil }, false},
		{"Ensemble.State", full, func(e *model.Ensemble) { e.State = nil }, true},
		{"Ensemble.Rounds", imported, func(e *model.Ensemble) { e.Rounds[1]-- }, false},
		{"Ensemble.Best", imported, func(e *model.Ensemble) { e.Best = 2 }, false},
		{"Ensemble.Origin", imported, func(e *model.Ensemble) { e.Origin.Leaf[0][1] = 8 }, false},
		{"Ensemble.Origin", imported, func(e *model.Ensemble) { e.Origin = &model.Origin{Tool: "LightGBM", Leaf: e.Origin.Leaf} }, true},

		{"Tree.Stats", full, func(e *model.Ensemble) { own := *e.Trees[0]; own.Stats = nil; e.Trees[0] = &own }, true},
		{"Tree.Cover", covered, func(e *model.Ensemble) { own := *e.Trees[0]; own.Cover = nil; e.Trees[0] = &own }, true},
		{"Tree.Leaf", full, func(e *model.Ensemble) { e.Trees[0].Leaf.Value[2] = 0.25 }, false},
		{"Tree.Fraction", full, func(e *model.Ensemble) { e.Trees[0].Fraction[5], e.Trees[0].Fraction[6] = 0.2, 0.8 }, false},
		{"Tree.Sets", full, func(e *model.Ensemble) { e.Trees[0].Sets[0]++ }, false},
		{"Tree.Dirs", full, func(e *model.Ensemble) { e.Trees[0].Dirs.Coef[0] = 0.25 }, false},
		{"Tree.Surrogates", full, func(e *model.Ensemble) { e.Trees[0].Surrogates.SplitPoint[0] = 0.5 }, false},
	} {
		tried[c.field] = true
		m, other := c.base(), c.base()
		if c.change(other); (idOf(t, m) == idOf(t, other)) != c.kept {
			t.Errorf("%s changes the id: %v, want %v", c.field, c.kept, !c.kept)
		}
	}
	// Nodes and SetAt are the trees themselves, which the first row of Ensemble.Trees exchanges.
	tried["Tree.Nodes"], tried["Tree.SetAt"], tried["Ensemble.Meta"] = true, true, true
	for _, v := range []any{model.Spec{}, model.Ensemble{}, tree.Tree{}} {
		for _, f := range reflect.VisibleFields(reflect.TypeOf(v)) {
			if name := reflect.TypeOf(v).Name() + "." + f.Name; f.IsExported() && !tried[name] {
				t.Errorf("nothing says whether predictions depend on %s", name)
			}
		}
	}
}

// The parts of models of models are bare, too, and other types of models.
func TestIDOfParts(t *testing.T) {
	about := func(s *model.Spec) {
		s.Learner, s.Params, s.Summary, s.Label = "other", nil, nil, "other"
		s.TrainedOn, s.Notes = &model.TrainedOn{Seed: 7}, map[string]string{"a": "b"}
	}
	for i, m := range codectest.Models() {
		want := idOf(t, m)
		about(m.Spec())
		for _, part := range m.Children() {
			about(part.Model.Spec())
		}
		if idOf(t, m) != want {
			t.Errorf("model %d (%T): how it came about changes the id", i, m)
		}
	}
	for name, change := range map[string]func() (before, after model.Model){
		"a member": func() (before, after model.Model) {
			c := codectest.FullCommittee()
			e := *c.Members[0].(*model.Ensemble)
			other := *c
			e.Bias = append([]float64{}, e.Bias...)
			if len(e.Bias) == 0 {
				e.Bias = make([]float64, e.Scores())
			}
			e.Bias[0] += 0.5
			other.Members = append([]model.Model{&e}, c.Members[1:]...)
			return c, &other
		},
		"a coefficient": func() (before, after model.Model) {
			l, other := codectest.FullLinear(), codectest.FullLinear()
			other.Bias[0] = math.Nextafter(other.Bias[0], 9)
			return l, other
		},
		"the origin of coefficients": func() (before, after model.Model) {
			l, other := codectest.FullLinear(), codectest.FullLinear()
			other.Origin = nil
			return other, l
		},
	} {
		before, after := change()
		if same := idOf(t, before) == idOf(t, after); same != (name == "the origin of coefficients") {
			t.Errorf("%s: the same id: %v", name, same)
		}
	}
}
