package gbm_test

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
	"github.com/coppice-ml/coppice/ranks"
)

// products returns a table whose label is the product of six small integers, beside a categorical
// column: trees of half of the columns cannot fit it.
func products(t testing.TB, rows int) *data.Dataset {
	t.Helper()
	s := rng.New(4)
	y, kind := make([]float64, rows), make([]string, rows)
	named := make([]data.NamedColumn, 6, 8)
	for c := range named {
		values := make([]float64, rows)
		for i := range values {
			values[i] = float64(1 + s.Intn(3))
			y[i] = math.Max(y[i], 1)
		}
		named[c] = data.NamedColumn{Name: fmt.Sprint("x", c), Values: values}
	}
	for i := range y {
		for _, c := range named {
			y[i] *= c.Values.([]float64)[i]
		}
		kind[i] = fmt.Sprint("k", s.Intn(6))
	}
	f, err := data.FromColumns(append(named, data.NamedColumn{Name: "kind", Values: kind},
		data.NamedColumn{Name: "y", Values: y})...)
	if err != nil {
		t.Fatal(err)
	}
	ds, err := data.Roles{Label: "y", Task: data.Regression}.Apply(f)
	if err != nil {
		t.Fatal(err)
	}
	return ds
}

// quick keeps the choice of rounds short, which follows a rehearsal.
var quick = []string{"learning_rate=0.1", "early_stopping=4"}

// tried returns the settings that were compared, and those that won.
func tried(r *training.Rehearsal) (all []string, won string) {
	for _, c := range r.Candidates {
		text := strings.Join(c.Settings, " ")
		if all = append(all, text); c.Won {
			won = text
		}
	}
	return all, won
}

// TestRehearsalFindsWhatTheDataNeed: the default falls where the label is a product of all columns.
// Where only their sampling is left, all of them win. The model is the same for other workers, and
// where it resumes.
func TestRehearsalFindsWhatTheDataNeed(t *testing.T) {
	ds := products(t, 600)
	var starts []*learn.Checkpoint // in the choice of rounds, and after it
	m := fit(t, ds, learn.Job{Seed: 1, Workers: 1, Observe: func(r learn.Round) error {
		if r.N != 2 || r.Stage == "rehearse" {
			return nil
		}
		at, err := r.Checkpoint()
		starts = append(starts, at)
		return err
	}}, quick...)
	s := summary(t, m)
	if s.Rehearsal == nil {
		t.Fatal("no rehearsal")
	}
	all, won := tried(s.Rehearsal)
	for _, want := range []string{"", "colsample=1", "categories=target", "categories=ordinal",
		"leaves=8", "growth=symmetric", "min_leaf=20"} {
		if !slices.Contains(all, want) {
			t.Errorf("%q was not tried, but %q", want, all)
		}
	}
	if won == "" || s.Rehearsal.Candidates[0].Won {
		t.Errorf("%q won", won)
	}
	for _, setting := range strings.Fields(won) {
		name, value, _ := strings.Cut(setting, "=")
		if !strings.Contains(string(s.InEffect), fmt.Sprintf("%q:%s", name, value)) {
			t.Errorf("%q won, in effect are %s", won, s.InEffect)
		}
	}
	columns := summary(t, fit(t, ds, learn.Job{Seed: 1, Observe: rehearseOnly},
		append(quick, "leaves=31", "min_leaf=1")...))
	if _, won := tried(columns.Rehearsal); !strings.Contains(won, "colsample=1") ||
		!strings.Contains(string(columns.InEffect), `"colsample":1`) {
		t.Errorf("%q won, in effect are %s", won, columns.InEffect)
	}
	if s.Rehearsal.Folds != 3 || s.Rehearsal.Rows != 600 {
		t.Errorf("%d folds of %d rows", s.Rehearsal.Folds, s.Rehearsal.Rows)
	}
	if len(starts) != 2 {
		t.Fatalf("%d checkpoints", len(starts))
	}
	for _, start := range append(starts[tier.Count(2, 0, 0):], nil) {
		again := fit(t, ds, learn.Job{Seed: 1, Workers: 3, Start: start}, quick...)
		if !reflect.DeepEqual(again, m) {
			t.Error("another model by three workers, or by training that resumes")
		}
	}
	plain := fit(t, ds, learn.Job{Seed: 1, Observe: rehearseOnly}, append(quick, "rehearse=false")...)
	if s := summary(t, plain); s.Rehearsal != nil || strings.Contains(string(s.InEffect), "leaves") {
		t.Errorf("rehearse=false: %+v", s.Rehearsal)
	}
}

