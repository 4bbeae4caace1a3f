package portfolio_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/learn/gbm"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/learn/learntest"
	"github.com/coppice-ml/coppice/learn/portfolio"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/param"
)

func table(rows int, task data.Task) *data.Dataset {
	return learntest.Mixed(rows, task, false, [3]string{"a", "b", "word"})
}

func made(t testing.TB, settings ...string) *portfolio.Learner {
	t.Helper()
	return learntest.Made(t, portfolio.New(catalog.Resolve), settings...)
}

func fit(t testing.TB, ds *data.Dataset, job learn.Job, settings ...string) model.Model {
	t.Helper()
	return learntest.MustFit(t, catalog.Env(1), made(t, settings...), ds, job)
}

func summary(t testing.TB, m model.Model) portfolio.Summary {
	t.Helper()
	return learntest.Summary[portfolio.Summary](t, m)
}

// quick are members that take little time.
var quick = []string{"members=gbm,forest,knn", "members.gbm.trees=5", "members.forest.trees=5"}

// TestFrozenModels holds portfolios to what they predicted when the hashes were taken. A hash may
// change only with a change of the algorithm that is meant and listed in the changelog.
func TestFrozenModels(t *testing.T) {
	tier.NotShort(t, "trains several learners in folds")
	settings := append(slices.Clone(quick), "budget=9", "folds=3")
	for _, c := range []learntest.Hash{
		{Name: "two classes", File: "adult/adult-train.csv.gz", Label: "income", Task: data.Binary,
			Rows: 300, Settings: settings, Want: "67d50862a08475fb"},
		{Name: "many classes", File: "letter/letter.csv.gz", Label: "lettr", Task: data.Multiclass,
			Rows: 300, Settings: settings, Want: "2a2bbadedab03c62"},
		{Name: "numbers", File: "adult/adult-train.csv.gz", Label: "hours-per-week",
			Task: data.Regression, Rows: 300, Settings: settings, Want: "04249cc3ffae02e6"},
		{Name: "refit", File: "spambase/spambase.csv", Label: "spam", Task: data.Binary, Rows: 300,
			Settings: append(slices.Clone(settings), "final=refit"), Want: "9897a5121910206e"},
	} {
		t.Run(c.Name, func(t *testing.T) {
			c.Check(t, catalog.Env, func() learn.Learner { return portfolio.New(catalog.Resolve) })
		})
	}
}

// A larger budget goes on with the configurations of a smaller one, also beyond the portfolio.
func TestBudgetsAreNested(t *testing.T) {
	ds := table(120, data.Binary)
	few := summary(t, fit(t, ds, learn.Job{Seed: 3}, append(quick, "budget=15")...))
	many := summary(t, fit(t, ds, learn.Job{Seed: 3}, append(quick, "budget=28")...))
	if len(few.Configurations) != 15 || len(many.Configurations) != 28 {
		t.Fatalf("%d and %d configurations, want 15 and 28", len(few.Configurations),
			len(many.Configurations))
	}
	for i, c := range few.Configurations {
		o := many.Configurations[i]
		if c.Member != o.Member || !slices.Equal(c.Settings, o.Settings) || *c.Loss != *o.Loss {
			t.Errorf("configuration %d is %+v of the small budget, %+v of the large one", i, c, o)
		}
	}
	if many.Configurations[0].Settings == nil || len(many.Configurations[0].Settings) > 0 {
		t.Errorf("the first configuration has %q", many.Configurations[0].Settings)
	}
	seen := map[string]bool{}
	for _, c := range many.Configurations {
		text := fmt.Sprint(c.Member, c.Settings)
		if seen[text] {
			t.Errorf("%s is tried twice", text)
		}
		seen[text] = true
	}
	if *many.Loss > *many.Configurations[0].Loss {
		t.Errorf("the ensemble has log loss %v, the first configuration %v", *many.Loss,
			*many.Configurations[0].Loss)
	}
}

