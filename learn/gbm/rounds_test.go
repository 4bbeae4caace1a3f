package gbm_test

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm"
)

// everyNth returns every nth row of some, counted from the first.
func everyNth(rows, n int) []int32 {
	var kept []int32
	for r := 0; r < rows; r += n {
		kept = append(kept, int32(r))
	}
	return kept
}

// chosenRounds is how many rounds a training chose: those that it trained, those that the model
// kept, and those that each fold of a cross-validation was trained for before.
type chosenRounds struct{ trained, kept, folds int }

// wanted is the rounds of each preset, by the three ways to choose them.
type wanted map[string][3]chosenRounds

// TestRoundsOfPresets freezes how many rounds each preset takes on three tables, by each of the
// three ways to choose them: a validation set, a fraction of the training rows as one, and cross-
// validation. Bytes are the same on all machines, and so are the numbers. They may change only with
// an intended change of the algorithm, which the changelog lists.
func TestRoundsOfPresets(t *testing.T) {
	for _, table := range []struct {
		file, label string
		task        data.Task
		every       int
		want        wanted // of each preset, by the three ways
	}{
		{"iris/iris.csv", "species", data.Multiclass, 1, wanted{
			"fast":    {{72, 22, 0}, {91, 41, 0}, {100, 100, 0}},
			"default": {{135, 85, 0}, {193, 143, 0}, {85, 85, 20}},
		}},
		{"spambase/spambase.csv", "spam", data.Binary, 23, wanted{
			"fast":    {{81, 31, 0}, {61, 11, 0}, {100, 100, 0}},
			"default": {{127, 77, 0}, {100, 50, 0}, {107, 107, 95}},
		}},
		{"adult/adult-train.csv.gz", "hours-per-week", data.Regression, 100, wanted{
			"fast":    {{55, 5, 0}, {55, 5, 0}, {100, 100, 0}},
			"default": {{101, 51, 0}, {160, 110, 0}, {53, 53, 52}},
		}},
	} {
		if testing.Short() && table.task == data.Regression {
			continue // a large file
		}
		ds := read(t, table.file, table.label, table.task)
		if n := len(ds.Columns); n > 14 { // of many the last ones will do
			f, err := data.NewFrame(data.Schema{Fields: ds.Schema.Fields[n-9:]}, ds.Columns[n-9:])
			if err != nil {
				t.Fatal(err)
			}
			ds.Frame = f
		}
		rows := everyNth(ds.Rows(), table.every)
		var train, valid []int32
		for i, r := range rows {
			if i%5 == 4 {
				valid = append(valid, r)
			} else {
				train = append(train, r)
			}
		}
		for _, p := range gbm.New().Capabilities().Presets {
			if p.Learner != "" {
				continue // of package portfolio
			}
			for i, way := range []struct {
				name     string
				job      learn.Job
				settings []string
			}{
				{"a validation set", learn.Job{Rows: train, Valid: valid, Seed: 1}, nil},
				{"valid_fraction", learn.Job{Rows: rows, Seed: 1}, []string{"valid_fraction=0.2"}},
				{"cross-validation", learn.Job{Rows: rows, Seed: 1}, nil},
			} {
				s := summary(t, fit(t, ds, way.job, append(way.settings, p.Settings...)...))
				got := chosenRounds{trained: s.Rounds, kept: s.Kept}
				if s.Chosen != nil {
					got.folds = len(s.Chosen.Curve)
				}
				if got != table.want[p.Name][i] {
					t.Errorf("%s, preset %s, by %s: %+v, want %+v",
						table.file, p.Name, way.name, got, table.want[p.Name][i])
				}
			}
		}
	}
}

// TestParametersInEffect: the summary holds the values that training chose, and only those; the
// parameters of the model stay as they were given. More rounds than the folds were best at are
// trained by the factor.
func TestParametersInEffect(t *testing.T) {
	binary, numbers := table(t, 400, data.Binary), table(t, 1500, data.Regression)
	numbers.Frame = numbers.Frame.Select([]int{0, 1, 2, 3, 4})
	_, valid := trainTest(binary)
	wide := table(t, 300, data.Binary)
	wide.Schema.Fields[6].Levels = nil
	for i := range wide.Columns[6].Codes() {
		wide.Columns[6].Codes()[i] = uint32(i % 70)
	}
	for i := range 70 {
		wide.Schema.Fields[6].Levels = append(wide.Schema.Fields[6].Levels, fmt.Sprint("level ", i))
	}
	for _, c := range []struct {
		name     string
		ds       *data.Dataset
		valid    []int32
		settings string
		want     string
	}{
		{"all chosen", binary, nil, "early_stopping=5",
			`{"trees":N,"learning_rate":0.05,"growth":"symmetric","depth":4,"min_leaf":1,` +
				`"colsample":0.5714285714285714,"categories":"native","subsample":0.8}`},
		{"a validation set", binary, valid, "early_stopping=5 learning_rate=0.3",
			`{"trees":N,"growth":"symmetric","depth":4,"min_leaf":1,` +
				`"colsample":0.5714285714285714,"categories":"native","subsample":0.8}`},
		{"all given", binary, nil,
			"trees=5 learning_rate=0.3 min_leaf=3 colsample=0.5 categories=native", ""},
		{"numbers alone", numbers, nil, "trees=5",
			`{"learning_rate":0.1,"min_leaf":2,"colsample":0.8}`},
		{"symmetric", numbers, nil, "trees=5 growth=symmetric colsample=1 min_leaf=1",
			`{"learning_rate":0.1,"depth":6}`},
		{"target statistics", wide, nil, "trees=5 colsample=1 min_leaf=1",
			`{"learning_rate":0.1,"categories":"target"}`},
	} {
		m := fit(t, c.ds, learn.Job{Valid: c.valid}, strings.Fields(c.settings)...)
		s := summary(t, m)
		want := strings.Replace(c.want, "N", fmt.Sprint(s.Kept), 1)
		if got := string(s.InEffect); got != want {
			t.Errorf("%s: in effect are %s, want %s", c.name, got, want)
		}
		given, err := learner(t, strings.Fields(c.settings)...).Params().MarshalJSON()
		if err != nil || !bytes.Equal(m.Meta.Params, given) {
			t.Errorf("%s: parameters of the model are %s, want %s", c.name, m.Meta.Params, given)
		}
		if s.Chosen == nil {
			continue
		}
		if s.Chosen.Factor != 1.25 || s.Kept != int(math.Round(1.25*float64(s.Chosen.Best))) ||
			s.Kept == s.Chosen.Best {
			t.Errorf("%s: %d rounds are best, the factor is %v, %d are kept", c.name, s.Chosen.Best,
				s.Chosen.Factor, s.Kept)
		}
	}
}
