package boost

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm/internal/hist"
	"github.com/coppice-ml/coppice/learn/gbm/internal/table"
	"github.com/coppice-ml/coppice/learn/sample"
	"github.com/coppice-ml/coppice/loss"
	"github.com/coppice-ml/coppice/model"
)

// A score that is no number, and a context that has ended, end a round of whatever stages with
// their error and without a tree.
func TestRoundsThatEnd(t *testing.T) {
	for what, c := range map[string]struct {
		rows   int
		change func(c *Config)
	}{
		"words":           {60, func(*Config) {}},
		"several growers": {9000, func(*Config) {}},
		"some rows":       {60, func(c *Config) { c.Fraction = 0.9 }},
		"multi-output":    {60, func(c *Config) { c.MultiOutput = true }},
		"steps":           {60, func(c *Config) { c.Steps = 2 }},
		"rows one by one": {60, func(c *Config) { c.Loss.Name = "one_vs_all" }},
	} {
		begin := func() *Training {
			return begun(t, classesTable(t, c.rows), learn.Job{Workers: 2}, func(o *Config) {
				o.Trees, o.Engine.Leaves = 3, 4
				c.change(o)
			})
		}
		b := begin()
		if beside, is := b.grower.(*scalarGrower); is && (beside.atOnce != nil) != (c.rows > 60) {
			t.Errorf("%s: growers beside each other: %v", what, beside.atOnce)
		}
		b.scores.train.Raw[7] = math.NaN()
		var label *loss.LabelError
		if trees, err := b.round(t.Context()); trees != nil || !errors.As(err, &label) || label.Row != 7 ||
			b.watch.Rounds != 0 || len(b.ensemble.model.Trees) != 0 {
			t.Errorf("%s: %d trees, %v", what, len(trees), err)
		}
		ended, end := context.WithCancel(t.Context())
		end()
		b = begin()
		if trees, err := b.round(ended); trees != nil || !errors.Is(err, context.Canceled) || len(b.ensemble.model.Trees) != 0 {
			t.Errorf("%s: a context that has ended: %d trees, %v", what, len(trees), err)
		}
		if err := b.Run(ended); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: a run of a context that has ended: %v", what, err)
		}
		if err := b.Run(t.Context()); err != nil || b.Rounds() != 3 {
			t.Errorf("%s: after the error %d rounds, %v", what, b.Rounds(), err)
		}
	}
}

// none samples no rows.
type none struct{ sample.Gradient }

func (none) Sample(dst *sample.Sampled, _, _ []float64, _ uint64) { dst.All, dst.Rows = false, nil }

// A sample without rows ends a training.
func TestSamplesWithoutRows(t *testing.T) {
	b := begun(t, orderedTable(t, 40), learn.Job{Workers: 1}, func(c *Config) { c.Trees = 2 })
	b.sampler.sampler = none{}
	if err := b.Run(t.Context()); !errors.Is(err, errNoRows) || b.Rounds() != 0 {
		t.Errorf("%d rounds, %v", b.Rounds(), err)
	}
}

// withCategories is a table with a column of categories too, and of two classes if binary.
func withCategories(t *testing.T, rows int, binary bool) *data.Dataset {
	t.Helper()
	ds := orderedTable(t, rows)
	level := make([]uint32, rows)
	for i := range level {
		level[i] = uint32(i * i % 9)
	}
	f, err := data.NewFrame(data.Schema{Fields: append(slices.Clone(ds.Schema.Fields), data.Field{Name: "c", Kind: data.Categorical,
		Levels: []string{"a", "b", "c", "d", "e", "f", "g", "h", "i"}})}, append(slices.Clone(ds.Columns), data.Codes(level)))
	if err != nil {
		t.Fatal(err)
	}
	ds.Frame = f
	if binary {
		y := ds.Target.Y[0]
		ds.Target.Task, ds.Target.Classes, ds.Target.Y = data.Binary, []string{"no", "yes"}, nil
		for _, v := range y {
			ds.Target.Class = append(ds.Target.Class, uint32(min(max(v, 0), 1)))
		}
	}
	return ds
}

// Categories cost more to search than numbers, and what was left open about them is reported.
func TestCategoriesOfATraining(t *testing.T) {
	b := begun(t, withCategories(t, 90, false), learn.Job{Workers: 1}, func(c *Config) {
		c.Trees, c.Categories = 1, table.AutoEncoding
	})
	want := 0.
	for i, bin := range []float64{binWork, binWork, levelWork} {
		want += bin * float64(b.table.Matrices[0].Columns[i].Bins())
	}
	if w := newMeter(b); math.Abs(w.search-want) > 1e-9 {
		t.Errorf("a search of %v, want %v", w.search, want)
	}
	if e := b.effect(1); e.Categories != table.NativeEncoding {
		t.Errorf("categories are split by %v", e.Categories)
	}
}