// The summary has the losses of the predictions that are handed out, and the ensemble that of their
// weighted mean.
func TestLossesAreOutOfFold(t *testing.T) {
	for _, task := range []data.Task{data.Binary, data.Multiclass, data.Regression} {
		ds := table(150, task)
		for i := range ds.Rows() {
			ds.Target.Weight = append(ds.Target.Weight, 1+float64(i%3))
		}
		var all []*learn.HoldOut
		job := learn.Job{Seed: 1, HoldOut: func(_ string, h *learn.HoldOut) error {
			all = append(all, h)
			return nil
		}}
		s := summary(t, fit(t, ds, job, append(quick, "budget=6")...))
		if len(all) != len(s.Configurations) || s.HoldOut != 150 || s.Folds != 5 {
			t.Fatalf("%s: %d predictions, %+v", task, len(all), s)
		}
		mean := make([]float64, len(all[0].Values))
		for i, h := range all {
			if got := loss(t, ds, h.Values); math.Abs(got-*s.Configurations[i].Loss) > 1e-9 {
				t.Errorf("%s, configuration %d: loss %v, of its predictions %v", task, i,
					*s.Configurations[i].Loss, got)
			}
			for at, v := range h.Values {
				mean[at] += s.Configurations[i].Weight * v
			}
		}
		if got := loss(t, ds, mean); math.Abs(got-*s.Loss) > 1e-9 {
			t.Errorf("%s: loss %v, of the mean %v", task, *s.Loss, got)
		}
	}
}

