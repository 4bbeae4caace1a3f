package boost

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm/internal/hist"
	"github.com/coppice-ml/coppice/loss"
	"github.com/coppice-ml/coppice/model"
)

// ran returns a training of six rounds that has ended, on three of four rows.
func ran(t *testing.T, ds *data.Dataset, job learn.Job, change func(c *Config)) *Training {
	t.Helper()
	job.Workers = 1
	b := begun(t, ds, job, func(c *Config) {
		c.Trees, c.Engine.Leaves, c.ValidFraction, c.User, c.TrainingMetric = 6, 5, 0.25, anyone{}, 1
		change(c)
	})
	if err := b.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return b
}

// Blocks of the validation set have values whose mean is that of the whole, where all weigh the
// same. Groups stay in one block, and there are none where a block has no value.
func TestValuesOfBlocks(t *testing.T) {
	for _, name := range []string{"mae", "logloss", "auc", "ndcg@3"} {
		ds := orderedTable(t, 400)
		ds.Target.Weight = nil
		switch name {
		case "logloss":
			ds = classesTable(t, 400)
		case "auc":
			ds.Target = data.Target{Name: "y", Task: data.Binary, Classes: []string{"a", "b"}, Class: make([]uint32, 400)}
			for _, i := range []int{3, 50, 77, 120, 200, 300} {
				ds.Target.Class[i] = 1
			}
		case "ndcg@3":
			ds.Target.Task = data.Ranking
			for i, y := range ds.Target.Y[0] {
				ds.Target.Y[0][i], ds.Target.Group = max(0, math.Floor(y)), append(ds.Target.Group, int64(i/10))
			}
		}
		f := NewFold(ran(t, ds, learn.Job{Seed: 2}, func(c *Config) { c.Metric = name }))
		raw := f.ValidationSet().Raw
		values := f.BlockValues(raw)
		if name == "auc" {
			if values != nil {
				t.Errorf("blocks of one class have values: %v", values)
			}
			continue
		}
		whole, sum := f.FirstCurve().Values[5], 0.0
		for _, v := range values {
			sum += v
		}
		if len(values) != 10 || math.Abs(sum/10-whole) > 1e-9 || values[0] == values[1] {
			t.Errorf("%s: blocks have %v, the whole has %v", name, values, whole)
		}
		if again := f.BlockValues(make([]float64, len(raw))); slices.Equal(values, again) {
			t.Errorf("%s: other scores have the same values", name)
		}
	}
}

// A training that has ended keeps the rounds up to the best one, if early stopping chose it.
func TestFinish(t *testing.T) {
	ds := orderedTable(t, 120)
	for _, stop := range []int{0, 50} {
		b := ran(t, ds, learn.Job{Seed: 4}, func(c *Config) { c.EarlyStopping, c.Dropout = stop, &Dropout{Drop: 0.5} })
		want := 6
		if b.watch.Best = 4; stop > 0 {
			b.ensemble.bestWeights = slices.Clone(b.ensemble.model.Weights)
			b.ensemble.bestWeights[0] = 7
			want = 4
		}
		m, err := b.Finish()
		if err != nil {
			t.Fatal(err)
		}
		e := m.(*model.Ensemble)
		if len(e.Trees) != want || len(e.Weights) != want || (e.Weights[0] == 7) != (stop > 0) || len(m.Spec().Summary) == 0 {
			t.Errorf("early stopping %d: %d trees of weights %v, want %d", stop, len(e.Trees), e.Weights, want)
		}
	}
}

// Rounds behind some number go with what was evaluated of them.
func TestTruncate(t *testing.T) {
	b := ran(t, classesTable(t, 120), learn.Job{Seed: 4}, func(*Config) {})
	latest, curve := b.LatestMetrics(), slices.Clone(b.FirstCurve().Values)
	if len(latest) == 0 || latest[len(latest)-1].Value != curve[5] || b.Rounds() != 6 || b.SharedTable() != b.table {
		t.Errorf("the latest metrics are %v, the curve %v", latest, curve)
	}
	if b.Truncate(2); b.Rounds() != 2 || len(b.ensemble.model.Trees) != 10 || !slices.Equal(b.FirstCurve().Values, curve[:2]) {
		t.Errorf("%d rounds of %d trees, curve %v", b.Rounds(), len(b.ensemble.model.Trees), b.FirstCurve().Values)
	}
}

