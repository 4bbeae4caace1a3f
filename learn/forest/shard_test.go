package forest

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
)

// sharded fits a forest and its shards, in the settings of j.
func sharded(t *testing.T, j *begunFit, shards int,
	rows []int32) (whole model.Model, shard []model.Model) {
	t.Helper()
	fit := func() model.Model {
		f, err := j.learner.Prepare(t.Context(), j.frame, rows, nil, learn.Env{})
		if err != nil {
			t.Fatal(err)
		}
		m, err := f.Fit(t.Context(), j.target, learn.Job{Seed: 4, Rows: rows})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	whole = fit()
	for i := range shards {
		j.learner.Shard = fmt.Sprintf("%d/%d", i+1, shards)
		shard = append(shard, fit())
	}
	return whole, shard
}

// TestMerge: the shards of a forest, merged in any order, are the forest, in its trees and in all
// that is reported of it.
func TestMerge(t *testing.T) {
	for _, c := range []struct {
		file, label string
		task        data.Task
		weighted    bool
		learner     *Learner
		settings    []string
	}{
		{"iris/iris.csv", "species", data.Multiclass, false, New(),
			[]string{"importance=permutation,corrected,impurity",
				"importance_groups=petal_length+petal_width"}},
		{"adult/adult-train.csv.gz", "income", data.Binary, true, New(),
			[]string{"vote=probability", "prune=oob", "class_weight=balanced"}},
		{"adult/adult-train.csv.gz", "income", data.Binary, true, New(), []string{dearIncome}},
		{"adult/adult-train.csv.gz", "hours-per-week", data.Regression, true, New(),
			[]string{"honest=0.5", "importance=none"}},
		{"adult/adult-train.csv.gz", "hours-per-week", data.Regression, false, NewExtraTrees(),
			nil},
		{"adult/adult-train.csv.gz", "hours-per-week", data.Regression, true, New(),
			[]string{"quantiles=true"}},
	} {
		j := begun(t, c.file, c.label, c.task, 150, c.weighted)
		if err := c.learner.Params().Set(append(c.settings, "trees=11")); err != nil {
			t.Fatal(err)
		}
		j.learner = c.learner
		rows := append(data.AllRows(150), data.AllRows(20)...)
		whole, shards := sharded(t, j, 4, rows)
		slices.Reverse(shards)
		merged, _, err := named(c.learner.name).Merge(shards)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(merged, whole) {
			t.Errorf("%s: the shards of %s make another model:\n%s\n%s", c.label, c.learner.name,
				merged.Spec().Summary, whole.Spec().Summary)
		}
		sizes := 0
		for _, p := range shards {
			sizes += len(p.(*model.Ensemble).Trees)
		}
		if n := len(shards[0].(*model.Ensemble).Trees); sizes != 11 || n != 2 {
			t.Errorf("%s: %d trees in all shards, %d in the last", c.label, sizes, n)
		}
	}
}

// TestMergeRefused: what is not all shards of one forest is an error.
func TestMergeRefused(t *testing.T) {
	begin := func(settings ...string) *begunFit {
		return begun(t, "iris/iris.csv", "species", data.Multiclass, 150, false,
			append(settings, "trees=4")...)
	}
	whole, shards := sharded(t, begin(), 2, nil)
	_, entropy := sharded(t, begin("criterion=entropy"), 2, nil)
	_, fewer := sharded(t, begin(), 2, data.AllRows(120))
	_, four := sharded(t, begin(), 4, nil)
	more := begin()
	more.learner.Trees = 8
	_, eight := sharded(t, more, 8, nil)
	short := *shards[1].(*model.Ensemble)
	short.Trees = short.Trees[:1]
	damaged := *shards[1].(*model.Ensemble)
	damaged.State = damaged.State[:len(damaged.State)-1]
	j := begin()
	j.learner.name = ExtraTrees
	_, other := sharded(t, j, 2, nil)
	for want, models := range map[string][]model.Model{
		"no models to merge": {},
		"model 1: it is a whole forest, not a shard": {whole,
			shards[1]},
		"shard 2/2 is missing: a forest is merged from " +
			"all its shards": {shards[0]},
		"shards 1/4 and 3/4 are missing: a forest is merged from all its shards": {four[3],
			four[1]},
		"shards 1/4, 2/4 and 3/4 are missing: a forest is merged from " +
			"all its shards": {four[3]},
		"shards 1/8, 2/8, 4/8 and 4 more are missing: a forest is merged from " +
			"all its shards": {eight[2]},
		"model 1 and model 2: both are shard 1/2: leave one of them " +
			"out": {shards[0], shards[0]},
		"model 1 and model 3: both are shard 1/2: leave one of them " +
			"out": {shards[0], shards[1], shards[0]},
		"model 1 and model 2: shards 1/2 and 2/4 are not of one " +
			"forest": {shards[0], four[1]},
		"model 1 and model 2: shards 1/2 and 2/2 have different " +
			"parameters": {shards[0], entropy[1]},
		"model 2 and model 1: shards 1/2 and 2/2 have different rows or " +
			"seeds": {shards[1], fewer[0]},
		"model 2: shard 2/2 has 1 of its 2 trees: its training was " +
			"interrupted": {shards[0], &short},
		"model 2: what the shard stores about its trees is damaged: train it " +
			"again": {shards[0], &damaged},
		"model 2: a model of extratrees is no shard of a model of " +
			"forest": {shards[0], other[1]},
	} {
		if _, _, err := New().Merge(models); fmt.Sprint(err) != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	for set, want := range map[string]string{"shard=2": "is no shard, such as 1/4",
		"shard=3/2": "is no shard", "shard=0/2": "is no shard", "shard=a/b": "is no shard"} {
		if err := New().Params().Set([]string{set}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", set, err)
		}
	}
	for _, c := range []struct{ shard, stopping, want string }{
		{"1/5", "0", "shard=1/5 of 4 trees: there are more shards than trees"},
		{"1/2", "5", "early_stopping requires all trees, and shard grows some: leave one of them " +
			"out"},
	} {
		j := begin()
		if err := j.learner.Params().Set([]string{"shard=" + c.shard, "early_stopping=" +
			c.stopping}); err != nil {
			t.Fatal(err)
		}
		if _, err := j.Fit(t.Context(), learn.Job{}); fmt.Sprint(err) != c.want {
			t.Errorf("error %v, want %s", err, c.want)
		}
	}
}

// FuzzState: whatever state a shard has, merging it fails or gives a model that predicts; it never
// panics.
func FuzzState(f *testing.F) {
	var shards []model.Model
	prepare := func(t *testing.T) {
		if shards == nil {
			j := begun(t, "iris/iris.csv", "species", data.Multiclass, 60, true, "trees=2",
				"importance=permutation")
			_, shards = sharded(t, j, 2, nil)
		}
	}
	f.Add([]byte{}, 0, byte(0))
	f.Add([]byte{1, 1, 255}, 3, byte(1))
	f.Fuzz(func(t *testing.T, state []byte, at int, change byte) {
		prepare(t)
		whole := shards[1].(*model.Ensemble)
		for _, s := range [][]byte{state, slices.Clone(whole.State)} {
			if at >= 0 && at < len(s) {
				s[at] ^= change
			}
			damaged := *whole
			damaged.State = s
			if m, _, err := New().Merge([]model.Model{shards[0], &damaged}); err == nil &&
				len(m.(*model.Ensemble).Trees) != 2 {
				t.Error("another number of trees")
			}
		}
	})
}
