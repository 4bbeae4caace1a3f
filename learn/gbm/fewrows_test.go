package gbm_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/learntest"
	"github.com/coppice-ml/coppice/model"
)

// shallow reports whether all trees of a model have up to four levels, of one split each.
func shallow(t *testing.T, m *model.Ensemble) bool {
	t.Helper()
	levels, err := model.ParseLayout("levels")
	if err != nil {
		t.Fatal(err)
	}
	for i := range m.Trees {
		if m.Trees[i].NumLeaves() > 16 {
			return false
		}
	}
	p, err := m.Bind(&m.Meta.Schema, model.Options{Layout: levels})
	return err == nil && slices.Equal(model.LayoutsUsed(p, 600), []model.Layout{levels})
}

// numbersOf is table without its categories, whose trees have the layout of symmetric ones.
func numbersOf(t *testing.T, rows int, task data.Task) *data.Dataset {
	t.Helper()
	ds := table(t, rows, task)
	ds.Frame = ds.Select([]int{0, 1, 2, 3, 4, 5})
	return ds
}

// fewRows are parameters under which tables of few rows choose their rounds fast.
var fewRows = []string{"learning_rate=0.2", "early_stopping=5"}

// Tables of fewer than 500 rows have shallow symmetric trees of a part of the rows, for the losses
// that this was measured of. The parameters in effect train the same trees.
func TestFewRowsHaveSymmetricTrees(t *testing.T) {
	for _, task := range []data.Task{data.Binary, data.Multiclass, data.Regression} {
		ds := numbersOf(t, 499, task)
		m := fit(t, ds, learn.Job{Seed: 2}, fewRows...)
		effect := string(summary(t, m).InEffect)
		if !shallow(t, m) || !strings.Contains(effect, `"growth":"symmetric","depth":4`) ||
			!strings.Contains(effect, `"subsample":0.8`) {
			t.Errorf("%s: in effect are %s", task, effect)
		}
		l := learner(t, fewRows...)
		if err := l.Params().UnmarshalJSON(summary(t, m).InEffect); err != nil {
			t.Fatal(err)
		}
		again, err := learntest.Fit(t.Context(), learn.Env{}, l, ds, learn.Job{Seed: 2})
		if err != nil || !reflect.DeepEqual(again.(*model.Ensemble).Trees, m.Trees) {
			t.Errorf("%s: the parameters in effect train other trees: %v", task, err)
		}
	}
}

// What is given by hand stays, and so do trees of more rows and of other losses and tasks.
func TestFewRowsKeepWhatIsGiven(t *testing.T) {
	few, ranked := numbersOf(t, 200, data.Regression), ranking(t)
	fewRows := append(slices.Clone(fewRows), "valid_fraction=0.3")
	for _, c := range []struct {
		ds       *data.Dataset
		settings string
	}{
		{few, "growth=leaf"}, {few, "growth=depth"}, {few, "leaves=31"}, {few, "depth=9"},
		{few, "subsample=1"}, {few, "subsample=0.5"}, {few, "sampling=goss"}, {few, "trees=9"},
		{few, "boosting=dart"}, {few, "linear_tree=true"}, {few, "extra_trees=true"},
		{few, "gamma_prune=bottom"}, {few, "loss=absolute"}, {few, "compat=lightgbm"},
		{table(t, 500, data.Regression), "rehearse=false"}, {ranked, "rehearse=false"},
	} {
		m := fit(t, c.ds, learn.Job{}, append(slices.Clone(fewRows), strings.Fields(c.settings)...)...)
		effect := string(summary(t, m).InEffect)
		if shallow(t, m) || strings.Contains(effect, "growth") ||
			strings.Contains(effect, "subsample") {
			t.Errorf("%s: in effect are %s", c.settings, effect)
		}
	}
	if m := fit(t, few, learn.Job{}, append(slices.Clone(fewRows), "loss=squared",
		"rehearse=false", "monotone=a=1")...); !shallow(t, m) {
		t.Error("the usual loss by name has other trees")
	}
}

// A table of few rows has the same model in blocks, and after a checkpoint.
func TestFewRowsOnAllRoads(t *testing.T) {
	ds := numbersOf(t, 300, data.Binary)
	settings := append(slices.Clone(fewRows), "valid_fraction=0.2")
	want := fit(t, ds, learn.Job{Seed: 1}, settings...)
	got, err := fitBlocks(learner(t, settings...), ds, 77, learn.Env{Scratch: t.TempDir()},
		learn.Job{Seed: 1})
	if err != nil || fingerprint(got) != fingerprint(want) || !shallow(t, want) {
		t.Errorf("in blocks: %v, %s, want %s", err, fingerprint(got), fingerprint(want))
	}
	at, whole := chosen(t, ds, learn.Job{Seed: 1}, 3, fewRows...)
	again := fit(t, ds, learn.Job{Seed: 1, Start: at}, fewRows...)
	if !reflect.DeepEqual(again, whole) || !shallow(t, whole) {
		t.Errorf("resumed: %s, want %s", fingerprint(again), fingerprint(whole))
	}
}