// A plan that is decided late has its rounds, its rate and its observer, whose error ends the
// training.
func TestPlansDecidedLate(t *testing.T) {
	b := begun(t, orderedTable(t, 80), learn.Job{Seed: 1, Workers: 1}, func(c *Config) { c.Engine.Leaves = 4 })
	p := b.setup.Plan
	p.Config.Trees, p.Config.LearningRate = 5, 0.25
	enough, seen := errors.New("enough"), []int{}
	b.SetPlan(&p, func(r learn.Round) error {
		if seen = append(seen, r.N); r.Of != 5 || r.Stage != "boost" {
			t.Errorf("round %+v", r)
		}
		if r.N == 3 {
			return enough
		}
		return nil
	})
	if err := b.Run(t.Context()); !errors.Is(err, enough) || !slices.Equal(seen, []int{1, 2, 3}) || b.setup.Config.LearningRate != 0.25 {
		t.Errorf("%v after rounds %v", err, seen)
	}
}

// The predictions of the validation set are reported where early stopping chose the rounds by them.
func TestHoldOutOfATraining(t *testing.T) {
	ds := orderedTable(t, 80)
	for _, c := range []struct {
		stop  int
		valid float64
		want  bool
	}{{9, 0.25, true}, {0, 0.25, false}, {9, 0, false}} {
		b := ran(t, ds, learn.Job{Seed: 4}, func(o *Config) { o.EarlyStopping, o.ValidFraction = c.stop, c.valid })
		var got *learn.HoldOut
		err := b.ReportHoldOut(t.Context(), &learn.Job{HoldOut: func(_ string, h *learn.HoldOut) error {
			got = h
			return nil
		}})
		if err != nil || (got != nil) != c.want {
			t.Fatalf("%+v: %+v, %v", c, got, err)
		}
		if c.want && (!slices.Equal(got.Rows, b.ValidationSet().Rows) || !slices.Equal(got.Values, b.ValidationSet().Raw)) {
			t.Errorf("%+v is reported", got)
		}
		if err := b.ReportHoldOut(t.Context(), &learn.Job{}); err != nil {
			t.Errorf("nobody listens: %v", err)
		}
	}
}

// A training that continues a model starts from its scores, and adds rounds to it.
func TestContinuedTrainings(t *testing.T) {
	for _, ds := range []*data.Dataset{orderedTable(t, 120), classesTable(t, 120)} {
		for what, change := range map[string]func(c *Config){
			"plain": func(*Config) {}, "dropout": func(c *Config) { c.Dropout = &Dropout{Drop: 0.7} },
			"decay": func(c *Config) { c.Decay = 0.5 },
		} {
			first := ran(t, ds, learn.Job{Seed: 3}, change)
			b := ran(t, ds, learn.Job{Seed: 9, Start: &learn.Checkpoint{Model: first.ensemble.model}}, change)
			e, width := b.ensemble, first.ensemble.width
			if e.before != 6 || e.first != 6*width || len(e.model.Trees) != 12*width || e.model.Trees[0] != first.ensemble.model.Trees[0] {
				t.Errorf("%s: %d trees, %d of %d rounds before", what, len(e.model.Trees), e.first, e.before)
			}
			sameScores(t, b, ds, b.scores.train)
			sameScores(t, b, ds, b.scores.valid)
			if rate := b.setup.Config.rate(7); what == "decay" && math.Abs(rate-0.1*math.Pow(0.5, 7)) > 1e-15 {
				t.Errorf("round 8 has the rate %v", rate)
			}
		}
	}
	other := ran(t, classesTable(t, 120), learn.Job{Seed: 3}, func(*Config) {})
	job := learn.Job{Workers: 1, Start: &learn.Checkpoint{Model: other.ensemble.model}}
	if _, err := begin(t, orderedTable(t, 120), job, func(c *Config) { c.Trees = 1 }); err == nil ||
		!strings.Contains(err.Error(), "the model to continue is for multiclass") {
		t.Errorf("a model of classes to continue with numbers: %v", err)
	}
}

