package gbm_test

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/codec/native"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm"
	"github.com/coppice-ml/coppice/model/training"
)

// drifting returns a table of rows in the order of a column n, whose label grows with it, or does
// not: then the labels are shuffled with the other features.
func drifting(t *testing.T, rows int, drift bool, seed uint64, roles data.Roles) *data.Dataset {
	t.Helper()
	s := rng.New(seed)
	n, x, y := make([]int, rows), make([]float64, rows), make([]float64, rows)
	for i := range n {
		n[i], x[i] = 1000+i, s.Float64()
		y[i] = x[i] + s.Float64() - 0.5
		if drift {
			y[i] += 3 * float64(i) / float64(rows)
		}
	}
	f, err := data.FromColumns(data.NamedColumn{Name: "x", Values: x},
		data.NamedColumn{Name: "n", Values: n}, data.NamedColumn{Name: "y", Values: y},
		data.NamedColumn{Name: "again", Values: n})
	if err != nil {
		t.Fatal(err)
	}
	roles.Label = "y"
	ds, err := roles.Apply(f)
	if err != nil {
		t.Fatal(err)
	}
	return ds
}

// orderOf returns what training stored of the order of time, where its choices end at once.
func orderOf(t *testing.T, ds *data.Dataset, check bool, workers int) (*training.TimeOrder, []byte) {
	t.Helper()
	job := learn.Job{Seed: 3, Workers: workers, CheckTime: check,
		Observe: func(learn.Round) error { return learn.Stop }}
	m, err := coppice.Train(t.Context(), gbm.New(), ds, coppice.Job(job))
	if err != nil {
		t.Fatal(err)
	}
	var s gbm.Summary
	if err := learn.ReadSummary(m, &s); err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := native.Encode(&file, m); err != nil {
		t.Fatal(err)
	}
	return s.TimeOrder, file.Bytes()
}

// TestTrainingMeasuresTimeOrder: a label that grows with a counter is predicted worse for later
// rows, and a copy of the counter is named.
func TestTrainingMeasuresTimeOrder(t *testing.T) {
	ds := drifting(t, 1500, true, 1, data.Roles{})
	o, file := orderOf(t, ds, true, 1)
	if o == nil {
		t.Fatal("nothing was found")
	}
	if o.Known || !cmp.Equal(o.Columns, []string{"n", "again"}) || o.Value < 1.5*o.Better {
		t.Errorf("found %+v", o)
	}
	if _, again := orderOf(t, ds, true, 2); !bytes.Equal(file, again) {
		t.Error("two workers make another model")
	}
	if o, _ := orderOf(t, ds, false, 1); o != nil {
		t.Errorf("not asked for: %+v", o)
	}
	timed := drifting(t, 1500, true, 1, data.Roles{Time: "n", Ignore: []string{"again"}})
	if o, _ := orderOf(t, timed, true, 1); o != nil {
		t.Errorf("without a column beyond: %+v", o)
	}
}

// TestShuffledRowsHaveNoTimeOrder: of 40 tables without drift, fewer in the short tier, none is
// reported.
func TestShuffledRowsHaveNoTimeOrder(t *testing.T) {
	for seed := range uint64(tier.Count(8, 40, 40)) {
		ds := drifting(t, 600+int(seed)*20, false, seed, data.Roles{})
		if o, _ := orderOf(t, ds, true, 1); o != nil {
			t.Errorf("seed %d: %+v", seed, o)
		}
		timed := drifting(t, 600+int(seed)*20, false, seed, data.Roles{Time: "n"})
		if o, _ := orderOf(t, timed, true, 1); o != nil {
			t.Errorf("seed %d, known: %+v", seed, o)
		}
	}
}
