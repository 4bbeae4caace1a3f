package gbm_test

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
)

// TestRoundsFromTheData: the chosen number of rounds does not overfit noise, and is large for
// smooth functions. Any number of workers, and a training that resumes, end at the same bytes.
func TestRoundsFromTheData(t *testing.T) {
	const rows = 240
	s := rng.New(2)
	noise, smooth, x := make([]float64, rows), make([]float64, rows), make([]float64, rows)
	for i := range rows {
		x[i], noise[i] = s.Float64(), s.Float64()
		smooth[i] = math.Sin(6 * x[i])
	}
	f, err := data.NewFrame(data.Schema{Fields: []data.Field{{Name: "x"}}},
		[]data.Column{data.Numbers(x)})
	if err != nil {
		t.Fatal(err)
	}
	train := func(y []float64, job learn.Job) (rounds int) {
		ds := &data.Dataset{Frame: f, Target: data.Target{Name: "y", Task: data.Regression,
			Y: [][]float64{y}}}
		job.Workers = 1 // more train rounds ahead, without checkpoints
		m, all := checkpoints(t, ds, job)
		got := summary(t, m)
		if got.Chosen == nil || got.Chosen.Folds != 4 || got.Chosen.Rounds != got.Rounds ||
			len(m.Trees) != got.Kept {
			t.Fatalf("%+v", got)
		}
		for _, start := range []*learn.Checkpoint{nil, all[len(all)/2]} {
			job.Workers, job.Start = 3, start
			if again := fit(t, ds, job); !reflect.DeepEqual(again, m) {
				t.Error("another model by other workers, or by resumed training")
			}
		}
		return got.Rounds
	}
	few, many := train(noise, learn.Job{Seed: 1, Observe: nil}), train(smooth, learn.Job{Seed: 1})
	if few > 20 || many < 100 {
		t.Errorf("%d rounds for noise, %d for a smooth function", few, many)
	}
}

// TestRoundsAhead: with several workers the observer gets the same rounds, those that were trained
// ahead included, and ends the training after any of them with the same model.
func TestRoundsAhead(t *testing.T) {
	ds := table(t, 150, data.Binary)
	train := func(workers, last int) (*model.Ensemble, []learn.Round) {
		var all []learn.Round
		m := fit(t, ds, learn.Job{Seed: 3, Workers: workers, Observe: func(r learn.Round) error {
			r.Checkpoint = nil
			if all = append(all, r); r.Stage == "boost" && r.N == last {
				return learn.Stop
			}
			return nil
		}}, "training_metric=4", "early_stopping=8", "leaves=7", "learning_rate=0.3")
		return m, all
	}
	full, _ := train(1, 0)
	rounds := len(full.Trees)
	for _, last := range []int{1, 6, rounds - 1, rounds, 0} {
		want, seen := train(1, last)
		got, again := train(2, last)
		if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(again, seen) {
			t.Errorf("ended after round %d, two workers train another model or report otherwise",
				last)
		}
	}
}

// TestFoldsLearnFast: from 1,000 rows up, and of wide tables, folds learn at twice the rate of the
// training, which takes twice as many rounds, and from 5,000 rows up or of several classes at four
// times the rate; not where the rate is given or changes between rounds.
func TestFoldsLearnFast(t *testing.T) {
	wide, stream := table(t, 60, data.Regression), rng.New(4)
	for range 4400 {
		column := data.Numbers(make([]float64, 60))
		for i := range column.Numbers() {
			column.Numbers()[i] = stream.Float64()
		}
		wide.Frame.Columns = append(wide.Frame.Columns, column)
		wide.Frame.Schema.Fields = append(wide.Frame.Schema.Fields,
			data.Field{Name: fmt.Sprint("more", len(wide.Frame.Columns))})
	}
	small, large := table(t, 4999, data.Regression), table(t, 5000, data.Regression)
	classes := table(t, 400, data.Multiclass)
	third := 5000. / 3333 // all rows for those that a fold trains on
	for _, c := range []struct {
		ds           *data.Dataset
		settings     []string
		rate, factor float64
	}{
		{small, nil, 0.1, 2 * 4999. / 3999},
		{large, nil, 0.2, 4 * third},
		{large, []string{"learning_rate=0.3"}, 0, third},
		{large, []string{"learning_rate_decay=0.9"}, 0, third},
		{large, []string{"learning_rates=0:0.3"}, 0, third},
		{table(t, 999, data.Regression), nil, 0, 999. / 799},
		{wide, nil, 0.1, 2.5},
		{classes, nil, 0.2, 5},
		{classes, []string{"learning_rate=0.1"}, 0, 1.25},
	} {
		settings := append([]string{"leaves=3", "early_stopping=2", "colsample=0.2",
			"rehearse=false"}, c.settings...)
		m := fit(t, c.ds, learn.Job{Seed: 1, Workers: 2}, settings...)
		got := summary(t, m).Chosen
		steps := got.Rate * float64(got.Rounds) // the sum of all rates
		for _, later := range got.Later {
			steps += 0.05 * float64(got.Rounds-later.Round) // each is so much above the one before
		}
		if got.FoldRate != c.rate || math.Abs(got.Factor-c.factor) > 1e-9 ||
			math.Abs(steps/got.Rate-float64(got.Best)*got.Factor) > 1.5+1e-9 ||
			(got.Later != nil) != (c.rate > 0 && got.Rounds > 300) {
			t.Errorf("%v: rate of folds %v, factor %v, %d of %d rounds, rates %v", c.settings,
				got.FoldRate, got.Factor, got.Rounds, got.Best, got.Later)
		}
		if c.settings != nil || testing.Short() && c.ds != small && c.ds != classes {
			continue // the trainings are those at other rates, and those of most rows and columns
		}
		if again := fit(t, c.ds, learn.Job{Seed: 1, Workers: 1},
			settings...); !reflect.DeepEqual(again, m) {
			t.Errorf("%v: another model by one worker", c.settings)
		}
	}
}

