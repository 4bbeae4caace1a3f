package learntest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/datatest"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/model"
)

// Hash is a model that predicts the same bits on every architecture, for any number of workers.
type Hash struct {
	Name     string
	File     string // in testdata
	Label    string
	Task     data.Task
	Rows     int // the first ones are trained on; as many after them are predicted too
	Settings []string
	Want     string // hash of the model's predictions
}

// Check trains a learner that make returns, with the environment that env returns for a number of
// workers. Rows have weights that are no short binary fractions:
// their products round, so that a fused multiply-add would show.
func (h *Hash) Check(t *testing.T, env func(workers int) learn.Env, make func() learn.Learner) {
	t.Helper()
	ds := datatest.Read(t, h.File, data.Roles{Label: h.Label, Task: h.Task})
	for i := range ds.Rows() {
		ds.Target.Weight = append(ds.Target.Weight, 1+float64(i%7)/10)
	}
	l := make()
	if err := l.Params().Set(h.Settings); err != nil {
		t.Fatal(err)
	}
	for _, workers := range []int{2, 1, 7}[tier.Count(1, 0, 0):] {
		fitter, err := l.Prepare(t.Context(), ds.Frame, data.AllRows(h.Rows), ds.Target.Weight,
			env(workers))
		if err != nil {
			t.Fatal(err)
		}
		m, err := fitter.Fit(t.Context(), &ds.Target, learn.Job{Seed: 7, Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		_, values, err := fitting.PredictRows(m, ds.Frame, data.AllRows(min(2*h.Rows, ds.Rows())),
			model.Response, workers)
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.New()
		for _, v := range values {
			fmt.Fprintf(sum, "%x ", math.Float64bits(v))
		}
		if got := hex.EncodeToString(sum.Sum(nil)[:8]); got != h.Want {
			t.Errorf("%d workers: %s, want %s", workers, got, h.Want)
		}
	}
}
