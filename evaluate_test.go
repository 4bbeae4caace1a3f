package coppice_test

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
)

// A training with a validation set stores its metrics, which are those of an evaluation.
func TestTrainStoresValidation(t *testing.T) {
	ds := numbered(t, 400, []string{"red", "blue", "green"})
	var valid []int32
	for row := range int32(100) {
		valid = append(valid, 4*row)
	}
	for learner, usedFor := range map[string]string{"gbm": "early stopping", "knn": ""} {
		trained := func(options ...coppice.Option) model.Model {
			t.Helper()
			job := coppice.Job(learn.Job{Valid: valid, Seed: 7})
			m, err := coppice.Train(t.Context(), learnerOf(t, learner, ""), ds, append([]coppice.Option{job}, options...)...)
			if err != nil {
				t.Fatal(err)
			}
			return m
		}
		m := trained()
		report, err := eval.EvaluateRows(t.Context(), m, ds, valid, model.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(m.Spec().Evaluations) != 1 {
			t.Fatalf("%s: evaluations %v", learner, m.Spec().Evaluations)
		}
		e := m.Spec().Evaluations[0]
		for i, v := range e.Metrics {
			if want, _ := report.Metrics.Get(v.Name); v.Value != want || !(*v.Low <= v.Value && v.Value <= *v.High) {
				t.Errorf("%s: %s is %v (%v to %v), want %v", learner, v.Name, v.Value, *v.Low, *v.High, want)
			}
			e.Metrics[i].Low, e.Metrics[i].High = nil, nil
		}
		want := report.Evaluation(model.OfValidation)
		want.UsedFor = usedFor
		if d := gocmp.Diff(want, e); d != "" || len(e.Metrics) < 5 {
			t.Errorf("%s: %s", learner, d)
		}
		if rows := m.Spec().Profile.PredictionRows; (rows == 100) != (usedFor == "") {
			t.Errorf("%s: the profile has predictions for %d rows", learner, rows)
		}
		if m := trained(coppice.Unevaluated()); m.Spec().Evaluations != nil {
			t.Errorf("%s: evaluations %v of a training without", learner, m.Spec().Evaluations)
		}
	}
}

// Ensembles store the metrics of out-of-bag predictions, and describe these in the profile: the
// same for any number of workers, and for models that are merged of shards.
func TestTrainStoresOutOfBag(t *testing.T) {
	ds := numbered(t, 300, []string{"red", "blue", "green"})
	ds.Target.Weight = slices.Repeat([]float64{1, 2, 3}, 100)
	for learner, size := range map[string]string{"forest": "trees=40", "bag": "members=40"} {
		var reported *learn.HoldOut
		var first []byte
		for _, workers := range []int{1, 3} {
			job := learn.Job{Seed: 3, Workers: workers, OutOfBag: func(h *learn.HoldOut) error {
				reported = h
				return nil
			}}
			m, err := coppice.Train(t.Context(), learnerOf(t, learner, size), ds, coppice.Job(job))
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = modelBytes(t, m)
				checkOutOfBag(t, m, metric.SampleOf(&ds.Target, reported.Rows), reported)
			} else if !bytes.Equal(first, modelBytes(t, m)) {
				t.Errorf("%s: other bytes with %d workers", learner, workers)
			}
		}
		// with an out-of-bag prediction requested by nobody too
		m, err := coppice.Train(t.Context(), learnerOf(t, learner, size), ds, coppice.Seed(3))
		if err != nil || !bytes.Equal(first, modelBytes(t, m)) {
			t.Errorf("%s: another model if nobody asks, %v", learner, err)
		}
		none, err := coppice.Train(t.Context(), learnerOf(t, learner, size+" sample=none"), ds)
		if err != nil || none.Spec().Evaluations != nil || none.Spec().Profile.PredictionRows != 0 {
			t.Errorf("%s: evaluations %v without rows out of the bag, %v", learner, none.Spec().Evaluations, err)
		}
	}
}