// rehearseOnly ends a training after the rehearsal.
func rehearseOnly(r learn.Round) error {
	if r.Stage != "rehearse" {
		return learn.Stop
	}
	return nil
}

// TestWhatIsGivenDoesNotRace: parameters that are set by hand stay, also at their usual values.
func TestWhatIsGivenDoesNotRace(t *testing.T) {
	ds := products(t, 500)
	for i, c := range []struct{ given, absent string }{
		{"leaves=31", "leaves"},
		{"colsample=0.9", "colsample"},
		{"colsample_node=1", "colsample"},
		{"categories=native", "categories"},
		{"growth=leaf", "growth"},
		{"leaves=31", "growth"},
		{"min_leaf=2", "min_leaf"},
	} {
		if testing.Short() && i%2 == 1 {
			continue
		}
		s := summary(t, fit(t, ds, learn.Job{Observe: rehearseOnly}, append(quick, c.given)...))
		all, _ := tried(s.Rehearsal)
		if text := strings.Join(all, " "); strings.Contains(text, c.absent) {
			t.Errorf("%s is given, and tried are %q", c.given, all)
		}
	}
	for _, settings := range [][]string{
		{"trees=3"},
		append(quick, "leaves=9", "colsample=1", "categories=native", "min_leaf=2"),
		append(quick, "compat=lightgbm"),
	} {
		s := summary(t, fit(t, ds, learn.Job{Observe: rehearseOnly}, settings...))
		if s.Rehearsal != nil && len(s.Rehearsal.Candidates) > 1 {
			t.Errorf("%v: %+v", settings, s.Rehearsal)
		}
	}
	small := summary(t, fit(t, ds, learn.Job{Rows: data.AllRows(499), Observe: rehearseOnly},
		quick...))
	if small.Rehearsal != nil {
		t.Error("few rows rehearse")
	}
}

// TestRehearsalOnAValidationSet: with a validation set, or a fraction as one, all candidates are
// compared on it, and standard errors are those of its blocks.
func TestRehearsalOnAValidationSet(t *testing.T) {
	ds := products(t, 700)
	rows := data.AllRows(700)
	for _, c := range []struct {
		job      learn.Job
		settings []string
	}{
		{learn.Job{Rows: rows[:520], Valid: rows[520:]}, append(quick[1:], "leaves=31", "min_leaf=1")},
		{learn.Job{}, []string{quick[1], "valid_fraction=0.2", "leaves=31", "min_leaf=1"}},
	} {
		s := summary(t, fit(t, ds, c.job, c.settings...))
		if s.Rehearsal == nil || s.Rehearsal.Folds != 1 || s.Chosen != nil || s.Valid == 0 {
			t.Fatalf("%+v", s.Rehearsal)
		}
		_, won := tried(s.Rehearsal)
		if !strings.Contains(won, "colsample=1") {
			t.Errorf("%q won", won)
		}
		for _, one := range s.Rehearsal.Candidates[1:] {
			if one.Folds > 0 && !(one.Error > 0) {
				t.Errorf("%+v has no standard error", one)
			}
		}
	}
}

// TestStopInTheRehearsal: an observer that stops the rehearsal gets a model of the default's
// rounds.
func TestStopInTheRehearsal(t *testing.T) {
	ds := products(t, 500)
	stages := map[string]int{}
	m := fit(t, ds, learn.Job{Observe: func(r learn.Round) error {
		stages[r.Stage]++
		return learn.Stop
	}}, quick...)
	s := summary(t, m)
	if len(stages) != 1 || stages["rehearse"] != 1 || s.Kept < 1 || s.Chosen != nil {
		t.Errorf("stages %v, %d rounds", stages, s.Kept)
	}
}