// loss is the log loss or the root of the mean squared error of predictions for all rows.
func loss(t *testing.T, ds *data.Dataset, predicted []float64) float64 {
	t.Helper()
	s := metric.SampleOf(&ds.Target, data.AllRows(ds.Rows()))
	s.Width, s.Pred = len(predicted)/ds.Rows(), predicted
	name := "logloss"
	if ds.Target.Task == data.Regression {
		name = "rmse"
	}
	v, err := metric.Of(name, s)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// members returns the number of models of each member.
func members(m model.Model) (each []int) {
	for _, child := range m.Children() {
		each = append(each, max(1, len(child.Model.Children())))
	}
	return each
}

// The models of the folds predict, or one that is trained on all rows: by final, by time, and with
// a validation set.
func TestFinal(t *testing.T) {
	ds := table(120, data.Binary)
	timed := table(120, data.Binary)
	for i := range timed.Rows() {
		timed.Target.Time = append(timed.Target.Time, int64(i/2))
	}
	for name, c := range map[string]struct {
		ds          *data.Dataset
		job         learn.Job
		final       string
		each, folds int
		refit       bool
	}{
		"folds":           {ds: ds, final: "auto", each: 4, folds: 4},
		"refit":           {ds: ds, final: "refit", each: 1, folds: 4, refit: true},
		"time":            {ds: timed, final: "auto", each: 1, folds: 1, refit: true},
		"time, not refit": {ds: timed, final: "folds", each: 1, folds: 1},
		"validation set": {ds: ds, job: learn.Job{Rows: data.AllRows(80),
			Valid: data.AllRows(120)[80:]}, final: "refit", each: 1, folds: 1},
	} {
		t.Run(name, func(t *testing.T) {
			// forests of folds become one forest
			m := fit(t, c.ds, c.job, "members=gbm,knn", "members.gbm.trees=5", "budget=5", "folds=4",
				"final="+c.final)
			s := summary(t, m)
			if s.Folds != c.folds || s.Refit != c.refit {
				t.Errorf("%d folds, refit %v; want %d, %v", s.Folds, s.Refit, c.folds, c.refit)
			}
			for i, n := range members(m) {
				want := c.each
				if i == 0 && c.final == "auto" {
					want = 1 // the first configuration is trained on all rows
				}
				if n != want && (want > 1 || n > 1) {
					t.Errorf("members of %d models, want %d", n, want)
				}
			}
		})
	}
}

// The first configuration is what it is without a portfolio, trained on all rows: alone it is the
// model, and beside others it starts the selection.
func TestFirstConfiguration(t *testing.T) {
	ds := table(150, data.Binary)
	alone := learntest.MustFit(t, catalog.Env(1), learntest.Made(t, gbm.New(), "trees=5"), ds,
		learn.Job{Seed: 5})
	predict := func(m model.Model) []float64 {
		_, values, err := fitting.PredictRows(m, ds.Frame, data.AllRows(150), model.Response, 1)
		if err != nil {
			t.Fatal(err)
		}
		return values
	}
	settings := []string{"members=gbm,knn", "members.gbm.trees=5"}
	one := fit(t, ds, learn.Job{Seed: 5}, append(settings, "budget=1")...)
	if !slices.Equal(predict(one), predict(alone)) {
		t.Error("one configuration predicts otherwise than gbm alone")
	}
	many := fit(t, ds, learn.Job{Seed: 5}, append(settings, "budget=5", "selection=10")...)
	first := summary(t, many).Configurations[0]
	if !first.AllRows || first.Weight < 0.2 {
		t.Errorf("the first configuration: %+v", first)
	}
	if got := predict(many.Children()[0].Model); !slices.Equal(got, predict(alone)) {
		t.Error("the first member predicts otherwise than gbm alone")
	}
}

// On noise the ensemble is not better by a standard error: gbm alone is the model. What the
// rehearsal of its training chose is the first configuration on the folds, too.
func TestGuard(t *testing.T) {
	ds := table(600, data.Binary)
	for i := range ds.Target.Class {
		ds.Target.Class[i] = uint32(i*i/7) % 2
	}
	m := fit(t, ds, learn.Job{Seed: 5}, "members=gbm,knn", "members.gbm.early_stopping=5", "budget=3")
	s := summary(t, m)
	if c := s.Comparison; c == nil || !c.Lost || c.Gain > c.Error || s.Configurations[0].Weight != 1 {
		t.Errorf("%+v", s)
	}
	alone := learntest.MustFit(t, catalog.Env(1), learntest.Made(t, gbm.New(), "early_stopping=5"), ds,
		learn.Job{Seed: 5})
	chosen, err := gbm.New().Capabilities().Chosen(alone)
	if err != nil || len(chosen) == 0 || chosen[len(chosen)-1] != "rehearse=false" {
		t.Fatalf("the rehearsal chose %q, %v", chosen, err)
	}
	rows := data.AllRows(600)
	_, got, err1 := fitting.PredictRows(m, ds.Frame, rows, model.Response, 1)
	_, want, err2 := fitting.PredictRows(alone, ds.Frame, rows, model.Response, 1)
	if err1 != nil || err2 != nil || !slices.Equal(got, want) {
		t.Errorf("other predictions than those of gbm alone: %v %v", err1, err2)
	}
}

// The rows of a group are in one fold, of which there are no more than groups.
func TestGroups(t *testing.T) {
	ds := table(60, data.Binary)
	for i := range ds.Rows() {
		ds.Target.Group = append(ds.Target.Group, int64(i%3))
	}
	s := summary(t, fit(t, ds, learn.Job{}, append(quick, "budget=2")...))
	if s.Folds != 3 || s.Requested != 5 {
		t.Errorf("%d folds, %d requested; want 3, 5", s.Folds, s.Requested)
	}
	for i := range ds.Target.Group {
		ds.Target.Group[i] = 7
	}
	m := fit(t, ds, learn.Job{}, append(quick, "budget=2")...)
	if s := summary(t, m); s.Folds != 0 || s.HoldOut != 0 || len(s.Configurations) != 1 {
		t.Errorf("one group: %+v", s)
	}
}

// A time ends the search, with one configuration at least.
func TestTime(t *testing.T) {
	ds := table(100, data.Binary)
	if s := summary(t, fit(t, ds, learn.Job{}, append(quick, "budget=1ns")...)); len(
		s.Configurations) != 1 {
		t.Errorf("%d configurations in a nanosecond", len(s.Configurations))
	}
	folds := 0
	m := fit(t, ds, learn.Job{Observe: func(learn.Round) error {
		if folds++; folds == 12 {
			return learn.Stop
		}
		return nil
	}}, append(quick, "budget=1h")...)
	if s := summary(t, m); len(s.Configurations) != 2 {
		t.Errorf("%d configurations in 12 folds of an hour, want 2", len(s.Configurations))
	}
}

// What the caller gives a member stays in all its configurations.
func TestGivenParametersStay(t *testing.T) {
	ds := table(100, data.Binary)
	m := fit(t, ds, learn.Job{}, "members=gbm", "members.gbm.leaves=3", "members.gbm.trees=4",
		"budget=12")
	for _, c := range summary(t, m).Configurations {
		for _, s := range c.Settings {
			if strings.HasPrefix(s, "leaves=") || strings.HasPrefix(s, "trees=") {
				t.Errorf("a configuration has %s", s)
			}
		}
	}
	for _, child := range m.Children() {
		var params map[string]any
		if err := json.Unmarshal(child.Model.Spec().Params, &params); err != nil {
			t.Fatal(err)
		}
		if params["leaves"] != 3.0 {
			t.Errorf("a member has %v leaves", params["leaves"])
		}
	}
}

// failing is a learner that fails.
type failing struct{ err error }

func (f failing) Params() param.Set              { return nil }
func (failing) Capabilities() learn.Capabilities { return learn.Capabilities{} }
func (f failing) Fit(context.Context, *data.Target, learn.Job) (model.Model, error) {
	return nil, f.err
}

func (f failing) Prepare(context.Context, data.Features, []int32, []float64, learn.Env) (
	learn.Fitter, error) {
	return f, nil
}

// A configuration that fails is left out and listed; the first one is the caller's own, so that its
// error is returned.
func TestFailures(t *testing.T) {
	ds := table(60, data.Binary)
	bad := learn.Member{Name: "bad", Learner: learn.Choice{Name: "mine",
		Learner: failing{errors.New("no luck")}}}
	l := made(t, "members=knn", "budget=4")
	l.Members.List = append(l.Members.List, bad)
	s := summary(t, learntest.MustFit(t, catalog.Env(1), l, ds, learn.Job{}))
	found := 0
	for _, c := range s.Configurations {
		if c.Error == "no luck" && c.Weight == 0 && c.Member == "bad" {
			found++
		}
	}
	if found != 1 {
		t.Errorf("%+v", s.Configurations)
	}
	l.Members.List = []learn.Member{bad}
	if _, err := learntest.Fit(t.Context(), catalog.Env(1), l, ds, learn.Job{}); err == nil ||
		err.Error() != "member bad: no luck" {
		t.Errorf("error %v", err)
	}
}

// Members that do not support the label are left out; without any there is an error.
func TestTasks(t *testing.T) {
	m := fit(t, table(80, data.Regression), learn.Job{}, "members=logistic,linear", "budget=3")
	for _, c := range summary(t, m).Configurations {
		if c.Member != "linear" {
			t.Errorf("a configuration of %s", c.Member)
		}
	}
	var wrong *learn.TaskError
	if _, err := learntest.Fit(t.Context(), catalog.Env(1), made(t, "members=logistic"),
		table(80, data.Regression), learn.Job{}); !errors.As(err, &wrong) {
		t.Errorf("error %v, want a TaskError", err)
	}
}

// An observer that stops keeps what was tried on all folds so far; a cancelled context returns it
// with its error.
func TestEnds(t *testing.T) {
	ds := table(90, data.Binary)
	units := 0
	m := fit(t, ds, learn.Job{Observe: func(r learn.Round) error {
		if units++; units == 12 {
			return learn.Stop
		}
		return nil
	}}, append(quick, "budget=9")...)
	want := fit(t, ds, learn.Job{}, append(quick, "budget=2")...)
	got, expected := summary(t, m), summary(t, want)
	if !reflect.DeepEqual(got, expected) {
		t.Errorf("stopped: %+v, want %+v", got, expected)
	}
	for last := range 4 { // in the search, and in the final trainings: the first one has a model
		units = 0
		m := fit(t, ds, learn.Job{Observe: func(r learn.Round) error {
			if units++; units == 9+last {
				return learn.Stop
			}
			return nil
		}}, append(quick, "budget=3", "folds=3", "final=refit")...)
		if first := summary(t, m).Configurations[0]; first.Weight == 0 || !first.AllRows {
			t.Errorf("stopped after %d units: %+v", 9+last, first)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	units = 0
	m, err := learntest.Fit(ctx, catalog.Env(1), made(t, append(quick, "budget=9")...), ds,
		learn.Job{Observe: func(learn.Round) error {
			if units++; units == 12 {
				cancel()
			}
			return nil
		}})
	if !errors.Is(err, context.Canceled) || m == nil || len(summary(t, m).Configurations) != 2 {
		t.Errorf("cancelled: error %v, model %v", err, m)
	}
}

// Of many configurations the models of a few are kept, and among these are those of the ensemble.
func TestManyConfigurations(t *testing.T) {
	m := fit(t, table(80, data.Binary), learn.Job{}, "members=knn", "budget=60", "folds=2")
	s := summary(t, m)
	if len(s.Configurations) != 60 || *s.Loss > *s.Configurations[0].Loss {
		t.Errorf("%d configurations, log loss %v", len(s.Configurations), *s.Loss)
	}
	c, ok := m.(*committee.Committee)
	if !ok || len(c.Members) == 0 || len(c.Members) > 24 {
		t.Errorf("model %T", m)
	}
}

// Rankings and times have portfolios of the members that support them: forests rank row by row.
func TestRankingsAndTimes(t *testing.T) {
	for task, name := range map[data.Task]string{data.Ranking: "ndcg@10",
		data.Survival: "concordance"} {
		ds := table(160, data.Regression)
		ds.Target.Task = task
		for i, y := range ds.Target.Y[0] {
			if task == data.Ranking {
				ds.Target.Group = append(ds.Target.Group, int64(i/8))
				ds.Target.Y[0][i] = math.Floor(y / 2)
			} else {
				ds.Target.Y[0][i] = 1 + y
				ds.Target.Event = append(ds.Target.Event, uint8(min(1, i%3)))
			}
		}
		m := fit(t, ds, learn.Job{}, append(quick, "budget=6")...)
		s := summary(t, m)
		if s.Metric != name || s.Loss == nil || *s.Loss < *s.Configurations[0].Loss || *s.Loss > 1 {
			t.Errorf("%s: %+v", task, s)
		}
		for _, c := range s.Configurations {
			if c.Member != "gbm" && (task != data.Ranking || c.Member != "forest") {
				t.Errorf("%s: a configuration of %s", task, c.Member)
			}
		}
		if _, values, err := fitting.PredictRows(m, ds.Frame, data.AllRows(9), model.Response,
			1); err != nil || len(values) != 9 {
			t.Errorf("%s: predictions %v, %v", task, values, err)
		}
	}
}

// Quantiles are refused: a mean of them is none.
func TestQuantilesAreRefused(t *testing.T) {
	_, err := learntest.Fit(t.Context(), catalog.Env(1), made(t, "members=gbm",
		"members.gbm.loss=quantile", "members.gbm.trees=3"), table(60, data.Regression), learn.Job{})
	if err == nil || !strings.HasPrefix(err.Error(), "member gbm: quantiles cannot be combined") {
		t.Errorf("error %v", err)
	}
}
