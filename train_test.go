package coppice_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/learn"
)

// A faulty job is an error before any work, never a panic.
func TestTrainRefusesFaultyJobs(t *testing.T) {
	frame, err := data.FromColumns(data.NamedColumn{Name: "x", Values: []float64{1, 2, 3, 4}})
	if err != nil {
		t.Fatal(err)
	}
	ds := &data.Dataset{Frame: frame}
	ds.Target.Task, ds.Target.Y = data.Regression, [][]float64{{1, 2, 3, 4}}
	for want, job := range map[string]learn.Job{
		"Job.Start: the checkpoint has no model":                       {Start: &learn.Checkpoint{}},
		"Job.Rows: there is no row 4: those of the table are 0 to 3":   {Rows: []int32{0, 4}},
		"Job.Valid: there is no row -1: those of the table are 0 to 3": {Valid: []int32{-1}},
	} {
		_, err := coppice.Train(t.Context(), learnerOf(t, "gbm", "trees=1"), ds, coppice.Job(job))
		if err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

// numbered makes a data set with a numeric and a categorical column. Its classes follow from both,
// but for some rows.
func numbered(t *testing.T, rows int, colours []string) *data.Dataset {
	t.Helper()
	x, colour, y := make([]float64, rows), make([]string, rows), make([]string, rows)
	for i := range rows {
		x[i], colour[i], y[i] = float64(i*7%rows), colours[i%len(colours)], "no"
		if (x[i] > float64(rows)/2) != (colour[i] == "red") || i%11 == 0 {
			y[i] = "yes"
		}
	}
	f, err := data.FromColumns(data.NamedColumn{Name: "x", Values: x}, data.NamedColumn{Name: "colour", Values: colour}, data.NamedColumn{Name: "y", Values: y})
	if err != nil {
		t.Fatal(err)
	}
	ds, err := data.Label("y").Apply(f)
	if err != nil {
		t.Fatal(err)
	}
	return ds
}

// A validation set of its own gives the model that the same rows give as Job.Valid of one table.
func TestValidationIsJobValid(t *testing.T) {
	ds := numbered(t, 300, []string{"red", "blue", "green"})
	train, valid, _, err := split.HoldOut{Seed: 2, Valid: .3}.Dataset(ds)
	if err != nil {
		t.Fatal(err)
	}
	copied, err := data.FromColumns(data.NamedColumn{Name: "colour", Values: texts(valid.Frame, 1)}, data.NamedColumn{Name: "x", Values: valid.Columns[0].Numbers()},
		data.NamedColumn{Name: "label", Values: classes(&valid.Target)})
	if err != nil {
		t.Fatal(err)
	}
	separate, err := data.Label("label").Apply(copied)
	if err != nil {
		t.Fatal(err)
	}
	whole, rows, held, err := train.With(valid)
	if err != nil {
		t.Fatal(err)
	}
	for _, learner := range []string{"gbm", "cart"} {
		write := func(set *data.Dataset, options ...coppice.Option) []byte {
			m, err := coppice.Train(t.Context(), learnerOf(t, learner, ""), set, append(options, coppice.Seed(4))...)
			if err != nil {
				t.Fatal(err)
			}
			var b bytes.Buffer
			if err := coppice.Write(&b, m); err != nil {
				t.Fatal(err)
			}
			return b.Bytes()
		}
		want := write(whole, coppice.Job(learn.Job{Rows: rows, Valid: held}))
		if !bytes.Equal(write(train, coppice.Validation(valid)), want) {
			t.Errorf("%s: the part of a split gives another model", learner)
		}
		if !bytes.Equal(write(train, coppice.Validation(separate)), want) {
			t.Errorf("%s: a separate table gives another model", learner)
		}
	}
}

func texts(f *data.Frame, column int) []string {
	var all []string
	for _, c := range f.Columns[column].Codes() {
		all = append(all, f.Schema.Fields[column].Levels[c])
	}
	return all
}

func classes(t *data.Target) []string {
	var all []string
	for _, c := range t.Class {
		all = append(all, t.Classes[c])
	}
	return all
}

// A category that only the validation set has is unseen, for all that use the set.
func TestValidationWithUnseenCategories(t *testing.T) {
	train, valid := numbered(t, 200, []string{"red", "blue"}), numbered(t, 60, []string{"red", "green", "blue"})
	for _, learner := range []string{"gbm", "cart", "anyboost", "stack"} {
		l := learnerOf(t, learner, "")
		m, err := coppice.Train(t.Context(), l, train, coppice.Validation(valid))
		if err != nil {
			t.Errorf("%s: %v", learner, err)
			continue
		}
		if l.Capabilities().Validation == (learn.Validation{}) {
			t.Errorf("%s does not use the set", learner)
		}
		if levels := m.Spec().Schema.Fields[1].Levels; len(levels) != 2 {
			t.Errorf("%s: the model has the categories %q", learner, levels)
		}
	}
}

func TestTrainRefusesOptions(t *testing.T) {
	ds := numbered(t, 40, []string{"red", "blue"})
	other := numbered(t, 40, []string{"red", "blue"})
	other.Target.Classes = []string{"no", "perhaps"}
	for want, options := range map[string][]coppice.Option{
		"Validation: the set has no rows":                                               {coppice.Validation(nil)},
		"Validation: Job.Valid names validation rows too: leave one of them out":        {coppice.Job(learn.Job{Valid: []int32{1}}), coppice.Validation(ds)},
		`validation set: row 1: label "perhaps" of column "y" occurs`:                   {coppice.Validation(other)},
		"Job.Rows: there is no row 40":                                                  {coppice.Rows([]int32{40}), coppice.Validation(ds)},
		"Validation: Job.Plan assigns folds to the rows of one table: use Job.Valid in": {coppice.Job(learn.Job{Plan: &split.Plan{Assign: make([]int32, 40)}}), coppice.Validation(ds)},
		"3 weights for 40 rows":                                                         {coppice.Weight([]float64{1, 2, 3})},
		"row 2: the weight is negative":                                                 {coppice.Weight(append([]float64{1, -2}, make([]float64, 38)...))},
	} {
		_, err := coppice.Train(t.Context(), learnerOf(t, "cart", ""), ds, options...)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

// A model stores the seed and the hash of the rows that it was trained on, whichever the workers
// and the rows for validation are.
func TestModelsIdentifyTheirTraining(t *testing.T) {
	ds := numbered(t, 100, []string{"red", "blue"})
	rows := data.AllRows(80)
	want := ds.Hash(rows, 1)
	for workers := range 3 {
		m, err := coppice.Train(t.Context(), learnerOf(t, "forest", "trees=2"), ds,
			coppice.Rows(rows), coppice.Seed(9), coppice.Workers(workers))
		if err != nil {
			t.Fatal(err)
		}
		if on := m.Spec().TrainedOn; on == nil || on.Seed != 9 || on.Table != want {
			t.Errorf("%d workers: trained on %+v, want seed 9 and table %v", workers, on, want)
		}
	}
	if ds.Hash(nil, 1) == want {
		t.Error("80 rows have the hash of 100")
	}
}
