package tune_test

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/datatest"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/learn/knn"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/param"
	"github.com/coppice-ml/coppice/ranks"
	"github.com/coppice-ml/coppice/ranks/rankstest"
	"github.com/coppice-ml/coppice/tree"
	"github.com/coppice-ml/coppice/tune"
)

// trees and neighbours are two learners for the iris table.
func candidates() []tune.Candidate {
	return []tune.Candidate{
		{Name: "cart", New: func() (learn.Learner, error) { return cart.New(), nil },
			Fixed: []string{"prune=none"}},
		{Name: "knn", New: func() (learn.Learner, error) { return knn.New(), nil }},
	}
}

func iris(t *testing.T) *data.Dataset {
	return datatest.Read(t, "iris/iris.csv", data.Roles{Label: "species"})
}

func run(t *testing.T, o tune.Options) *tune.Study {
	t.Helper()
	s, err := tune.Run(t.Context(), candidates(), iris(t), &split.Plan{K: 5, Seed: 1}, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// timeless compares studies without the time that they took.
var timeless = cmpopts.IgnoreFields(tune.Trial{}, "Seconds")

// The first trials are the defaults, with the means of cross-validation by the same folds. Any
// number of workers gives the same trials.
func TestStudy(t *testing.T) {
	for sampler := range map[tune.Sampler]bool{tune.TPE: true, tune.Random: true, tune.ASHA: true} {
		o := tune.Options{Trials: 25, Seed: 7, Sampler: sampler, Workers: 1}
		s := run(t, o)
		o.Workers = 3
		if diff := cmp.Diff(s, run(t, o), timeless); diff != "" {
			t.Errorf("%s, 1 worker and 3: %s", sampler, diff)
		}
		if len(s.Trials) != 25 || s.Metric != "logloss" || s.Higher || s.Folds != 5 {
			t.Fatalf("%s: %d trials by %s on %d folds", sampler, len(s.Trials), s.Metric, s.Folds)
		}
		best := s.Trials[s.Best]
		for i, name := range []string{"cart", "knn"} {
			if first := s.Trials[i]; first.Learner != name || len(first.Settings) > 0 {
				t.Errorf("%s: trial %d is %s %v", sampler, i, first.Learner, first.Settings)
			}
		}
		for _, trial := range s.Trials {
			if len(trial.Tests) == 5 && trial.Mean() < best.Mean() {
				t.Errorf("%s: trial %d is better than the best", sampler, trial.Number)
			}
			if slices.ContainsFunc(trial.Settings,
				func(s string) bool { return strings.HasPrefix(s, "prune") }) {
				t.Errorf("%s: trial %d sets what is fixed: %v", sampler, trial.Number, trial.Settings)
			}
		}
	}
}

// With ASHA all trials have one fold, and about a third of them all.
func TestRungs(t *testing.T) {
	s := run(t, tune.Options{Trials: 30, Sampler: tune.ASHA})
	count := map[int]int{}
	for _, trial := range s.Trials {
		count[len(trial.Tests)]++
	}
	if count[1]+count[5] != 30 || count[5] < 10 || count[5] > 15 {
		t.Errorf("trials by their tests: %v", count)
	}
}

// A study that is interrupted and goes on has the trials of one that is not.
func TestStudyGoesOn(t *testing.T) {
	for _, sampler := range []tune.Sampler{tune.TPE, tune.ASHA} {
		file := filepath.Join(t.TempDir(), "study")
		o := tune.Options{Trials: 20, Sampler: sampler, Study: file}
		o.Observe = func(s *tune.Study) error {
			if len(s.Trials) == 7 {
				return learn.Stop
			}
			return nil
		}
		if got := run(t, o); len(got.Trials) != 7 {
			t.Fatalf("%d trials", len(got.Trials))
		}
		// A process that was killed leaves half a line.
		f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteString(`{"trial":7,"lear`); err != nil || f.Close() != nil {
			t.Fatal(err)
		}
		o.Observe = nil
		got := run(t, o)
		o.Study = ""
		if diff := cmp.Diff(run(t, o), got, timeless); diff != "" {
			t.Errorf("%s: %s", sampler, diff)
		}
	}
}

// The Parzen estimator proposes no settings twice, although whole numbers have few values.
func TestNoSettingsAreTestedTwice(t *testing.T) {
	s, err := tune.Run(t.Context(), candidates()[1:], iris(t), &split.Plan{K: 2, Seed: 1},
		tune.Options{Trials: 60, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for _, trial := range s.Trials {
		text := strings.Join(trial.Settings, " ")
		if before, ok := seen[text]; ok {
			t.Errorf("trials %d and %d are both %s", before, trial.Number, text)
		}
		seen[text] = trial.Number
	}
}

// Ranks work at one study, and all return all of its trials.
func TestRanksShareStudies(t *testing.T) {
	file := filepath.Join(t.TempDir(), "study")
	ds := iris(t)
	studies := make([]*tune.Study, 3)
	errs := rankstest.Each(3, func(g ranks.Group) (err error) {
		studies[g.Rank()], err = tune.Run(t.Context(), candidates(), ds, &split.Plan{K: 5, Seed: 1},
			tune.Options{Trials: 20, Study: file, Workers: 1, Ranks: g})
		return err
	})
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	for rank, s := range studies {
		if len(s.Trials) != 20 {
			t.Errorf("rank %d returned %d trials, want 20", rank, len(s.Trials))
		}
		if diff := cmp.Diff(studies[0], s); diff != "" {
			t.Errorf("rank %d: %s", rank, diff)
		}
	}
	_, err := tune.Run(t.Context(), candidates(), ds, &split.Plan{K: 5},
		tune.Options{Trials: 1, Ranks: ofTwo{ranks.Of(nil)}})
	if err == nil || !strings.Contains(err.Error(), "name one") {
		t.Errorf("without a file: %v", err)
	}
}

// ofTwo is one of two ranks.
type ofTwo struct{ ranks.Group }

func (ofTwo) Size() int { return 2 }

// quadratic is a learner that predicts (a - 0.3)^2 + (log10 b - 1)^2 where the truth is 0. If c is
// far, d counts too.
type quadratic struct {
	a, b, d float64
	c       string
}

func (q *quadratic) Params() param.Set {
	return param.Set{
		param.Float(&q.a, "a", 1, 0, 1, "").Tune(0, 1),
		param.Float(&q.b, "b", 1, 0, 1000, "").TuneLog(0.1, 1000),
		param.Choice(&q.c, "c", "far", []string{"near", "far"}, "").TuneAmong("near", "far"),
		param.Float(&q.d, "d", 1, 0, 1, "").Tune(0, 1).TuneWith("c", "far"),
	}
}

func (*quadratic) Capabilities() learn.Capabilities { return learn.Capabilities{} }

func (q *quadratic) Prepare(_ context.Context, features data.Features, _ []int32, _ []float64,
	_ learn.Env) (learn.Fitter, error) {
	f, err := features.InMemory()
	if err != nil {
		return nil, err
	}
	return quadraticFitter{*q, f}, nil
}

type quadraticFitter struct {
	quadratic
	f *data.Frame
}

func (q quadraticFitter) Fit(context.Context, *data.Target, learn.Job) (model.Model, error) {
	v := (q.a-0.3)*(q.a-0.3) + (math.Log10(q.b)-1)*(math.Log10(q.b)-1)
	if q.c == "far" {
		v += 0.1 + q.d
	}
	b := tree.NewBuilder(tree.Scalar, 1, false)
	b.SetValue(0, []float64{v})
	leaf, err := b.Build()
	return &model.Ensemble{Trees: []*tree.Tree{leaf}, Combine: model.Mean,
		Meta: model.Spec{Schema: q.f.Schema, Task: data.Regression}}, err
}

// zeros is a table whose label is 0 everywhere.
func zeros(t *testing.T) *data.Dataset {
	f, err := data.FromColumns(data.NamedColumn{Name: "x", Values: make([]float64, 20)})
	if err != nil {
		t.Fatal(err)
	}
	return &data.Dataset{Frame: f,
		Target: data.Target{Task: data.Regression, Y: [][]float64{make([]float64, 20)}}}
}

func quadratics() []tune.Candidate {
	return []tune.Candidate{{Name: "quadratic",
		New: func() (learn.Learner, error) { return param.WithDefaults(&quadratic{}), nil }}}
}

// The Parzen estimator finds a smooth optimum much better than random search, for most seeds.
func TestParzenIsBetterThanRandom(t *testing.T) {
	better, sum := 0, map[tune.Sampler]float64{}
	for seed := range uint64(20) {
		best := map[tune.Sampler]float64{}
		for _, sampler := range []tune.Sampler{tune.TPE, tune.Random} {
			s, err := tune.Run(t.Context(), quadratics(), zeros(t), &split.Plan{K: 2},
				tune.Options{Trials: 60, Seed: seed, Sampler: sampler, Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			best[sampler] = s.Trials[s.Best].Mean()
			sum[sampler] += best[sampler]
			for _, trial := range s.Trials {
				text := strings.Join(trial.Settings, " ")
				if strings.Contains(text, "c=near") && strings.Contains(text, "d=") {
					t.Fatalf("d has no effect in %s", text)
				}
			}
		}
		if best[tune.TPE] < best[tune.Random] {
			better++
		}
	}
	if better < 16 || 2*sum[tune.TPE] > sum[tune.Random] {
		t.Errorf("better in %d of 20 studies, sums of the best %v", better, sum)
	}
}

// Whatever the catalog declares for tuning, its learners accept.
func TestSpacesOfTheCatalog(t *testing.T) {
	tier.NotShort(t, "tunes each learner")
	spaces := 0
	for _, e := range catalog.Table() {
		c := tune.Candidate{Name: e.Name, New: func() (learn.Learner, error) { return e.New(), nil }}
		n, err := tune.Dimensions(&c)
		if err != nil {
			t.Fatal(err)
		}
		if n == 0 {
			continue
		}
		spaces++
		for i := range uint64(tier.Count(10, 30, 100)) {
			settings := tune.Draw(rng.New(1, i), &c)
			l := e.New()
			if err := l.Params().Set(settings); err != nil {
				t.Fatalf("%s: %v", e.Name, err)
			}
			if err := l.Capabilities().Conflicts; err != nil {
				t.Fatalf("%s %v: %v", e.Name, settings, err)
			}
		}
	}
	if spaces < 14 {
		t.Errorf("%d learners have parameters to tune", spaces)
	}
}

func TestFaults(t *testing.T) {
	ds, plan := iris(t), &split.Plan{K: 3}
	file := filepath.Join(t.TempDir(), "study")
	if _, err := tune.Run(t.Context(), candidates(), ds, plan,
		tune.Options{Trials: 2, Study: file}); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), "notes.txt")
	if err := os.WriteFile(other, []byte("hello\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for want, o := range map[string]tune.Options{
		"needs a limit":                 {},
		`unknown sampler "grid"`:        {Trials: 1, Sampler: "grid"},
		"it is of the seed 0":           {Trials: 1, Study: file, Seed: 1},
		"it is of the metric logloss":   {Trials: 1, Study: file, Metric: "error"},
		"it is of the sampler tpe":      {Trials: 1, Study: file, Sampler: tune.ASHA},
		"the file is no study":          {Trials: 1, Study: other},
		"cannot write the study":        {Trials: 1, Study: filepath.Join(file, "below")},
		`"rmse" is no metric of multic`: {Trials: 1, Metric: "rmse"},
	} {
		_, err := tune.Run(t.Context(), candidates(), ds, plan, o)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
	// The first trial has the defaults: what fails there fails everywhere.
	bad := candidates()[:1]
	bad[0].Fixed = []string{"class_weight=unknown=2"}
	if _, err := tune.Run(t.Context(), bad, ds, plan, tune.Options{Trials: 3}); err == nil ||
		!strings.Contains(err.Error(), "cart: ") {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	s, err := tune.Run(ctx, candidates(), ds, plan, tune.Options{Trials: 9,
		Observe: func(s *tune.Study) error {
			if len(s.Trials) == 3 {
				cancel()
			}
			return nil
		}})
	if !errors.Is(err, context.Canceled) || len(s.Trials) != 3 {
		t.Errorf("cancelled after 3 trials: %v, %+v", err, s)
	}
}

// The tests of a trial are those of cross-validation with the same seeds of folds.
func TestTrialsAreTests(t *testing.T) {
	s := run(t, tune.Options{Trials: 2})
	c, err := eval.Compare(t.Context(), []eval.Entrant{{Name: "knn", Learner: knn.New()},
		{Name: "again", Learner: knn.New()}}, iris(t), &split.Plan{K: 5, Seed: 1},
		eval.CompareOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(s.Trials[1].Tests, c.Learners[0].Tests) {
		t.Errorf("tests %v, by eval.Compare %v", s.Trials[1].Tests, c.Learners[0].Tests)
	}
}