// The fewer of five folds are trained, the more rows there are, but three of groups; all of a plan
// that the caller made, where the rate is given, and of rankings.
func TestFoldsThatAreTrained(t *testing.T) {
	classes, ranking := table(t, 300, data.Multiclass), ranking(t)
	grouped := table(t, 1000, data.Binary)
	for i := range 1000 {
		grouped.Target.Group = append(grouped.Target.Group, int64(i/4))
	}
	for _, c := range []struct {
		ds        *data.Dataset
		plan      *split.Plan
		settings  []string
		folds, of int
		rate      float64
	}{
		{classes, nil, nil, 3, 5, 0.2},
		{table(t, 299, data.Binary), nil, nil, 4, 5, 0},
		{table(t, 999, data.Binary), nil, nil, 3, 5, 0},
		{table(t, 1000, data.Binary), nil, nil, 2, 5, 0.1},
		{grouped, nil, nil, 3, 5, 0.1},
		{classes, &split.Plan{Kind: split.Random}, nil, 3, 5, 0.2},
		{classes, &split.Plan{K: 4}, nil, 4, 0, 0.2},
		{classes, nil, []string{"learning_rate=0.2"}, 5, 0, 0},
		{ranking, nil, nil, 5, 0, 0},
	} {
		m := fit(t, c.ds, learn.Job{Seed: 1, Workers: 2, Plan: c.plan},
			append([]string{"leaves=3", "early_stopping=4", "rehearse=false"}, c.settings...)...)
		if got := summary(t, m).Chosen; got.Folds != c.folds || got.Of != c.of ||
			got.FoldRate != c.rate {
			t.Errorf("%+v %v: %d of %d folds at %v", c.plan, c.settings, got.Folds, got.Of,
				got.FoldRate)
		}
	}
}

// chosen trains, and keeps the checkpoint of a round of the choice of rounds.
func chosen(t testing.TB, ds *data.Dataset, job learn.Job, round int,
	settings ...string) (at *learn.Checkpoint, m *model.Ensemble) {
	t.Helper()
	job.Observe = func(r learn.Round) (err error) {
		if r.Stage == "choose rounds" && r.N == round {
			at, err = r.Checkpoint()
		}
		return err
	}
	m = fit(t, ds, job, settings...)
	if at == nil {
		t.Fatalf("there is no round %d of the choice", round)
	}
	return at, m
}