// TestResumeTheRehearsal: from any point of the rehearsal training ends in the same bytes, and
// trials that a checkpoint holds are not repeated. Another table is refused.
func TestResumeTheRehearsal(t *testing.T) {
	tier.NotShort(t, "trains the same several times")
	ds := products(t, 500)
	settings := append(quick, "leaves=8", "trees=0")
	var all []*learn.Checkpoint
	stages := 0
	want := fit(t, ds, learn.Job{Seed: 2, Workers: 1, Observe: func(r learn.Round) error {
		if r.Stage != "rehearse" {
			return nil
		}
		c, err := r.Checkpoint()
		all = append(all, c)
		return err
	}}, settings...)
	if len(all) < 3 {
		t.Fatalf("%d checkpoints", len(all))
	}
	for i, at := range all {
		if err := at.Model.(*model.Ensemble).Validate(); err != nil {
			t.Fatal(err)
		}
		stages = 0
		got := fit(t, ds, learn.Job{Seed: 2, Workers: 2, Start: at,
			Observe: func(r learn.Round) error {
				if r.Stage == "rehearse" {
					stages++
				}
				return nil
			}}, settings...)
		if !reflect.DeepEqual(got, want) || stages != len(all)-1-i {
			t.Errorf("resumed after part %d of the rehearsal training ends elsewhere, or after %d "+
				"more parts", i, stages)
		}
	}
	other := products(t, 501)
	_, err := tryFit(t.Context(), t, other, learn.Job{Seed: 2, Start: all[0]}, settings...)
	if err == nil || !strings.Contains(err.Error(), "other rows") {
		t.Errorf("another table: error %v", err)
	}
}