// checkOutOfBag compares what a model stores with the metrics of its out-of-bag predictions.
func checkOutOfBag(t *testing.T, m model.Model, s *metric.Sample, h *learn.HoldOut) {
	t.Helper()
	s.Pred, s.Width = h.Values, h.Width
	if slices.ContainsFunc(h.Values, math.IsNaN) {
		t.Fatal("a row is in all bags")
	}
	values, _, err := metric.Evaluate(m.Spec().Task, s)
	if err != nil {
		t.Fatal(err)
	}
	s2 := m.Spec()
	if len(s2.Evaluations) != 1 {
		t.Fatalf("evaluations %v", s2.Evaluations)
	}
	e := s2.Evaluations[0]
	if e.Origin != model.OfOutOfBagRows || e.Rows != 300 || e.UsedFor != "" || e.Plan == "" || e.Positive != "yes" {
		t.Errorf("evaluation %+v", e)
	}
	for _, v := range values {
		got := e.Metric(v.Name)
		if got == nil || math.Abs(got.Value-v.Value) > 1e-9 || !(*got.Low <= got.Value && got.Value <= *got.High) || *got.Low == *got.High {
			t.Errorf("%s: %+v, want %v", v.Name, got, v.Value)
		}
	}
	p := s2.Profile
	least, most := math.Inf(1), math.Inf(-1)
	for i := 1; i < len(h.Values); i += 2 {
		least, most = min(least, h.Values[i]), max(most, h.Values[i])
	}
	if p.PredictionRows != 300 || len(p.Predictions) != 2 || *p.Predictions[1].Numbers.Min != least || *p.Predictions[1].Numbers.Max != most {
		t.Errorf("predictions of %d rows from %v to %v: %s", p.PredictionRows, least, most, fmt.Sprint(p.Predictions))
	}
}

// A learner that chooses its number of rounds by rows that it holds out stores how good it was
// there, on the scale of the metric.
func TestTrainStoresHoldOut(t *testing.T) {
	const rows = 300
	x, y := make([]float64, rows), make([]float64, rows)
	for i := range x {
		x[i] = float64(i * 37 % rows)
		y[i] = math.Floor(x[i]/50) + float64(i%11)/5
	}
	f, err := data.FromColumns(data.NamedColumn{Name: "x", Values: x}, data.NamedColumn{Name: "y", Values: y})
	if err != nil {
		t.Fatal(err)
	}
	ds, err := data.Label("y").Apply(f)
	if err != nil {
		t.Fatal(err)
	}
	tested, err := eval.CrossValidate(t.Context(), learnerOf(t, "gbm", "rehearse=false"), ds, &split.Plan{Kind: split.Random, K: 5}, eval.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want, _ := tested.Pooled.Metrics.Get("rmse")
	for settings, origin := range map[string]string{"": model.OfFolds, "valid_fraction=0.2": model.OfHoldOut} {
		m, err := coppice.Train(t.Context(), learnerOf(t, "gbm", "rehearse=false "+settings), ds)
		if err != nil {
			t.Fatal(err)
		}
		if len(m.Spec().Evaluations) != 1 {
			t.Fatalf("evaluations %v", m.Spec().Evaluations)
		}
		e := m.Spec().Evaluations[0]
		held := map[string]int{model.OfFolds: rows * 3 / 5, model.OfHoldOut: rows / 5}[origin]
		if e.Origin != origin || e.UsedFor != "early stopping" || e.Rows != held || m.Spec().Best() != nil {
			t.Errorf("%s: %+v", settings, e)
		}
		if got := e.Metric("rmse"); got == nil || math.Abs(got.Value/want-1) > 0.2 {
			t.Errorf("%s: rmse %+v, in cross-validation %v", settings, got, want)
		}
	}
	m, err := coppice.Train(t.Context(), learnerOf(t, "gbm", "trees=5"), ds)
	if err != nil || m.Spec().Evaluations != nil {
		t.Errorf("evaluations %v without rows held out, %v", m.Spec().Evaluations, err)
	}
}