// TestResumeWhileRoundsAreChosen: from any round of the choice training ends in the same bytes, of
// all rows or of a model before; and what is of another training is refused.
func TestResumeWhileRoundsAreChosen(t *testing.T) {
	ds := table(t, 200, data.Multiclass)
	settings := []string{"leaves=6", "early_stopping=8", "subsample=0.8", "learning_rate=0.3"}
	before := &learn.Checkpoint{Model: fit(t, ds, learn.Job{}, "trees=3", "leaves=4")}
	for _, start := range []*learn.Checkpoint{nil, before} {
		for _, round := range []int{1, 6} {
			if testing.Short() && (start == nil) != (round == 1) {
				continue
			}
			c, want := chosen(t, ds, learn.Job{Seed: 5, Start: start}, round, settings...)
			if err := c.Model.(*model.Ensemble).Validate(); err != nil {
				t.Fatal(err)
			}
			if got := fit(t, ds, learn.Job{Seed: 5, Start: c, Workers: 2},
				settings...); !reflect.DeepEqual(got, want) {
				t.Errorf("resumed after round %d of the choice training ends elsewhere", round)
			}
		}
	}
	ordered := append([]string{"boosting=ordered", "boosting.permutations=2"}, settings...)
	c, want := chosen(t, ds, learn.Job{Seed: 5}, 4, ordered...)
	if got := fit(t, ds, learn.Job{Seed: 5, Start: c, Workers: 2},
		ordered...); !reflect.DeepEqual(got, want) {
		t.Error("resumed in the choice ordered boosting ends elsewhere")
	}
	c, _ = chosen(t, ds, learn.Job{Seed: 5}, 3, settings...)
	short := &learn.Checkpoint{Model: c.Model, State: c.State[:len(c.State)-8]}
	for _, d := range []struct {
		ds       *data.Dataset
		seed     uint64
		start    *learn.Checkpoint
		settings []string
		want     string
	}{
		{ds, 6, c, settings, "seed 5, not 6"},
		{ds, 5, c, append([]string{"l2=3"}, settings...), "with l2=1, not 3"},
		{table(t, 199, data.Multiclass), 5, c, settings, "other rows, columns, labels or weights"},
		{ds, 5, short, settings, "damaged"},
	} {
		if _, err := tryFit(t.Context(), t, d.ds, learn.Job{Seed: d.seed, Start: d.start},
			d.settings...); err == nil || !strings.Contains(err.Error(), d.want) {
			t.Errorf("error %v, want one with %q", err, d.want)
		}
	}
	_, err := tryFit(t.Context(), t, ds, learn.Job{Observe: func(r learn.Round) error {
		if r.Stage == "choose rounds" && r.Checkpoint != nil {
			t.Error("rounds with dropout have a checkpoint while they are chosen")
		}
		return nil
	}}, "boosting=dart", "early_stopping=2", "leaves=3")
	if err != nil {
		t.Error(err)
	}
}

// TestOddTablesAreTrained: where no rows can be held out the number of rounds is the default.
func TestOddTablesAreTrained(t *testing.T) {
	ds := table(t, 60, data.Multiclass)
	for i := range ds.Target.Class {
		ds.Target.Class[i] = uint32(min(i, 2)) // two classes of one row
	}
	m := fit(t, ds, learn.Job{})
	if s := summary(t, m); s.Chosen == nil || s.Chosen.Folds != 3 {
		t.Errorf("%+v", s)
	}
	m = fit(t, ds, learn.Job{Rows: data.AllRows(10)})
	if s := summary(t, m); s.Chosen == nil || s.Chosen.Folds != 0 || s.Rounds > 100 {
		t.Errorf("%+v", s)
	}
	ds.Target.Weight = make([]float64, 60)
	ds.Target.Weight[5], ds.Target.Weight[7] = 1, 1 // most folds weigh nothing
	m = fit(t, ds, learn.Job{})
	if s := summary(t, m); s.Chosen == nil || s.Chosen.Folds != 0 {
		t.Errorf("%+v", s)
	}
	ds = table(t, 60, data.Regression)
	ds.Target.Group = make([]int64, 60) // one group
	m = fit(t, ds, learn.Job{})
	if s := summary(t, m); s.Chosen == nil || s.Chosen.Folds != 0 {
		t.Errorf("%+v", s)
	}
}

// within reports whether numbers ascend, and are all among others.
func within(numbers, others []int32) bool {
	return slices.Equal(numbers, data.Distinct(numbers)) &&
		!slices.ContainsFunc(numbers, func(n int32) bool { return !slices.Contains(others, n) })
}

