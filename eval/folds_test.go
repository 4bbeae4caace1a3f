package eval_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/ranks"
	"github.com/coppice-ml/coppice/ranks/rankstest"
)

// onRanks cross-validates on each rank of a group, and returns the results as JSON.
func onRanks(t *testing.T, n int, l func() learn.Learner, ds *data.Dataset) ([]string, []error) {
	t.Helper()
	results := make([]string, n)
	errs := rankstest.Each(n, func(g ranks.Group) error {
		cv, err := eval.CrossValidate(t.Context(), l(), ds, &split.Plan{K: 5, Seed: 3},
			eval.Options{Seed: 1, Workers: 1, Ranks: g})
		if err != nil {
			return err
		}
		text, err := json.Marshal(cv)
		results[g.Rank()] = string(text)
		return err
	})
	return results, errs
}

// Ranks that divide the folds find what one process finds.
func TestRanksDivideFolds(t *testing.T) {
	const rows = 60
	values, classes := make([]float64, rows), make([]uint32, rows)
	for i := range rows {
		values[i], classes[i] = float64(i*i%37), uint32(i*i%37/19)
	}
	for name, ds := range map[string]*data.Dataset{
		"values": dataset(t, rows, data.Target{Task: data.Regression, Y: [][]float64{values}}),
		"classes": dataset(t, rows, data.Target{Task: data.Binary, Classes: []string{"n", "y"},
			Class: classes}),
	} {
		cartLearner := func() learn.Learner { return cart.New() }
		want, errs := onRanks(t, 1, cartLearner, ds)
		if errs[0] != nil {
			t.Fatal(errs[0])
		}
		for _, n := range []int{2, 3, 7} {
			got, errs := onRanks(t, n, cartLearner, ds)
			if err := errors.Join(errs...); err != nil {
				t.Fatal(err)
			}
			for rank := range got {
				if got[rank] != want[0] {
					t.Errorf("%s, rank %d of %d: %s\nwant %s", name, rank, n, got[rank], want[0])
				}
			}
		}
	}
}

// A fold that fails on one rank is the error of all.
func TestRankWhoseFoldFails(t *testing.T) {
	var mu sync.Mutex
	made := 0
	_, errs := onRanks(t, 3, func() learn.Learner {
		mu.Lock()
		defer mu.Unlock()
		if made++; made == 2 {
			return &constant{fail: 1}
		}
		return &constant{}
	}, dataset(t, 20, data.Target{Task: data.Regression, Y: [][]float64{make([]float64, 20)}}))
	for rank, err := range errs {
		if err == nil || !strings.Contains(err.Error(), "the roof is on fire") ||
			!strings.HasPrefix(err.Error(), "fold ") {
			t.Errorf("rank %d: %v", rank, err)
		}
	}
}

// unbound is a model that no table fits, and its learner.
type unbound struct {
	learn.Learner
	model.Model
}

func (u unbound) Prepare(
	ctx context.Context, f data.Features, rows []int32, w []float64, env learn.Env,
) (learn.Fitter, error) {
	return u, nil
}

func (u unbound) Fit(context.Context, *data.Target, learn.Job) (model.Model, error) {
	return u.Model, nil
}

// A fold whose model cannot predict its test rows is an error.
func TestFoldWithoutPredictions(t *testing.T) {
	ds := dataset(t, 20, data.Target{Task: data.Regression, Y: [][]float64{make([]float64, 20)}})
	m := reported(t, []string{"n", "y"}, []float64{1, 2})
	_, err := eval.CrossValidate(t.Context(), unbound{&constant{}, m}, ds, &split.Plan{K: 5}, eval.Options{})
	if err == nil || !strings.HasPrefix(err.Error(), "fold 1 of 5: the model was trained for ") {
		t.Errorf("error %v", err)
	}
}
