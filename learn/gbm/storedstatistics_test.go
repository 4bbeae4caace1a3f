package gbm_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/memory"
)

// few is a table of a column of 90 categories, for which categories=auto takes target statistics.
func few(t testing.TB) *data.Dataset { return firstRows(rankTable(t, data.Binary, rankRows), 1200) }

// Whether a table in blocks gets target statistics depends on its training rows, as in memory, and
// so do its bins.
func TestBlocksChooseStatistics(t *testing.T) {
	ds := few(t)
	codes, some := ds.Columns[6].Codes(), []int32{}
	for r := range int32(ds.Rows()) {
		if codes[r] < 60 {
			some = append(some, r)
		}
	}
	for name, c := range map[string]struct {
		job     learn.Job
		derived bool
	}{
		"all rows":              {learn.Job{Seed: 3}, true},
		"rows of 60 categories": {learn.Job{Seed: 3, Rows: some}, false},
		"a validation set":      {learn.Job{Seed: 3, Rows: some, Valid: []int32{5, 6, 7, 900}}, false},
		"other rows":            {learn.Job{Seed: 3, Rows: data.AllRows(1000), Valid: []int32{1000, 1007, 1100}}, true},
	} {
		settings := []string{"trees=4", "leaves=6", "ts_combine=2"}
		want := fit(t, ds, c.job, settings...)
		if got := len(want.Inputs.Columns) > 0; got != c.derived {
			t.Errorf("%s: derived columns %v", name, got)
		}
		got, err := fitBlocks(learner(t, settings...), ds, 170, learn.Env{}, c.job)
		if err != nil || fingerprint(got) != fingerprint(want) {
			t.Errorf("%s: %v, %s, want %s", name, err, fingerprint(got), fingerprint(want))
		}
	}
}

// A training in blocks with target statistics resumes from a checkpoint.
func TestBlocksResumeStatistics(t *testing.T) {
	ds := few(t)
	settings := []string{"leaves=6", "trees=7", "ts_combine=2", "valid_fraction=0.2", "subsample=0.5"}
	train := func(job learn.Job) (learn.Learner, any, error) {
		l := learner(t, settings...)
		m, err := fitBlocks(l, ds, 170, learn.Env{}, job)
		return l, m, err
	}
	var at *learn.Checkpoint
	_, want, err := train(learn.Job{Observe: func(r learn.Round) (err error) {
		if r.N == 3 {
			at, err = r.Checkpoint()
		}
		return err
	}})
	if err != nil {
		t.Fatal(err)
	}
	if _, got, err := train(learn.Job{Start: at}); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("resumed: %v %v, want %v", got, err, want)
	}
	at.State = nil
	if _, _, err := train(learn.Job{Start: at}); err == nil || !strings.Contains(err.Error(), "data.ReadOptions.Memory") {
		t.Errorf("continued: %v", err)
	}
}

// What target statistics in blocks do not go with, or have no memory for, is refused.
func TestBlocksRefuseStatistics(t *testing.T) {
	ds := few(t)
	for want, c := range map[string]struct {
		setting string
		job     learn.Job
	}{
		"ts_permutations=2 needs the table in memory": {"ts_permutations=2", learn.Job{}},
		"out-of-fold target statistics need":          {"ts_combine=1", learn.Job{HoldOut: func(string, *learn.HoldOut) error { return nil }}},
	} {
		_, err := fitBlocks(learner(t, "trees=2", c.setting), ds, 170, learn.Env{}, c.job)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	// 44 bytes a row are enough for the rounds, 46 are needed to derive columns
	for memoryOfRow, want := range map[memory.Limit]error{45: memory.ErrLimit, 46: nil} {
		_, err := fitBlocks(learner(t, "trees=2"), ds, 170, learn.Env{Memory: 1200 * memoryOfRow},
			learn.Job{})
		if !errors.Is(err, want) {
			t.Errorf("%d bytes: %v, want %v", memoryOfRow, err, want)
		}
	}
}