// TestSamplesAreConfirmed: the winner of a sample of the rows is compared with the default on all
// of them, by any number of workers and ranks, and where training resumes.
func TestSamplesAreConfirmed(t *testing.T) {
	tier.NotShort(t, "rehearses and trains several times")
	ds := products(t, 2700)
	rows := data.AllRows(2700)
	var at *learn.Checkpoint
	train := func(g ranks.Group, workers int) (*model.Ensemble, error) {
		job := learn.Job{Seed: 2, Rows: rows[:2300], Valid: rows[2300:], Workers: workers,
			Start: at}
		first := at == nil
		job.Observe = func(r learn.Round) (err error) {
			if r.Stage == "rehearse" && g == nil && first {
				at, err = r.Checkpoint()
				return err
			}
			return rehearseOnly(r)
		}
		fitter, err := learner(t, "early_stopping=4", "leaves=31", "min_leaf=2",
			"categories=native").Prepare(t.Context(), ds.Frame, nil, nil,
			learn.Env{Workers: workers, Ranks: g})
		if err != nil {
			return nil, err
		}
		m, err := fitter.Fit(t.Context(), &ds.Target, job)
		if err != nil {
			return nil, err
		}
		return m.(*model.Ensemble), nil
	}
	want, err := train(nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	r := summary(t, want).Rehearsal
	all, won := tried(r)
	place := slices.IndexFunc(r.Confirmed, func(c training.Confirmation) bool {
		return strings.Join(c.Settings, " ") == won
	})
	if place < 0 {
		t.Fatalf("%q won, and of %q were confirmed %+v", won, all, r.Confirmed)
	}
	c := r.Confirmed[place]
	if r.Rows != 2400 || c.Rows != 2700 || !c.Accepted || !(c.Gain > c.Error) ||
		!strings.Contains(won, "colsample=1") {
		t.Fatalf("%q of %q won on %d rows, %+v", won, all, r.Rows, c)
	}
	if again, err := train(nil, 3); err != nil || !reflect.DeepEqual(again, want) {
		t.Errorf("another model where training resumes, %v", err)
	}
	at = nil
	asRanks(t, 2, fingerprint(want)+string(want.Spec().Summary),
		func(g ranks.Group) (string, error) {
			m, err := train(g, 1)
			if err != nil {
				return "", err
			}
			return fingerprint(m) + string(m.Spec().Summary), nil
		})
}

// TestChoiceGoesOnWithTheRehearsal: where finalists of a sample are trained on all rows, the choice
// of rounds goes on with the training of the winner there, alone or beside another fold. The model
// is that of a training with the winner's settings, and with its shifts of quantiles. By night a
// loss without shifts is tried, too.
func TestChoiceGoesOnWithTheRehearsal(t *testing.T) {
	tier.NotShort(t, "rehearses on 41,000 rows")
	for _, c := range []struct {
		loss  string
		scale float64
		rows  int
	}{{"loss=quantile", 100, 41_000}, {"loss=quantile", 100, 12_000},
		{"loss=squared", 300, 41_000}}[:tier.Count(2, 2, 3)] {
		loss := append(slices.Clone(quick), c.loss)
		ds := products(t, c.rows)
		for i, noise := 0, rng.New(9); i < c.rows; i++ {
			ds.Target.Y[0][i] += float64(c.scale * noise.Float64())
		}
		m := fit(t, ds, learn.Job{Seed: 3, Workers: 2}, loss...)
		r := summary(t, m).Rehearsal
		if len(r.Confirmed) == 0 {
			t.Fatalf("%v: no finalist of %+v", c, r.Candidates)
		}
		_, won := tried(r)
		same := fit(t, ds, learn.Job{Seed: 3, Workers: 1},
			append(append(strings.Fields(won), "rehearse=false"), loss...)...)
		if !reflect.DeepEqual(m.Trees, same.Trees) || !reflect.DeepEqual(summary(t, m).Chosen,
			summary(t, same).Chosen) {
			t.Errorf("%v: %q won, and its settings train another model: %d and %d trees", c, won,
				len(m.Trees), len(same.Trees))
		}
	}
}

// TestChoiceTakesTheTablesOfTheRehearsal: where the choice of rounds has the folds of the
// rehearsal, it takes the target statistics of these. The model is that of a training with the
// winner's settings that computes its own, and of one that resumes in the choice.
func TestChoiceTakesTheTablesOfTheRehearsal(t *testing.T) {
	const rows, levels = 5000, 80
	s := rng.New(6)
	kind, x, y := make([]string, rows), make([]float64, rows), make([]float64, rows)
	for i := range rows {
		level := s.Intn(levels)
		kind[i], x[i] = fmt.Sprint("k", level), s.Float64()
		y[i] = float64(level%7) + x[i] + 3*s.Float64()
	}
	f, err := data.FromColumns(data.NamedColumn{Name: "kind", Values: kind},
		data.NamedColumn{Name: "x", Values: x}, data.NamedColumn{Name: "y", Values: y})
	if err != nil {
		t.Fatal(err)
	}
	ds, err := data.Roles{Label: "y", Task: data.Regression}.Apply(f)
	if err != nil {
		t.Fatal(err)
	}
	settings := append(slices.Clone(quick), "min_leaf=20", "growth=leaf", "categories=target")
	var at *learn.Checkpoint
	m := fit(t, ds, learn.Job{Seed: 5, Workers: 2, Observe: func(r learn.Round) error {
		if r.Stage == "choose rounds" && r.N == 2 {
			at, err = r.Checkpoint()
		}
		return err
	}}, settings...)
	_, won := tried(summary(t, m).Rehearsal)
	own := fit(t, ds, learn.Job{Seed: 5, Workers: 1},
		append(append(slices.Clone(settings), strings.Fields(won)...), "rehearse=false")...)
	if len(m.Inputs.Columns) == 0 || !reflect.DeepEqual(m.Trees, own.Trees) {
		t.Errorf("%q won, and its settings train other trees: %d and %d", won, len(m.Trees),
			len(own.Trees))
	}
	if again := fit(t, ds, learn.Job{Seed: 5, Start: at}, settings...); !reflect.DeepEqual(again, m) {
		t.Error("another model where the choice resumes")
	}
}
