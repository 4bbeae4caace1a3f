package gbm_test

import (
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/datatest"
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
// a change of the algorithm that is meant and told in the changelog.
func TestRoundsOfPresets(t *testing.T) {
	for _, table := range []struct {
		file, label string
		task        data.Task
		every       int
		want        wanted // of each preset, by the three ways
	}{
		{"iris/iris.csv", "species", data.Multiclass, 1, wanted{
			"fast":    {{72, 22, 0}, {91, 41, 0}, {100, 100, 0}},
			"default": {{118, 68, 0}, {153, 127, 0}, {80, 80, 114}},
			"best":    {{258, 189, 0}, {301, 235, 0}, {253, 253, 302}},
		}},
		{"spambase/spambase.csv", "spam", data.Binary, 23, wanted{
			"fast":    {{81, 31, 0}, {61, 11, 0}, {100, 100, 0}},
			"default": {{126, 76, 0}, {94, 44, 0}, {68, 68, 104}},
			"best":    {{233, 185, 0}, {197, 97, 0}, {161, 161, 228}},
		}},
		{"adult/adult-train.csv.gz", "hours-per-week", data.Regression, 100, wanted{
			"fast":    {{68, 18, 0}, {74, 24, 0}, {100, 100, 0}},
			"default": {{85, 35, 0}, {103, 53, 0}, {44, 44, 85}},
			"best":    {{217, 117, 0}, {175, 75, 0}, {75, 75, 160}},
		}},
	} {
		ds := datatest.Read(t, table.file, data.Roles{Label: table.label, Task: table.task})
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
		for _, p := range gbm.New().Presets() {
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
