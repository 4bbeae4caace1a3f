package gbm_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm"
	"github.com/coppice-ml/coppice/learn/learntest"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/ranks"
)

// TestWeightlessRowsAreAbsent: with rows of weight 0 a training makes the trees of the table
// without them, where it samples rows, holds rows out, compares candidates, or is given a
// validation set.
func TestWeightlessRowsAreAbsent(t *testing.T) {
	short := []string{"rehearse=false", "early_stopping=3", "leaves=4"}
	for i, settings := range [][]string{{"trees=6", "min_leaf=15"}, {"trees=6", "subsample=0.5"},
		{"trees=6", "sampling=goss"}, {"trees=6", "min_bin=5", "bins=9"},
		{"trees=6", "categories=target"}, {"trees=6", "boosting=ordered"},
		append(slices.Clone(short), "trees=0"), append(slices.Clone(short), "valid_fraction=0.3"),
		{"early_stopping=3", "leaves=4", "valid_fraction=0.3", "trees=0"}} {
		for k, task := range []data.Task{data.Binary, data.Regression} {
			if testing.Short() && k != i%2 {
				continue
			}
			ds := table(t, 800, task)
			var rows []int32
			for i := range ds.Rows() {
				w := float64(i * 7 % 3)
				ds.Target.Weight = append(ds.Target.Weight, w)
				if w > 0 {
					rows = append(rows, int32(i))
				}
			}
			sub := &data.Dataset{Frame: ds.Frame.Subset(rows), Target: ds.Target.Subset(rows)}
			got, want := fit(t, ds, learn.Job{Seed: 2}, settings...),
				fit(t, sub, learn.Job{Seed: 2}, settings...)
			if !reflect.DeepEqual(got.Trees, want.Trees) {
				t.Errorf("%v, %s: another model than without the rows of weight 0", settings, task)
			}
			a, b := summary(t, got), summary(t, want)
			if a.Rows != b.Rows || a.Weightless == 0 || b.Weightless != 0 {
				t.Errorf("%v, %s: the summary counts %+v, without the rows %+v", settings, task,
					a.Trained, b.Trained)
			}
		}
	}
}

// TestCompatCountsWeightlessRows: the programs that compat follows count rows of weight 0 in
// leaves.
func TestCompatCountsWeightlessRows(t *testing.T) {
	ds := table(t, 60, data.Regression)
	for i := range ds.Rows() {
		ds.Target.Weight = append(ds.Target.Weight, float64(i%2))
	}
	leaves := func(settings ...string) int {
		return fit(t, ds, learn.Job{}, append(settings, "trees=1", "min_leaf=20",
			"categories=native")...).Trees[0].NumLeaves()
	}
	if own, theirs := leaves(), leaves("compat=lightgbm"); own != 1 || theirs < 2 {
		t.Errorf("%d leaves, and %d with compat: want 1 and more", own, theirs)
	}
}

// TestOneLeafOfWeightedRows: of 40 rows the 20 of weight 0 are in no leaf, and the others make one
// of at least 15 rows.
func TestOneLeafOfWeightedRows(t *testing.T) {
	frame := func(every int) *data.Dataset {
		var x, y, w []float64
		for i := 0; i < 40; i += every {
			x, w = append(x, float64(i+1)), append(w, float64(1-i%2))
			y = append(y, 0.1+float64(i/20))
			if i%2 == 1 {
				y[len(y)-1] = 0
			}
		}
		f, err := data.FromColumns(data.NamedColumn{Name: "x", Values: x})
		if err != nil {
			t.Fatal(err)
		}
		return &data.Dataset{Frame: f, Target: data.Target{Name: "y", Task: data.Regression,
			Y: [][]float64{y}, Weight: w}}
	}
	all, weighty := frame(1), frame(2)
	predict := func(ds *data.Dataset) string {
		m := learntest.MustFit(t, learn.Env{}, learntest.Made(t, gbm.New(), "min_leaf=15"), ds,
			learn.Job{})
		p, err := m.Bind(&weighty.Schema, model.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := make([]float64, weighty.Rows())
		if err := p.Predict(got, weighty.Frame, nil); err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%.6f", slices.Compact(got))
	}
	if got, want := predict(all), predict(weighty); got != want || got != "[0.600000]" {
		t.Errorf("predictions %s, without the rows of weight 0 %s, want 0.6", got, want)
	}
}

// TestWeightlessRowsInBlocksAndOnRanks: a table in blocks, and ranks that divide the rows, make the
// trees of the table without the rows of weight 0, and class weights are the same there.
func TestWeightlessRowsInBlocksAndOnRanks(t *testing.T) {
	ds := rankTable(t, data.Binary, 2000)
	var rows []int32
	for i := range ds.Rows() {
		w := float64(i * 7 % 3)
		ds.Target.Weight = append(ds.Target.Weight, w)
		if w > 0 {
			rows = append(rows, int32(i))
		}
	}
	sub := &data.Dataset{Frame: ds.Frame.Subset(rows), Target: ds.Target.Subset(rows)}
	settings := []string{"trees=4", "leaves=8", "min_leaf=20", "subsample=0.7",
		"valid_fraction=0.2", "class_weight=balanced", "categories=native"}
	inFile := func(ds *data.Dataset) string {
		m, err := fitBlocks(learner(t, settings...), ds, 271, learn.Env{Scratch: t.TempDir()},
			learn.Job{Seed: 7, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		return fingerprint(m)
	}
	if got, want := inFile(ds), inFile(sub); got != want {
		t.Errorf("in blocks %s, without the rows %s", got, want)
	}
	on := func(ds *data.Dataset) func(g ranks.Group) (string, error) {
		return func(g ranks.Group) (string, error) {
			f, err := learner(t, settings...).Prepare(t.Context(), ds.Frame, nil,
				ds.Target.Weight, learn.Env{Workers: 1, Ranks: g})
			if err != nil {
				return "", err
			}
			m, err := f.Fit(t.Context(), &ds.Target, learn.Job{Seed: 7, Workers: 1})
			if err != nil {
				return "", err
			}
			return fingerprint(m), nil
		}
	}
	want, err := on(sub)(nil)
	if err != nil {
		t.Fatal(err)
	}
	asRanks(t, 3, want, on(ds))
}
