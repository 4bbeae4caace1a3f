package coppice_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"sync"
	"testing"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/calibrate"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/learn/gbm"
	"github.com/coppice-ml/coppice/learn/linear"
	"github.com/coppice-ml/coppice/learn/portfolio"
	"github.com/coppice-ml/coppice/learn/stack"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tune"
)

// sold is a table of texts with one word that 7 of 60 rows have, 4 of them among the first 40, and
// one for the label.
func sold(t *testing.T, change func(row int, text string) string) (raw *data.Frame,
	ds *data.Dataset) {
	t.Helper()
	texts, label := make([]string, 60), make([]string, 60)
	for i := range texts {
		texts[i], label[i] = fmt.Sprint("w", i%3), "no"
		if i%4 < 2 {
			texts[i], label[i] = texts[i]+" good", "yes"
		}
		if i < 4 || i >= 57 {
			texts[i] += " seldom"
		}
		if change != nil {
			texts[i] = change(i, texts[i])
		}
	}
	raw, err := data.FromColumns(data.NamedColumn{Name: "t", Values: texts, Text: true},
		data.NamedColumn{Name: "sold", Values: label})
	if err != nil {
		t.Fatal(err)
	}
	ds, err = data.Label("sold").Apply(raw)
	if err != nil {
		t.Fatal(err)
	}
	return raw, ds
}

// fits notes of each Prepare whether its table has columns of texts that too few of its rows have,
// and of how many columns it is.
type fits struct {
	sync.Mutex
	rare    int
	columns map[int]bool
}

// watched is a learner whose Prepare is watched.
type watched struct {
	learn.Learner
	by *fits
}

func (w watched) Prepare(ctx context.Context, features data.Features, rows []int32, weight []float64,
	env learn.Env) (learn.Fitter, error) {
	f, err := features.InMemory()
	if err != nil {
		return nil, err
	}
	if len(rows) > 1 { // of one row learners are asked whether they take the table
		w.by.Lock()
		if f.FitTexts(rows, nil) != f {
			w.by.rare++
		}
		w.by.columns[len(f.Columns)] = true
		w.by.Unlock()
	}
	return w.Learner.Prepare(ctx, f, rows, weight, env)
}

// Whatever predicts rows out of fold trains on columns of texts that the other rows chose.
func TestFoldsChooseTexts(t *testing.T) {
	_, ds := sold(t, nil)
	plan := &split.Plan{K: 3, Kind: split.Random}
	train := func(l learn.Learner) error {
		_, err := coppice.Train(t.Context(), l, ds, coppice.Job(learn.Job{Plan: plan}))
		return err
	}
	for name, run := range map[string]func(l learn.Learner) error{
		"cross-validation": func(l learn.Learner) error {
			_, err := eval.CrossValidate(t.Context(), l, ds, plan, eval.Options{})
			return err
		},
		"leakage check": func(l learn.Learner) error {
			_, err := eval.CheckLeakage(t.Context(), l, ds, plan, 3, eval.Options{})
			return err
		},
		"tuning": func(l learn.Learner) error {
			_, err := tune.Run(t.Context(), []tune.Candidate{{Name: "cart",
				New: func() (learn.Learner, error) { return l, nil }}}, ds, plan,
				tune.Options{Trials: 1})
			return err
		},
		"calibration": func(l learn.Learner) error {
			c := calibrate.New(catalog.Resolve)
			c.Base = learn.Choice{Name: "watched", Learner: l}
			return train(c)
		},
		"stacking": func(l learn.Learner) error {
			s := stack.New(catalog.Resolve)
			s.Members.List = []learn.Member{{Name: "watched",
				Learner: learn.Choice{Name: "watched", Learner: l}}}
			return train(s)
		},
		"portfolio": func(l learn.Learner) error {
			p := portfolio.New(catalog.Resolve)
			p.Budget = "1"
			p.Members.List = []learn.Member{{Name: "watched",
				Learner: learn.Choice{Name: "watched", Learner: l}}}
			return train(p)
		},
	} {
		seen := fits{columns: map[int]bool{}}
		l := cart.New()
		l.Prune = "none"
		if err := run(watched{l, &seen}); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if seen.rare > 0 {
			t.Errorf("%s: %d fits have columns that too few of their rows have", name, seen.rare)
		}
		if !seen.columns[len(ds.Columns)-1] {
			t.Errorf("%s: tables of %v columns, want some of %d", name, seen.columns,
				len(ds.Columns)-1)
		}
	}
}

