package gbm_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/loss"
)

// explosive is counts of which one is so far above the others that a full Newton step from their
// mean overflows: the score of its row is above 700 after one round, where e^score is infinite.
func explosive(t *testing.T) *data.Dataset {
	t.Helper()
	const rows, at = 1000, 617
	x, y := make([]float64, rows), make([]float64, rows)
	for i := range x {
		y[i] = 1
	}
	x[at], y[at] = 1, 1e6
	f, err := data.FromColumns(data.NamedColumn{Name: "x", Values: x})
	if err != nil {
		t.Fatal(err)
	}
	target := data.Target{Name: "y", Task: data.Regression, Y: [][]float64{y}}
	return &data.Dataset{Frame: f, Target: target}
}

// TestDivergingTrainingNamesTheRow: where steps are too long for the loss the error names round,
// row, score and a remedy, whether derivatives are computed before the round or while a tree
// grows.
func TestDivergingTrainingNamesTheRow(t *testing.T) {
	for _, way := range []string{"sampling=none", "sampling=goss", "sampling=mvs",
		"linear_tree=true"} {
		_, err := tryFit(t.Context(), t, explosive(t), learn.Job{Seed: 1}, "loss=poisson",
			"learning_rate=1",
			"l2=0", "min_leaf=1", "trees=5", "training_metric=0", way)
		var label *loss.LabelError
		if !errors.As(err, &label) || label.Row != 617 {
			t.Errorf("%s: error %v, want one of row 617", way, err)
			continue
		}
		for _, want := range []string{
			"round 2: the derivatives of loss=poisson are not finite at this row's score, 1004.9",
			"use a lower learning_rate, or max_delta_step",
		} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: error %q, want one with %q", way, err, want)
			}
		}
	}
}

// TestLargeGainsNameTheCause: where derivatives are finite, but not the gains that they add up to,
// no row is named.
func TestLargeGainsNameTheCause(t *testing.T) {
	ds := table(t, 100, data.Regression)
	for i := range ds.Target.Y[0] {
		ds.Target.Y[0][i] *= 1e3
	}
	_, err := tryFit(t.Context(), t, ds, learn.Job{}, "trees=3",
		"column_weight=a=1e308,b=1e308,c=1e308,d=1e308,e=1e308")
	const want = "divide the labels, the weights or column_weight"
	if err == nil || !strings.Contains(err.Error(), "round 1: ") ||
		!strings.Contains(err.Error(), want) {
		t.Errorf("error %v", err)
	}
}