// TestReportedHoldOut: a job with a HoldOut function gets the predictions that choose the number of
// rounds, for the rows of each fold or of the validation set. The model is the same.
func TestReportedHoldOut(t *testing.T) {
	for _, task := range []data.Task{data.Binary, data.Multiclass, data.Regression} {
		ds := table(t, 150, task)
		width := max(1, len(ds.Target.Classes))
		train, valid := data.AllRows(150)[:110], data.AllRows(150)[110:]
		for _, c := range []struct {
			job      learn.Job
			settings []string
			rows     []int32
		}{
			{learn.Job{Rows: train}, []string{"early_stopping=5"}, train},
			{learn.Job{Rows: train, Valid: valid}, []string{"trees=3", "early_stopping=5"}, valid},
			{learn.Job{Rows: train}, []string{"trees=3"}, nil},
		} {
			plain := fit(t, ds, c.job, c.settings...)
			var reported *learn.HoldOut
			c.job.HoldOut = func(what string, h *learn.HoldOut) error {
				if reported != nil || what != "choice of rounds" {
					t.Errorf("%s is reported", what)
				}
				reported = h
				return nil
			}
			m := fit(t, ds, c.job, c.settings...)
			if !reflect.DeepEqual(m, plain) {
				t.Errorf("%s: the model differs", task)
			}
			if c.rows == nil {
				if reported != nil {
					t.Errorf("%s: %+v is reported where nothing is chosen", task, reported)
				}
				continue
			}
			rows := c.rows
			if c.job.Valid == nil && reported != nil { // some of five folds
				folds := 4
				if task == data.Multiclass {
					folds = 3
				}
				if rows = reported.Rows; len(rows) != len(train)*folds/5 || !within(rows, train) {
					t.Errorf("%s: rows %v", task, rows)
				}
			}
			if reported == nil || reported.Width != width ||
				!reflect.DeepEqual(reported.Rows, rows) ||
				len(reported.Values) != width*len(rows) {
				t.Fatalf("%s: %+v is reported", task, reported)
			}
			if c.job.Valid == nil {
				continue
			}
			if s := summary(t, m); s.Kept != 3 {
				t.Fatalf("%s: %d rounds of 3 are kept", task, s.Kept)
			}
			_, want, err := fitting.PredictRows(m, ds.Frame, valid, model.Response, 1)
			if err != nil {
				t.Fatal(err)
			}
			for i, v := range reported.Values {
				if math.Abs(v-want[i]) > 1e-9*(1+math.Abs(want[i])) {
					t.Fatalf("%s: reported %v for row %d, the model predicts %v", task, v,
						valid[i/width], want[i])
				}
			}
		}
	}
}

// TestRatesRise: a long training that chose the slow rate has higher ones from its 300th and 700th
// rounds on, and resumes with them. Its parameters in effect train the same trees. Not so where the
// rate is given, the training continues a model, or of a few rows.
func TestRatesRise(t *testing.T) {
	ds, few := table(t, 1200, data.Regression), table(t, 900, data.Regression)
	usual := []string{"leaves=2", "colsample=0.5", "rehearse=false"}
	var saved *learn.Checkpoint
	m := fit(t, ds, learn.Job{Seed: 1, Workers: 1, Observe: func(r learn.Round) (err error) {
		if r.Stage == "boost" && r.N == 350 {
			saved, err = r.Checkpoint()
		}
		return err
	}}, usual...)
	if resumed := fit(t, ds, learn.Job{Seed: 1, Start: saved}, usual...); !reflect.DeepEqual(resumed, m) {
		t.Error("another model is resumed after round 350")
	}
	s := summary(t, m)
	want := []training.RateFrom{{Round: 300, Rate: 0.1}, {Round: 700, Rate: 0.15}}
	if !reflect.DeepEqual(s.Chosen.Later, want) || s.Chosen.Rate != 0.05 || s.Rounds <= 700 {
		t.Fatalf("%d rounds at %v, then %v", s.Rounds, s.Chosen.Rate, s.Chosen.Later)
	}
	var effect struct {
		Rates string `json:"learning_rates"`
	}
	if err := json.Unmarshal(s.InEffect, &effect); err != nil || effect.Rates != "300:0.1,700:0.15" {
		t.Errorf("in effect are %s", s.InEffect)
	}
	again := fit(t, ds, learn.Job{Seed: 1}, append(usual, fmt.Sprint("trees=", s.Rounds),
		"learning_rate=0.05", "learning_rates="+effect.Rates)...)
	if !reflect.DeepEqual(again.Trees, m.Trees) {
		t.Error("the parameters in effect train other trees")
	}
	for _, c := range []struct {
		what     string
		ds       *data.Dataset
		start    *learn.Checkpoint
		settings string
	}{
		{"a rate", ds, nil, "learning_rate=0.05"},
		{"to continue", ds, &learn.Checkpoint{Model: fit(t, ds, learn.Job{}, "trees=1", "leaves=2")}, ""},
		{"few rows", few, nil, ""},
	} {
		settings := append(usual, strings.Fields(c.settings)...)
		s := summary(t, fit(t, c.ds, learn.Job{Seed: 1, Start: c.start}, settings...))
		if s.Chosen.Later != nil || s.Chosen.Rounds <= 300 {
			t.Errorf("%s: %d rounds, rates %v", c.what, s.Chosen.Rounds, s.Chosen.Later)
		}
	}
}
