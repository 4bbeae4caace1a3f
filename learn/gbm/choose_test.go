package gbm_test

import (
	"math"
	"reflect"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
)

// TestRoundsFromTheData: noise is not learned by heart, smooth functions take many rounds, and the same bytes come of any
// number of workers, and of a snapshot.
func TestRoundsFromTheData(t *testing.T) {
	const rows = 240
	s := rng.New(2)
	noise, smooth, x := make([]float64, rows), make([]float64, rows), make([]float64, rows)
	for i := range rows {
		x[i], noise[i] = s.Float64(), s.Float64()
		smooth[i] = math.Sin(6 * x[i])
	}
	f, err := data.NewFrame(data.Schema{Fields: []data.Field{{Name: "x"}}}, []data.Column{{Num: x}})
	if err != nil {
		t.Fatal(err)
	}
	train := func(y []float64, job learn.Job) (rounds int) {
		ds := &data.Dataset{Frame: f, Target: data.Target{Name: "y", Task: data.Regression, Y: [][]float64{y}}}
		m, all := snapshots(t, ds, job)
		got := summary(t, m)
		if got.Chosen == nil || got.Chosen.Folds != 5 || got.Chosen.Rounds != got.Rounds || len(m.Trees) != got.Kept {
			t.Fatalf("%+v", got)
		}
		for _, start := range []*learn.Checkpoint{nil, all[len(all)/2]} {
			job.Workers, job.Start = 3, start
			if again := fit(t, ds, job); !reflect.DeepEqual(again, m) {
				t.Error("another model by other workers, or by resumed training")
			}
		}
		return got.Rounds
	}
	few, many := train(noise, learn.Job{Seed: 1, Observe: nil}), train(smooth, learn.Job{Seed: 1})
	if few > 20 || many < 100 {
		t.Errorf("%d rounds for noise, %d for a smooth function", few, many)
	}
}

// TestOddTablesAreTrained: where rows cannot be held back there is a plain number of rounds.
func TestOddTablesAreTrained(t *testing.T) {
	ds := table(t, 60, data.Multiclass)
	for i := range ds.Target.Class {
		ds.Target.Class[i] = uint32(min(i, 2)) // two classes of one row
	}
	m := fit(t, ds, learn.Job{})
	if s := summary(t, m); s.Chosen == nil || s.Chosen.Folds != 5 {
		t.Errorf("%+v", s)
	}
	m = fit(t, ds, learn.Job{Rows: data.AllRows(10)})
	if s := summary(t, m); s.Chosen == nil || s.Chosen.Folds != 0 || s.Rounds > 100 {
		t.Errorf("%+v", s)
	}
	ds.Target.Weight = make([]float64, 60)
	ds.Target.Weight[5], ds.Target.Weight[7] = 1, 1 // most parts weigh nothing
	m = fit(t, ds, learn.Job{})
	if s := summary(t, m); s.Chosen == nil || s.Chosen.Folds != 0 {
		t.Errorf("%+v", s)
	}
	ds = table(t, 60, data.Regression)
	ds.Target.Group = make([]int64, 60) // one group
	m = fit(t, ds, learn.Job{})
	if s := summary(t, m); s.Chosen == nil || s.Chosen.Folds != 0 {
		t.Errorf("%+v", s)
	}
}