// A model does not depend on texts that it was not trained on, by one byte.
func TestOtherTextsHaveNoSay(t *testing.T) {
	rows := data.AllRows(40)
	trained := func(change func(row int, text string) string) ([]byte, *model.Spec) {
		raw, ds := sold(t, change)
		m, err := coppice.Train(t.Context(), linear.NewLogistic(), ds.NameTexts(rows, raw), coppice.Rows(rows))
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "m.coppice")
		if err := coppice.Save(path, m); err != nil {
			t.Fatal(err)
		}
		bytes, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return bytes, m.Spec()
	}
	want, spec := trained(nil)
	if got := spec.Schema.Names(); !slices.Contains(got, "t~good") ||
		slices.Contains(got, "t~seldom") {
		t.Errorf("columns %q", got)
	}
	for name, change := range map[string]func(row int, text string) string{
		"frequent": func(int, string) string { return "seldom seldom good" },
		"new":      func(int, string) string { return "entirely different words" },
		"empty":    func(int, string) string { return "" },
	} {
		got, _ := trained(func(row int, text string) string {
			if row < len(rows) {
				return text
			}
			return change(row, text)
		})
		if !bytes.Equal(got, want) {
			t.Errorf("%s texts in other rows change the model", name)
		}
	}
}

// The models of folds, whose columns differ, predict texts together, also once they were stored.
func TestFoldModelsOfTextsPredictTogether(t *testing.T) {
	raw, ds := sold(t, nil)
	for _, member := range []learn.Learner{linear.NewLogistic(), cart.New()} {
		seen := fits{columns: map[int]bool{}}
		p := portfolio.New(catalog.Resolve)
		p.Budget, p.Final, p.Folds = "1", portfolio.FinalFolds, 3
		p.Members.List = []learn.Member{{Name: "own", Learner: learn.Choice{Name: "own",
			Learner: watched{member, &seen}}}}
		m, err := coppice.Train(t.Context(), p, ds, coppice.Seed(1))
		if err != nil {
			t.Fatal(err)
		}
		if all := len(ds.Columns); !seen.columns[all] || !seen.columns[all-1] {
			t.Fatalf("tables of %v columns, want some of %d and some of one less", seen.columns, all)
		}
		want := predictAll(t, m, raw)
		if got := predictAll(t, m, ds.Frame); !slices.Equal(got, want) {
			t.Errorf("texts are predicted otherwise than their columns")
		}
		path := filepath.Join(t.TempDir(), "m.coppice")
		if err := coppice.Save(path, m); err != nil {
			t.Fatal(err)
		}
		opened, err := coppice.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := predictAll(t, opened, raw); !slices.Equal(got, want) {
			t.Errorf("the stored model predicts something else")
		}
	}
}

// Training that is resumed has the columns of the checkpoint.
func TestResumeWithTexts(t *testing.T) {
	_, ds := sold(t, nil)
	l := gbm.New()
	l.Trees, l.MinLeaf = 6, 2
	job := learn.Job{Rows: data.AllRows(40)}
	want, err := coppice.Train(t.Context(), l, ds, coppice.Job(job))
	if err != nil {
		t.Fatal(err)
	}
	if got := len(want.Spec().Schema.Fields); got != len(ds.Columns)-1 {
		t.Fatalf("%d columns of %d", got, len(ds.Columns))
	}
	stopped := job
	stopped.Observe = func(r learn.Round) (err error) {
		if r.N == 3 {
			if job.Start, err = r.Checkpoint(); err == nil {
				err = learn.Stop
			}
		}
		return err
	}
	if _, err := coppice.Train(t.Context(), l, ds, coppice.Job(stopped)); err != nil {
		t.Fatal(err)
	}
	got, err := coppice.Train(t.Context(), l, ds, coppice.Job(job))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Error("resumed training ends in another model")
	}
	before, err := coppice.Train(t.Context(), l, ds)
	if err != nil {
		t.Fatal(err)
	}
	job.Start = &learn.Checkpoint{Model: before}
	more, err := coppice.Train(t.Context(), l, ds, coppice.Job(job))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(more.Spec().Schema, before.Spec().Schema) {
		t.Errorf("continued training has the columns %q", more.Spec().Schema.Names())
	}
}