// Scores start at 0 with CatBoost's losses but those of numbers, and at the best constant else.
func TestWhereScoresStart(t *testing.T) {
	for _, c := range []struct {
		loss     string
		catboost bool
		want     bool
	}{{"squared", true, false}, {"absolute", true, false}, {"quantile", true, false}, {"mape", true, false},
		{"logistic", true, true}, {"poisson", true, true}, {"logistic", false, false}} {
		var o Config
		if c.catboost {
			o.Engine.Conventions = hist.CatBoost
		}
		if got := o.startsAtZero(c.loss); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
	ds := withCategories(t, 90, true)
	for _, as := range []hist.Conventions{hist.Own, hist.CatBoost} {
		b := begun(t, ds, learn.Job{Workers: 1}, func(c *Config) { c.Trees, c.Engine.Conventions = 1, as })
		if bias := b.ensemble.model.Bias[0]; (bias == 0) != (as == hist.CatBoost) {
			t.Errorf("conventions %v: scores start at %v", as, bias)
		}
	}
}

// A model of quantiles states which they are.
func TestQuantilesOfAModel(t *testing.T) {
	b := begun(t, orderedTable(t, 60), learn.Job{Workers: 1}, func(c *Config) { c.Trees, c.Loss.Name = 1, "quantile" })
	if q := b.ensemble.model.Meta.Quantiles; !slices.Equal(q, b.scores.train.Objective.(loss.Quantiler).Quantiles()) || len(q) == 0 {
		t.Errorf("quantiles %v", q)
	}
	if q := begun(t, orderedTable(t, 60), learn.Job{Workers: 1}, func(c *Config) { c.Trees = 1 }).ensemble.model.Meta.Quantiles; q != nil {
		t.Errorf("quantiles of a mean: %v", q)
	}
}

// Where a validation set chooses the rounds, too little gain in two windows ends them.
func TestTooLittleGain(t *testing.T) {
	for _, slow := range []bool{false, true} {
		b := begun(t, orderedTable(t, 200), learn.Job{Workers: 1, Seed: 1}, func(c *Config) {
			c.Trees, c.Engine.Leaves, c.ValidFraction, c.EarlyStopping, c.LearningRate = 40, 3, 0.25, 5, 1e-6
		})
		b.watch.slow = slow
		if err := b.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if want := map[bool]int{false: 40, true: 16}[slow]; b.watch.Stopped != slow || b.Rounds() != want {
			t.Errorf("slow %v: stopped %v after %d rounds, want %d", slow, b.watch.Stopped, b.Rounds(), want)
		}
	}
}

// otherUser trained with other parameters.
type otherUser struct{ anyone }

func (otherUser) Same(*model.Ensemble) error { return errors.New("other leaves") }

// A checkpoint of other parameters, or one whose head is no JSON, is refused.
func TestCheckpointsOfOthers(t *testing.T) {
	ds := orderedTable(t, 60)
	first := ran(t, ds, learn.Job{Seed: 3}, func(*Config) {})
	c, err := first.checkpoint()
	if err != nil {
		t.Fatal(err)
	}
	job := learn.Job{Seed: 3, Workers: 1, Start: c}
	change := func(user User) func(o *Config) {
		return func(o *Config) {
			o.Trees, o.Engine.Leaves, o.ValidFraction, o.User, o.TrainingMetric = 6, 5, 0.25, user, 1
		}
	}
	if _, err := begin(t, ds, job, change(otherUser{})); err == nil || err.Error() != "other leaves" {
		t.Errorf("other parameters: %v", err)
	}
	if _, err := begin(t, ds, job, change(anyone{})); err != nil {
		t.Errorf("the same parameters: %v", err)
	}
	text := strings.Replace(string(c.State), `"version"`, `"version'`, 1)
	job.Start = &learn.Checkpoint{Model: c.Model, State: []byte(text)}
	if _, err := begin(t, ds, job, change(anyone{})); !errors.Is(err, ErrState) {
		t.Errorf("a head that is no JSON: %v", err)
	}
	if _, _, err := ChoiceOf([]byte(text)); !errors.Is(err, ErrState) {
		t.Errorf("a choice of a head that is no JSON: %v", err)
	}
}
