package adaboost

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/learn/linear"
	"github.com/coppice-ml/coppice/model"
)

// TestReweigh: on the training rows the weights, errors and votes of a finished model are those of
// its training, for each variant and for members that are no trees.
func TestReweigh(t *testing.T) {
	all := []string{"sepal_length", "sepal_width", "petal_length", "petal_width"}
	for _, c := range []struct {
		variant, base string
		classes       uint32
	}{
		{"discrete", "cart", 2}, {"discrete", "logistic", 2}, {"samme", "cart", 3},
		{"real", "cart", 3}, {"real", "logistic", 2}, {"gentle", "cart", 2}, {"gentle", "cart", 3},
		{LogitBoost, "cart", 3}, {"r2", "cart", 0},
	} {
		ds := table(t, "iris/iris.csv", "species", all, 1)
		for i := range ds.Rows() {
			ds.Target.Weight = append(ds.Target.Weight, float64(i%4))
		}
		switch c.classes {
		case 0:
			ds.Target = data.Target{Name: "petal_width", Task: data.Regression,
				Y: [][]float64{ds.Columns[3].Numbers()}, Weight: ds.Target.Weight}
			ds.Frame = ds.Frame.Select([]int{0, 1, 2})
		case 2:
			ds.Target.Task, ds.Target.Classes = data.Binary, ds.Target.Classes[:2]
			for i := range ds.Target.Class {
				ds.Target.Class[i] /= 2
			}
		}
		const rounds = 12
		resolve := func(name string) (string, learn.Learner, error) {
			if name == "logistic" {
				return name, linear.NewLogistic(), nil
			}
			return name, cart.New(), nil
		}
		l, set := NewLogitBoost(resolve), []string{"base=" + c.base, "rounds=12",
			"learning_rate=0.7"}
		if c.variant != LogitBoost {
			l, set = New(resolve), append(set, "variant="+c.variant)
		}
		if c.variant == "r2" {
			set = append(set, "base.depth=4")
		}
		if c.classes > 0 {
			set = append(set, "class_weight=balanced")
		}
		if err := l.Params().Set(set); err != nil {
			t.Fatal(err)
		}
		m, s := fit(t, l, ds, learn.Job{Seed: 3})
		if _, several := m.(*committee.Committee); several != (c.base != "cart" || c.variant == "r2") {
			t.Errorf("%s over %s made a %T", c.variant, c.base, m)
		}
		var wanted []int
		for n := range s.Rounds + 1 {
			wanted = append(wanted, n)
		}
		states, err := l.Reweigh(context.Background(), m, ds, wanted)
		if err != nil {
			t.Fatal(err)
		}
		if s.Rounds < 5 || s.Rounds > rounds {
			t.Fatalf("%s over %s: %d rounds", c.variant, c.base, s.Rounds)
		}
		for n, state := range states[:s.Rounds] {
			if want := s.Error[n]; math.Abs(state.Error-want) > 1e-9 || state.Vote != s.Weight[n] {
				t.Errorf("%s over %s, round %d: error %g and vote %g, want %g and %g", c.variant,
					c.base, n, state.Error, state.Vote, want, s.Weight[n])
			}
			kept := slices.DeleteFunc(slices.Clone(state.Weight),
				func(w float64) bool { return w == 0 })
			if c.variant != LogitBoost { // which stores the weights of the round before
				near(t, c.variant, kept, s.RowWeights[n])
			} else if n+1 < s.Rounds {
				near(t, c.variant, kept, s.RowWeights[n+1])
			}
		}
		last := states[s.Rounds]
		if !math.IsNaN(last.Error) || !math.IsNaN(last.Vote) || len(last.Weight) != ds.Rows() {
			t.Errorf("%s: after the last round %+v", c.variant, last)
		}
	}
}

// TestReweighRefuses: rounds that a model does not have, and a model that is not boosted.
func TestReweighRefuses(t *testing.T) {
	ds := table(t, "lectures/adaboost_ten_points.csv", "y", []string{"x1", "x2"}, 1)
	l := stumps("discrete", 3)
	m, _ := fit(t, l, ds, learn.Job{})
	for _, n := range []int{-1, 4} {
		if _, err := l.Reweigh(context.Background(), m, ds, []int{0, n}); err == nil {
			t.Errorf("round %d has weights", n)
		}
	}
	e := *m.(*model.Ensemble)
	e.Trees = e.Trees[:2]
	if _, err := l.Reweigh(context.Background(), &e, ds, []int{3}); err != errNotSuch {
		t.Errorf("a model with two members of three: %v", err)
	}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := l.Reweigh(cancelled, m, ds, []int{3}); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
	other := &model.Ensemble{Meta: *m.Spec()}
	other.Meta.Summary = nil
	if states, err := l.Reweigh(context.Background(), other, ds, []int{0}); err != nil ||
		len(states[0].Weight) != 10 {
		t.Errorf("a model without rounds: %v, %v", states, err)
	}
}
