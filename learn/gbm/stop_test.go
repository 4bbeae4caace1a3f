package gbm_test

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
)

// choosing are parameters by which the number of rounds is chosen in some tens of rounds.
var choosing = []string{"leaves=6", "early_stopping=30", "subsample=0.8", "learning_rate=0.3"}

// TestCancelledWhileRoundsAreChosen: the model so far is that of the first fold, of the rounds that
// were best so far, and the error is the context's, or the observer's.
func TestCancelledWhileRoundsAreChosen(t *testing.T) {
	ds := table(t, 200, data.Multiclass)
	enough := errors.New("enough")
	for _, settings := range [][]string{choosing, append([]string{"boosting=dart"}, choosing...),
		append([]string{"boosting=ordered", "boosting.permutations=2"}, choosing...)} {
		var models []model.Model
		for _, workers := range []int{1, 3} {
			for _, cancels := range []bool{true, false} {
				ctx, cancel := context.WithCancel(t.Context())
				m, err := tryFit(ctx, t, ds,
					learn.Job{Seed: 5, Workers: workers, Observe: func(r learn.Round) error {
						if r.Stage != "choose rounds" {
							t.Fatalf("stage %q", r.Stage)
						}
						switch {
						case r.N < 6:
							return nil
						case cancels:
							cancel()
							return nil
						}
						return enough
					}}, settings...)
				cancel()
				want := enough
				if cancels {
					want = context.Canceled
				}
				if m == nil || !errors.Is(err, want) {
					t.Fatalf("a model: %t, error %v, want one and %v", m != nil, err, want)
				}
				models = append(models, m)
			}
		}
		for _, m := range models[1:] {
			if !reflect.DeepEqual(m, models[0]) {
				t.Error("the model so far depends on workers, or on what ended the training")
			}
		}
		m := models[0].(*model.Ensemble)
		s := summary(t, m)
		if s.Trained.Rows != 160 || s.Kept < 1 || s.Kept > 6 || len(m.Trees) != 3*s.Kept {
			t.Errorf("%d trees, summary %+v", len(m.Trees), s)
		}
		right := 0
		for i, class := range predict(t, m, ds.Frame, nil, model.Label) {
			if uint32(class) == ds.Target.Class[i] {
				right++
			}
		}
		if right < 150 {
			t.Errorf("%d of 200 rows are right", right)
		}
	}
}

// TestStopWhileRoundsAreChosen: the best number of rounds so far is trained on all rows, without an
// error and without the observer, also where the choice was resumed.
func TestStopWhileRoundsAreChosen(t *testing.T) {
	ds := table(t, 200, data.Multiclass)
	start, _ := chosen(t, ds, learn.Job{Seed: 5}, 3, choosing...)
	var first *model.Ensemble
	for _, from := range []*learn.Checkpoint{nil, start} {
		m, err := tryFit(t.Context(), t, ds,
			learn.Job{Seed: 5, Start: from, Observe: func(r learn.Round) error {
				if r.N < 6 {
					return nil
				}
				if r.N > 6 || r.Stage != "choose rounds" {
					t.Errorf("%s: round %d after Stop", r.Stage, r.N)
				}
				return learn.Stop
			}}, choosing...)
		if err != nil {
			t.Fatal(err)
		}
		got := m.(*model.Ensemble)
		s := summary(t, got)
		if s.Chosen == nil || len(s.Chosen.Curve) != 6 || s.Trained.Rows != 200 ||
			s.Kept != s.Chosen.Rounds {
			t.Fatalf("%+v", s)
		}
		if first == nil {
			first = got
		}
		if !reflect.DeepEqual(got, first) {
			t.Error("a resumed choice that is stopped ends elsewhere")
		}
	}
	m, err := tryFit(cancelled(t), t, ds, learn.Job{Seed: 5, Start: start}, choosing...)
	if m != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("a resumed choice that is cancelled has a model: %t, error %v", m != nil, err)
	}
}

// cancelled returns a context that is.
func cancelled(t *testing.T) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}

// TestStop: the rounds so far are the model of as many.
func TestStop(t *testing.T) {
	ds := table(t, 300, data.Multiclass)
	m, err := tryFit(t.Context(), t, ds, learn.Job{Observe: func(r learn.Round) error {
		if r.N == 4 {
			return learn.Stop
		}
		return nil
	}}, "trees=50")
	if err != nil {
		t.Fatal(err)
	}
	if want := fit(t, ds, learn.Job{}, "trees=4"); !reflect.DeepEqual(m.(*model.Ensemble).Trees,
		want.Trees) {
		t.Error("not the first 4 rounds")
	}
}
