package calibrate_test

import (
	"encoding/json"
	"math"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/datatest"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/calibrate"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/learn/learntest"
	"github.com/coppice-ml/coppice/model"
)

// A threshold that is chosen for F1 is the best for the F1 of the positive class, whichever of two
// that is: no other threshold is better on the out-of-fold predictions. Labels of the model are
// that class where its probability is greater.
func TestThresholdIsOfThePositiveClass(t *testing.T) {
	ds := datatest.Read(t, "adult/adult-train.csv.gz", data.Roles{Label: "income"})
	rows := data.AllRows(1500)
	var at [2]float64
	for positive := range 2 {
		ds.Target.Positive = data.Positive{First: positive == 0, Why: "it was named"}
		var holdOut *learn.HoldOut
		job := learn.Job{Rows: rows, Seed: 5, HoldOut: func(_ string, h *learn.HoldOut) error {
			holdOut = h
			return nil
		}}
		l := learntest.Made(t, calibrate.New(catalog.Resolve), "base=cart", "base.depth=4",
			"method=none", "threshold_for=f1")
		m := learntest.MustFit(t, catalog.Env(1), l, ds, job)
		var found calibrate.Summary
		if err := json.Unmarshal(m.Spec().Summary, &found); err != nil {
			t.Fatal(err)
		}
		f1 := func(threshold float64) float64 {
			var hits, either float64
			for i, row := range holdOut.Rows {
				is, labelled := int(ds.Target.Class[row]) == positive,
					holdOut.Values[2*i+positive] > threshold
				if is && labelled {
					hits++
				}
				if is || labelled {
					either++
				}
			}
			return 2 * hits / (hits + either)
		}
		at[positive] = m.Spec().Decision.Threshold
		if got := f1(at[positive]); math.Abs(got-*found.ThresholdValue) > 1e-12 {
			t.Errorf("class %d: F1 is reported as %v, it is %v", positive, *found.ThresholdValue,
				got)
		}
		for i := range holdOut.Rows {
			if p := holdOut.Values[2*i+positive]; f1(p) > f1(at[positive])+1e-12 {
				t.Errorf("class %d: F1 is %v at %v, %v at the threshold %v", positive, f1(p), p,
					f1(at[positive]), at[positive])
				break
			}
		}
		_, response, err := fitting.PredictRows(m, ds.Frame, rows, model.Response, 1)
		if err != nil {
			t.Fatal(err)
		}
		_, labels, err := fitting.PredictRows(m, ds.Frame, rows, model.Label, 1)
		if err != nil {
			t.Fatal(err)
		}
		for i := range rows {
			if (int(labels[i]) == positive) != (response[2*i+positive] > at[positive]) {
				t.Fatalf("row %d: label %v of %v", i, labels[i], response[2*i:2*i+2])
			}
		}
	}
	if at[0] == 1-at[1] {
		t.Errorf("the thresholds %v are one for both classes", at)
	}
}

// A threshold for the least cost is the same division of the rows, whichever class is the positive
// one.
func TestCostOfEitherPositiveClass(t *testing.T) {
	ds := datatest.Read(t, "adult/adult-train.csv.gz", data.Roles{Label: "income"})
	rows := data.AllRows(1500)
	var labels [2][]float64
	for positive := range 2 {
		ds.Target.Positive = data.Positive{First: positive == 0, Why: "it was named"}
		l := learntest.Made(t, calibrate.New(catalog.Resolve), "base=cart", "base.depth=4",
			"method=none", "threshold_for=cost")
		l.Costs = data.NamedCosts{Classes: ds.Target.Classes, Cost: data.Costs{{0, 1}, {5, 0}}}
		m := learntest.MustFit(t, catalog.Env(1), l, ds, learn.Job{Rows: rows, Seed: 5})
		var err error
		if _, labels[positive], err = fitting.PredictRows(m, ds.Frame, rows, model.Label,
			1); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(labels[0], labels[1]) || slices.Min(labels[0]) == slices.Max(labels[0]) {
		t.Error("labels differ, or are all the same")
	}
}
