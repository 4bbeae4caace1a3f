package eval_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
)

// lookedAt is a context that ends behind some looks at it.
type lookedAt struct {
	context.Context
	left atomic.Int64
}

func (c *lookedAt) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

var errCall = errors.New("this call fails")

// failing is a model and its learner, of which one call fails: of Prepare, Fit, Bind, Predict and
// of whoever observes them.
type failing struct {
	unbound
	left *atomic.Int64
}

func failingAt(m model.Model, call int64) failing {
	f := failing{unbound{&constant{}, m}, new(atomic.Int64)}
	f.left.Store(call)
	return f
}

func (m failing) fail() error {
	if m.left.Add(-1) == -1 {
		return errCall
	}
	return nil
}

func (m failing) observe(learn.Round) error { return m.fail() }

func (m failing) Prepare(
	ctx context.Context, f data.Features, rows []int32, w []float64, env learn.Env,
) (learn.Fitter, error) {
	return m, m.fail()
}

func (m failing) Fit(ctx context.Context, t *data.Target, job learn.Job) (model.Model, error) {
	return m, m.fail()
}

func (m failing) Bind(s *data.Schema, o model.Options) (model.Predictor, error) {
	if err := m.fail(); err != nil {
		return nil, err
	}
	p, err := m.Model.Bind(s, o)
	return failingPredictor{p, m}, err
}

type failingPredictor struct {
	model.Predictor
	of failing
}

func (p failingPredictor) Predict(dst []float64, f *data.Frame, rows []int32) error {
	if err := p.of.fail(); err != nil {
		return err
	}
	return p.Predictor.Predict(dst, f, rows)
}

// Wherever a context ends, and whichever call of a learner, a model or an observer fails, an
// evaluation returns that error.
func TestEvaluationsReturnErrors(t *testing.T) {
	f := labeledTable(t, 60)
	r := data.Roles{Label: "class", Classes: []string{"0", "1"}, Ignore: []string{"w", "g", "grade"}}
	ds, err := r.Apply(f)
	if err != nil {
		t.Fatal(err)
	}
	m := reported(t, []string{"0", "1"}, []float64{3, 7}, []float64{1, 1}, []float64{5, 5}, []float64{2, 9})
	plan := &split.Plan{K: 3, Seed: 1}
	var observe func(learn.Round) error
	options := func() eval.Options { return eval.Options{Workers: 1, Observe: observe} }
	sample, err := eval.Sample(t.Context(), m, ds, nil, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	few := eval.IntervalOptions{Resamples: 30, Workers: 1}
	for name, do := range map[string]func(ctx context.Context, m failing) error{
		"Evaluate": func(ctx context.Context, m failing) error {
			_, err := eval.Evaluate(ctx, m, ds)
			return err
		},
		"EvaluateTable": func(ctx context.Context, m failing) error {
			own := *f
			own.Schema.Fields = append([]data.Field(nil), f.Schema.Fields...)
			_, err := eval.EvaluateTable(ctx, labelled{m, "class"}, &own)
			return err
		},
		"EvaluateSets": func(ctx context.Context, m failing) error {
			blocks, err := r.ApplyBlocks(ctx, &blocksOf{f, 17})
			if err != nil {
				return err
			}
			_, err = eval.EvaluateSets(ctx, m, blocks, [][]int32{nil, {3, 50}}, eval.SetOptions{})
			return err
		},
		"Sample": func(ctx context.Context, m failing) error {
			_, err := eval.Sample(ctx, m, ds, []int32{4, 2}, model.Options{})
			return err
		},
		"Reliability": func(ctx context.Context, m failing) error {
			_, err := eval.Reliability(ctx, m, ds, nil, 3, model.Options{})
			return err
		},
		"Running": func(ctx context.Context, m failing) error {
			running, err := eval.NewRunning(m, ds, eval.SetOptions{})
			if err != nil {
				return err
			}
			defer running.Close()
			if err := running.Add(ctx, ds); err != nil {
				return err
			}
			_, _, err = running.Report(ctx, few)
			return err
		},
		"CrossValidate": func(ctx context.Context, m failing) error {
			_, err := eval.CrossValidate(ctx, m, ds, plan, options())
			return err
		},
		"Compare": func(ctx context.Context, m failing) error {
			_, err := eval.Compare(ctx, []eval.Entrant{{Name: "a", Learner: m}, {Name: "b", Learner: m}}, ds, plan,
				eval.CompareOptions{Options: options()})
			return err
		},
		"CheckLeakage": func(ctx context.Context, m failing) error {
			_, err := eval.CheckLeakage(ctx, m, ds, plan, 2, options())
			return err
		},
		"Intervals": func(ctx context.Context, _ failing) error {
			_, _, err := eval.Intervals(ctx, data.Binary, sample, few)
			return err
		},
		"Differences": func(ctx context.Context, _ failing) error {
			_, _, err := eval.Differences(ctx, data.Binary, sample, sample, few)
			return err
		},
		"Recorder": func(ctx context.Context, m failing) error {
			recorder := eval.NewRecorder([][]int32{data.AllRows(60)}, 1)
			reports, err := eval.EvaluateSets(ctx, m, ds, [][]int32{nil}, eval.SetOptions{Each: recorder.Each})
			if err != nil {
				return err
			}
			_, err = recorder.Record(ctx, 0, reports[0], model.OfTest)
			return err
		},
	} {
		looks, calls := 0, 0
		// many steps, and not all of them where there are hundreds
		for at := int64(0); ; at += 1 + at/8 {
			c := &lookedAt{Context: t.Context()}
			c.left.Store(at)
			observe = nil
			err := do(c, failingAt(m, 1<<40))
			if ended := c.left.Load() < 0; ended != errors.Is(err, context.Canceled) {
				t.Fatalf("%s: the context ended at look %d: %v; error %v", name, at, ended, err)
			} else if !ended {
				break
			}
			looks++
		}
		for at := int64(0); ; at++ {
			of := failingAt(m, at)
			observe = of.observe
			err := do(t.Context(), of)
			if failed := of.left.Load() < 0; failed != errors.Is(err, errCall) {
				t.Fatalf("%s: call %d failed: %v; error %v", name, at, failed, err)
			} else if !failed {
				break
			}
			calls++
		}
		if looks == 0 || calls == 0 && name != "Intervals" && name != "Differences" {
			t.Errorf("%s: %d looks and %d calls fail", name, looks, calls)
		}
		t.Logf("%s: %d looks at the context and %d calls fail", name, looks, calls)
	}
}

// labelled is a model whose label is a column.
type labelled struct {
	model.Model
	label string
}

func (m labelled) Spec() *model.Spec {
	s := *m.Model.Spec()
	s.Label = m.label
	return &s
}
