package boost

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	_ "github.com/coppice-ml/coppice/internal/testing/tier" // collects garbage more rarely
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm/internal/hist"
	"github.com/coppice-ml/coppice/learn/gbm/internal/table"
	"github.com/coppice-ml/coppice/model"
)

// begun returns a training that is ready for its first round, with the learner's defaults but for
// what change sets.
func begun(t *testing.T, ds *data.Dataset, job learn.Job, change func(c *Config)) *Training {
	t.Helper()
	b, err := begin(t, ds, job, change)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// begin is begun, with the error.
func begin(
	t *testing.T, ds *data.Dataset, job learn.Job, change func(c *Config),
) (*Training, error) {
	t.Helper()
	return beginOn(t, ds, nil, learn.Env{}, job, change)
}

// beginOn is begin with some prepared rows, nil = all, in an environment.
func beginOn(
	t *testing.T, ds *data.Dataset, rows []int32, env learn.Env, job learn.Job, change func(c *Config),
) (*Training, error) {
	t.Helper()
	c := configOf(change)
	f, _, err := table.Prepare(t.Context(), ds.Frame, nil, rows, ds.Target.Weight, env, &c.Config,
		data.ClassWeight{})
	if err != nil {
		return nil, err
	}
	return Begin(t.Context(), f, Plan{Config: c}, &ds.Target, job)
}

// configOf returns the learner's defaults but for what change sets.
func configOf(change func(c *Config)) Config {
	c := Config{
		Schedule: Schedule{LearningRate: 0.1, Decay: 1, EarlyStopping: 50, Metric: "auto",
			TrainingMetric: 10},
		Config: table.Config{
			Columns: table.Columns{Bins: 255, MinBin: 1, Categories: table.NativeEncoding,
				Limits: &table.Limits{}},
			Engine: hist.Config{Shape: hist.Shape{Leaves: 31},
				Regularization: hist.Regularization{L2: 1, MinChildWeight: 1e-3},
				Columns:        hist.Columns{ColumnsByLevel: 1, ColumnsByNode: 1}},
		},
		Values: Values{Refit: true}, Rows: Rows{Fraction: 1}, Learner: "gbm",
	}
	change(&c)
	return c
}

// Whichever stage cannot begin, its error is returned without a training.
func TestBeginFails(t *testing.T) {
	ds := orderedTable(t, 40)
	for want, change := range map[string]func(c *Config){
		"cannot do regression":     func(c *Config) { c.Loss.Name = "nonsense" },
		`parsing "x"`:              func(c *Config) { c.BaseScore = "x" },
		"zeal":                     func(c *Config) { c.Metric = "zeal" },
		"leaf_steps and leaf_meth": func(c *Config) { c.Loss.Name, c.Steps = "absolute", 3 },
	} {
		b, err := begin(t, ds, learn.Job{Workers: 1}, func(c *Config) { c.Trees = 1; change(c) })
		if b != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, %v, want an error with %q", b, err, want)
		}
	}
	job := learn.Job{Start: &learn.Checkpoint{Model: &model.Ensemble{Combine: model.Mean}}}
	if _, err := begin(t, ds, job, func(c *Config) { c.Trees = 1 }); err == nil ||
		!strings.Contains(err.Error(), "is no sum of trees") {
		t.Errorf("a mean of trees to continue: %v", err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	c := configOf(func(c *Config) { c.Trees = 1 })
	yetToBin := (&table.Prepared{Frame: ds.Frame}).Subset(data.AllRows(40))
	b, err := Begin(ended, yetToBin, Plan{Config: c}, &ds.Target, learn.Job{Workers: 1})
	if b != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("ended before columns are in bins: %v, %v", b, err)
	}
}

// Steps of leaves are Newton steps, each from the value so far.
func TestStepsOfLeaves(t *testing.T) {
	ds := orderedTable(t, 60)
	b := begun(t, ds, learn.Job{Workers: 1}, func(c *Config) {
		c.Trees, c.Engine.Leaves, c.LearningRate, c.Steps, c.BaseScore, c.Engine.L2 = 1, 4, 0.5, 3, "0.3", 2
	})
	trees, err := b.round(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := map[int32]float64{}
	for range 3 {
		g, h := map[int32]float64{}, map[int32]float64{}
		for r, y := range ds.Target.Y[0] {
			leaf := trees[0].Over(ds.Columns).LeafOf(int32(r))
			g[leaf] += ds.Target.Weight[r] * (0.3 + want[leaf] - y)
			h[leaf] += ds.Target.Weight[r]
		}
		for leaf := range g {
			want[leaf] -= g[leaf] / (h[leaf] + 2)
		}
	}
	for leaf, v := range want {
		if got := trees[0].Value(leaf)[0]; math.Abs(got-0.5*v) > 1e-9 {
			t.Errorf("leaf %d has %v, want %v", leaf, got, 0.5*v)
		}
	}
	if len(want) != 4 {
		t.Errorf("%d leaves", len(want))
	}
}

// Steps by the weights of rows divide by these in place of second derivatives, and values stay
// within max_delta_step.
func TestStepsByWeight(t *testing.T) {
	ds := orderedTable(t, 60)
	for i, y := range ds.Target.Y[0] {
		ds.Target.Y[0][i] = max(0, math.Floor(3*y))
	}
	for _, most := range []float64{0, 0.2} {
		b := begun(t, ds, learn.Job{Workers: 1}, func(c *Config) {
			c.Trees, c.Engine.Leaves, c.LearningRate, c.Steps, c.BaseScore, c.Engine.L2 = 1, 4, 1, 2, "1", 2
			c.Loss.Name, c.Gradient, c.Engine.MaxDeltaStep = "poisson", true, most
		})
		start := slices.Clone(b.scores.train.Raw)
		trees, err := b.round(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		want, limited := map[int32]float64{}, false
		for range 2 {
			raw, g, h := slices.Clone(start), make([]float64, 60), make([]float64, 60)
			leaf := func(r int) int32 { return trees[0].Over(ds.Columns).LeafOf(int32(r)) }
			for r := range raw {
				raw[r] += want[leaf(r)]
			}
			b.scores.train.Objective.Gradients(g, h, raw, 1)
			sum, weight := map[int32]float64{}, map[int32]float64{}
			for r := range raw {
				sum[leaf(r)] += g[r]
				weight[leaf(r)] += ds.Target.Weight[r]
			}
			for l := range sum {
				step := -sum[l] / (weight[l] + 2)
				if most > 0 {
					limited = limited || math.Abs(step) > most
					step = min(max(step, -most), most)
				}
				want[l] += step
			}
		}
		for l, v := range want {
			if most > 0 {
				v = min(max(v, -most), most)
			}
			if got := trees[0].Value(l)[0]; math.Abs(got-v) > 1e-9 {
				t.Errorf("limit %v: leaf %d has %v, want %v", most, l, got, v)
			}
		}
		if limited != (most > 0) {
			t.Errorf("limit %v: limited %v", most, limited)
		}
	}
}