// Noise is of the deviation of the derivatives: it changes the columns that levels are split by,
// from the same seed in the same way.
func TestNoisyTrees(t *testing.T) {
	features := func(strength float64, seed uint64) (all []int32) {
		b := ran(t, classesTable(t, 300), learn.Job{Seed: seed}, func(c *Config) {
			c.Noise, c.Engine.Policy, c.Engine.Leaves, c.Engine.Depth = strength, hist.Symmetric, 0, 2
		})
		for o, got := range b.derivatives.(*storedDerivatives).deviation {
			d, n := b.derivatives.(*storedDerivatives), len(b.scores.train.Rows)
			if want := deviationOf(d.g[o*n:(o+1)*n], 1); got != want || !(got > 0) {
				t.Errorf("output %d has the deviation %v, want %v", o, got, want)
			}
		}
		for _, tree := range b.ensemble.model.Trees {
			for n := range int32(tree.Len()) {
				if tree.Arity(n) == 2 {
					all = append(all, tree.Feature(n))
				}
			}
		}
		return all
	}
	loud := features(1e6, 1)
	if !slices.Equal(loud, features(1e6, 1)) || slices.Equal(loud, features(1e6, 2)) || slices.Equal(loud, features(1e-9, 1)) {
		t.Error("noise depends on more than its seed, or on less")
	}
}

// A loss without curvature is an error in the first round, and ends the training later.
func TestLossesWithoutCurvature(t *testing.T) {
	b := begun(t, orderedTable(t, 40), learn.Job{Workers: 1}, func(c *Config) { c.Trees, c.Engine.L2 = 3, 0 })
	d := newStoredDerivatives(b.setup, b.scores)
	d.h[0], b.derivatives = 1, d
	if curved, err := b.curved(&roundPlan{}); !curved || err != nil {
		t.Errorf("curved: %v, %v", curved, err)
	}
	clear(d.h)
	if curved, err := b.curved(&roundPlan{}); curved || err == nil || b.watch.Flat {
		t.Errorf("flat in the first round: %v, %v", curved, err)
	}
	if curved, err := b.curved(&roundPlan{n: 1}); curved || err != nil || !b.watch.Flat {
		t.Errorf("flat in the second round: %v, %v", curved, err)
	}
}

// Where a round ends without trees the rounds that it dropped are back, with the weights that they
// had.
func TestDroppedRoundsOfAFlatLoss(t *testing.T) {
	b := ran(t, orderedTable(t, 60), learn.Job{Seed: 2}, func(c *Config) { c.Dropout, c.Engine.L2 = &Dropout{Drop: 1}, 0 })
	weights, raw, valid := slices.Clone(b.ensemble.model.Weights), slices.Clone(b.scores.raw), slices.Clone(b.scores.valid.Raw)
	d := newStoredDerivatives(b.setup, b.scores)
	b.derivatives = d
	if err := b.earlier.drop(6); err != nil {
		t.Fatal(err)
	}
	if slices.Equal(b.scores.raw, raw) || slices.Equal(b.scores.valid.Raw, valid) {
		t.Error("no round was dropped")
	}
	if curved, err := b.curved(&roundPlan{n: 6}); curved || err != nil {
		t.Errorf("%v, %v", curved, err)
	}
	near := func(x, y float64) bool { return math.Abs(x-y) < 1e-12 }
	if !slices.Equal(b.ensemble.model.Weights, weights) || !slices.EqualFunc(b.scores.raw, raw, near) ||
		!slices.EqualFunc(b.scores.valid.Raw, valid, near) {
		t.Errorf("weights %v, want %v; or other scores", b.ensemble.model.Weights, weights)
	}
}

// Derivatives that are not stored have faults too, where scores are no numbers.
func TestFaultsOfScores(t *testing.T) {
	var label *loss.LabelError
	for _, ds := range []*data.Dataset{orderedTable(t, 40), classesTable(t, 40)} {
		b := begun(t, ds, learn.Job{Workers: 1}, func(c *Config) { c.Trees = 1 })
		stored, is := b.derivatives.(*storedDerivatives)
		if is {
			if err := stored.update(&roundPlan{number: 2}); err != nil {
				t.Fatal(err)
			}
		}
		if err := b.derivatives.fault(2); err != nil {
			t.Errorf("a fault of good scores: %v", err)
		}
		b.scores.train.Raw[7] = math.NaN()
		if is {
			if err := stored.update(&roundPlan{number: 2}); err != nil {
				t.Fatal(err)
			}
		}
		if err := b.derivatives.fault(2); !errors.As(err, &label) || label.Row != 7 || !strings.HasPrefix(label.Reason, "round 2: ") {
			t.Errorf("a score that is no number: %v", err)
		}
		if _, err := b.round(t.Context()); err == nil {
			t.Error("a round of a score that is no number")
		}
	}
}
