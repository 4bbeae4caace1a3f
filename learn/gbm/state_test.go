package gbm_test

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
)

// checkpoints trains, and keeps the checkpoint of each round.
func checkpoints(t testing.TB, ds *data.Dataset, job learn.Job,
	settings ...string) (*model.Ensemble, []*learn.Checkpoint) {
	t.Helper()
	var all []*learn.Checkpoint
	job.Observe = func(r learn.Round) error {
		if r.Checkpoint == nil || r.Stage != "boost" {
			return nil
		}
		c, err := r.Checkpoint()
		if err == nil && r.N != len(all)+1 {
			t.Errorf("round %d after %d", r.N, len(all))
		}
		all = append(all, c)
		return err
	}
	return fit(t, ds, job, settings...), all
}

// randomSettings are settings with which rounds make every possible random choice.
var randomSettings = []string{"trees=16", "subsample=0.6", "colsample=0.7", "colsample_node=0.8",
	"learning_rate_decay=0.95", "leaves=8", "training_metric=5"}

// TestResumeFromAnyRound: training that resumes from any round ends at the bytes of one that was
// not interrupted.
func TestResumeFromAnyRound(t *testing.T) {
	for _, task := range []data.Task{data.Regression, data.Multiclass} {
		ds := table(t, 300, task)
		train, valid := trainTest(ds)
		for _, more := range [][]string{nil, {"early_stopping=3", "learning_rate=0.9"}} {
			settings := append(slices.Clone(randomSettings), more...)
			job := learn.Job{Rows: train, Valid: valid, Seed: 7}
			want, all := checkpoints(t, ds, job, settings...)
			for n, c := range all {
				job.Start = c
				if got := fit(t, ds, job, settings...); !reflect.DeepEqual(got, want) {
					t.Errorf("%s: resumed after round %d training ends elsewhere", task, n+1)
				}
			}
		}
	}
}

// TestMoreRounds: a training with more rounds resumes from the checkpoint of a finished one.
func TestMoreRounds(t *testing.T) {
	ds := table(t, 300, data.Binary)
	_, all := checkpoints(t, ds, learn.Job{}, "trees=5", "training_metric=1")
	want := fit(t, ds, learn.Job{}, "trees=9", "training_metric=1")
	if got := fit(t, ds, learn.Job{Start: all[4]}, "trees=9",
		"training_metric=1"); !reflect.DeepEqual(got, want) {
		t.Error("5 rounds and 4 more are not 9")
	}
}

// TestContinue: continuing a model is training at once, where nothing is random.
func TestContinue(t *testing.T) {
	for _, task := range []data.Task{data.Regression, data.Binary, data.Multiclass} {
		ds := table(t, 300, task)
		first := fit(t, ds, learn.Job{}, "trees=5")
		both := fit(t, ds, learn.Job{Start: &learn.Checkpoint{Model: first}}, "trees=4")
		want := fit(t, ds, learn.Job{}, "trees=9")
		if !reflect.DeepEqual(both.Trees, want.Trees) || !slices.Equal(both.Output, want.Output) ||
			!slices.Equal(both.Bias, want.Bias) {
			t.Errorf("%s: 5 rounds and 4 more are not 9", task)
		}
		if s := summary(t, both); s.Before != 5 || s.Rounds != 4 || s.Kept != 9 {
			t.Errorf("%s: %+v", task, s)
		}
	}
}

