package boost

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
)

// foldOf begins a fold of a table of numbers, or of classes.
func foldOf(t *testing.T, ds *data.Dataset, change func(c *Config)) *Fold {
	t.Helper()
	return NewFold(begun(t, ds, learn.Job{Seed: 3, Workers: 1}, func(c *Config) {
		c.Trees, c.Engine.Leaves, c.ValidFraction, c.User = 9, 5, 0.25, anyone{}
		change(c)
	}))
}

// A fold that returns to its head goes on as if it had not ended, whatever it is of.
func TestFolds(t *testing.T) {
	for _, ds := range []*data.Dataset{orderedTable(t, 120), classesTable(t, 120)} {
		for _, change := range []func(c *Config){func(*Config) {}, func(c *Config) { c.Dropout = &Dropout{Drop: 0.5} },
			func(c *Config) { c.Permutations = 2 }} {
			whole, half := foldOf(t, ds, change), foldOf(t, ds, change)
			var want []float64
			var third []float64 // scores after three rounds
			work := 0.0
			for n := range 6 {
				v, err := whole.Round(t.Context(), n+1)
				if err != nil {
					t.Fatal(err)
				}
				if want = append(want, v); whole.Work() <= work {
					t.Errorf("work %v after %v", whole.Work(), work)
				}
				work = whole.Work()
				if n == 2 {
					third = slices.Clone(whole.ValidationSet().Raw)
				}
			}
			if v, err := whole.Round(t.Context(), 3); err != nil || v != want[2] || !whole.Ahead(5) || whole.Ahead(6) {
				t.Errorf("round 3 again: %v, %v, want %v", v, err, want[2])
			}
			if curve := whole.FirstCurve().Values; !slices.Equal(curve[len(curve)-6:], want) {
				t.Errorf("values %v, the curve has %v", want, curve)
			}
			for n := range 3 {
				if _, err := half.Round(t.Context(), n+1); err != nil {
					t.Fatal(err)
				}
			}
			head, state := half.Head(), append(half.AppendState(nil), "rest"...)
			again := foldOf(t, ds, change)
			rest, err := again.Resume(&head, 3, state)
			if err != nil || string(rest) != "rest" {
				t.Fatalf("%q, %v", rest, err)
			}
			if len(again.ensemble.model.Trees) != 3*again.ensemble.width || len(again.ensemble.model.Output) != 3*again.ensemble.width {
				t.Errorf("%d trees of %d outputs after three rounds", len(again.ensemble.model.Trees), again.ensemble.width)
			}
			if again.setup.dart() {
				continue // whose trees of the rounds before are needed
			}
			if err := whole.Return(t.Context(), 3); err != nil || !slices.Equal(whole.ValidationSet().Raw, third) {
				t.Errorf("other scores after three rounds, %v", err)
			}
			for i := 3; i < 6; i++ {
				if v, err := again.Round(t.Context(), i+1); err != nil || v != want[i] {
					t.Errorf("round %d: %v, %v, want %v", i+1, v, err, want[i])
				}
			}
		}
	}
}

// A head that is at odds with the fold, or a state that is short, is refused.
func TestFoldsThatCannotResume(t *testing.T) {
	ds := orderedTable(t, 60)
	f := foldOf(t, ds, func(*Config) {})
	for n := range 2 {
		if _, err := f.Round(t.Context(), n+1); err != nil {
			t.Fatal(err)
		}
	}
	state := f.AppendState(nil)
	for what, change := range map[string]func(h *Head){
		"":          func(*Head) {},
		"data":      func(h *Head) { h.Data++ },
		"rounds":    func(h *Head) { h.Rounds = 3 },
		"stubs":     func(h *Head) { h.Stub = 3 },
		"no stubs":  func(h *Head) { h.Stub = -1 },
		"all stubs": func(h *Head) { h.Stub = 2 },
		"curves":    func(h *Head) { h.Curves = h.Curves[1:] },
	} {
		h := f.Head()
		change(&h)
		want := ErrState
		switch what {
		case "data":
			want = ErrOtherData
		case "", "all stubs":
			want = nil
		}
		if _, err := foldOf(t, ds, func(*Config) {}).Resume(&h, 2, state); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", what, err, want)
		}
	}
	h := f.Head()
	if _, err := foldOf(t, ds, func(*Config) {}).Resume(&h, 2, state[:len(state)-1]); !errors.Is(err, ErrState) {
		t.Errorf("a short state: %v", err)
	}
}

// Rounds behind some number go, unless rounds change the weights of those before them.
func TestKeep(t *testing.T) {
	for _, dart := range []bool{false, true} {
		f := foldOf(t, classesTable(t, 80), func(c *Config) {
			if dart {
				c.Dropout = &Dropout{Drop: 0.5}
			}
		})
		for n := range 4 {
			if _, err := f.Round(t.Context(), n+1); err != nil {
				t.Fatal(err)
			}
		}
		for _, n := range []int{7, 4, 2} {
			want := 5 * min(n, 4)
			if dart {
				want = 20
			}
			if f.Keep(n); len(f.ensemble.model.Trees) != want || len(f.ensemble.model.Output) != want {
				t.Errorf("dropout %v: %d trees of the first %d rounds, want %d", dart, len(f.ensemble.model.Trees), n, want)
			}
		}
	}
}

// What fails in a round is returned.
func TestRoundsThatFail(t *testing.T) {
	fault := errors.New("no value")
	f := foldOf(t, orderedTable(t, 60), func(c *Config) {
		c.Metrics = []metric.Metric{{Name: "own", Tasks: []data.Task{data.Regression},
			Func: func(*metric.Sample) (float64, error) { return 7, fault }}}
	})
	if v, err := f.Round(t.Context(), 1); v != 0 || !errors.Is(err, fault) {
		t.Errorf("%v, %v", v, err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	g := foldOf(t, orderedTable(t, 60), func(*Config) {})
	if v, err := g.Round(ended, 1); v != 0 || !errors.Is(err, context.Canceled) || g.Work() != 0 {
		t.Errorf("%v, %v, work %v", v, err, g.Work())
	}
}

// A blank model has a leaf for each output, which adds nothing to the start values.
func TestBlankModel(t *testing.T) {
	for _, ds := range []*data.Dataset{orderedTable(t, 60), classesTable(t, 60)} {
		f := foldOf(t, ds, func(*Config) {})
		if _, err := f.Round(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		m, err := f.BlankModel()
		if err != nil {
			t.Fatal(err)
		}
		p, err := m.Bind(&ds.Frame.Schema, model.Options{Output: model.Raw, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		got := make([]float64, p.Width())
		if err := p.Predict(got, ds.Frame, []int32{5}); err != nil {
			t.Fatal(err)
		}
		if len(m.Trees) != len(m.Bias) || len(m.Output) != len(m.Bias) || !slices.Equal(got, m.Bias) ||
			int(m.Trees[0].Stats.Rows[0]) != len(f.setup.Rows) || len(f.ensemble.model.Trees) != len(m.Bias) {
			t.Errorf("%d trees of outputs %v, prediction %v of %v", len(m.Trees), m.Output, got, m.Bias)
		}
	}
}