func TestOtherStartsRefused(t *testing.T) {
	ds := table(t, 200, data.Binary)
	_, all := checkpoints(t, ds, learn.Job{Seed: 1}, "trees=4")
	choosing, _ := chosen(t, ds, learn.Job{Seed: 1}, 2, "early_stopping=2")
	damaged := func(f func(b []byte) []byte) *learn.Checkpoint {
		return &learn.Checkpoint{Model: all[3].Model, State: f(slices.Clone(all[3].State))}
	}
	changed := table(t, 200, data.Binary)
	changed.Columns[2].Numbers()[3]++
	mean := *all[3].Model.(*model.Ensemble)
	mean.Combine = model.Mean
	for name, c := range map[string]struct {
		ds       *data.Dataset
		start    *learn.Checkpoint
		seed     uint64
		settings []string
		want     string
	}{
		"seed":      {ds, all[3], 2, []string{"trees=4"}, "seed 1, not 2"},
		"parameter": {ds, all[3], 1, []string{"trees=4", "l2=3"}, "with l2=1, not 3"},
		"rounds":    {ds, all[3], 1, []string{"trees=3"}, "4 rounds, more than trees=3"},
		"no rounds": {ds, all[3], 1, nil, "with trees=4, not 0"},
		"chosen": {ds, choosing, 1, []string{"trees=4", "early_stopping=2"},
			"with trees=0, not 4"},
		"data": {changed, all[3], 1, []string{"trees=4"},
			"other rows, columns, labels or weights"},
		"task": {table(t, 200, data.Multiclass), all[3], 1, []string{"trees=4"},
			"is for binary"},
		"loss": {ds, all[3], 1, []string{"trees=4", "loss=softmax"},
			"with loss=auto, not softmax"},
		"link": {ds, &learn.Checkpoint{Model: all[3].Model}, 1, []string{"loss=softmax"},
			"link"},
		"mean": {ds, &learn.Checkpoint{Model: &mean}, 1, nil, "no sum of trees"},
		"truncated": {ds, damaged(func(b []byte) []byte { return b[:len(b)-1] }), 1,
			[]string{"trees=4"}, "damaged"},
		"longer": {ds, damaged(func(b []byte) []byte { return append(b, 0) }), 1,
			[]string{"trees=4"}, "damaged"},
		"no head": {ds, damaged(func([]byte) []byte { return []byte{} }), 1, []string{"trees=4"},
			"damaged"},
		"wrong head": {ds, damaged(func(b []byte) []byte { b[4] = '"'; return b }), 1,
			[]string{"trees=4"}, "damaged"},
	} {
		_, err := tryFit(context.Background(), t, c.ds, learn.Job{Seed: c.seed, Start: c.start},
			c.settings...)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", name, err, c.want)
		}
	}
}

// FuzzState: whatever a state holds, training ends with a model or an error.
func FuzzState(f *testing.F) {
	ds := table(f, 40, data.Binary)
	_, all := checkpoints(f, ds, learn.Job{}, "trees=3", "leaves=3")
	choosing, _ := chosen(f, ds, learn.Job{}, 2, "leaves=3", "early_stopping=2")
	f.Add(uint64(1), uint8(3))
	f.Add(uint64(2), uint8(1))
	f.Fuzz(func(t *testing.T, seed uint64, edits uint8) {
		from, settings := all[1], []string{"trees=4", "leaves=3"}
		if seed%2 == 1 {
			from, settings = choosing, []string{"leaves=3", "early_stopping=2"}
		}
		c := &learn.Checkpoint{Model: from.Model, State: slices.Clone(from.State)}
		s := rng.New(seed)
		for range edits {
			c.State[s.Intn(len(c.State))] = byte(s.Intn(256))
		}
		if s.Intn(3) == 0 {
			c.State = c.State[:s.Intn(len(c.State))]
		}
		if m, err := tryFit(context.Background(), t, ds, learn.Job{Start: c},
			settings...); err == nil && m == nil {
			t.Error("neither a model nor an error")
		}
	})
}

// TestCancelled: a cancelled training returns the rounds so far, those of a shorter one.
func TestCancelled(t *testing.T) {
	ds := table(t, 300, data.Multiclass)
	ctx, cancel := context.WithCancel(context.Background())
	m, err := tryFit(ctx, t, ds, learn.Job{Observe: func(r learn.Round) error {
		if r.N == 4 {
			cancel()
		}
		return nil
	}}, "trees=50")
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
	want := fit(t, ds, learn.Job{}, "trees=4")
	if got := m.(*model.Ensemble); !reflect.DeepEqual(got.Trees, want.Trees) ||
		summary(t, got).Kept != 4 {
		t.Error("not the first 4 rounds")
	}
	stop := errors.New("enough")
	m, err = tryFit(context.Background(), t, ds,
		learn.Job{Observe: func(learn.Round) error { return stop }}, "trees=50")
	if !errors.Is(err, stop) || len(m.(*model.Ensemble).Trees) != 3 {
		t.Errorf("%v, error %v", m, err)
	}
}
