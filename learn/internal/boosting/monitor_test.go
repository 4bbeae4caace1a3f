package boosting_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/internal/boosting"
	"github.com/coppice-ml/coppice/loss/losstest"
	"github.com/coppice-ml/coppice/model/training"
)

// newSet binds the squared error to some labels.
func newSet(t *testing.T, name string, target *data.Target, rows ...int32) *boosting.Set {
	t.Helper()
	p, err := boosting.NewSet(name, losstest.New("squared"), target, rows)
	if err != nil {
		t.Fatal(err)
	}
	p.Raw = make([]float64, len(rows))
	return p
}

func TestHistory(t *testing.T) {
	target := &data.Target{Task: data.Regression, Y: [][]float64{{2, 4, 1, 1}}}
	train, valid := newSet(t, boosting.Training, target, 0, 1),
		newSet(t, boosting.Validation, target, 2, 3)
	var b boosting.Monitor
	if err := b.Open(boosting.Monitoring{Target: target, Loss: "squared", Metric: "loss,rmse",
		Train: train, Valid: valid, Every: 2, Rounds: 9, EarlyStopping: 2,
		Workers: 1}); err != nil {
		t.Fatal(err)
	}
	stopped := 0
	for i, v := range []float64{0.5, 0.75, 2, 3} { // the best of the validation set is 0.75
		train.Raw[0], train.Raw[1], valid.Raw[0], valid.Raw[1] = v, v, v, v
		b.Rounds++
		if err := b.Evaluate(); err != nil {
			t.Fatal(err)
		}
		if b.Stopped && stopped == 0 {
			stopped = i + 1
		}
	}
	if b.Best != 2 || b.Value != 0.0625/2 || stopped != 4 {
		t.Errorf("round %d of loss %g is the best, training ends after %d", b.Best, b.Value,
			stopped)
	}
	want := []training.LearningCurve{
		{Set: "training", Metric: "squared", Rounds: []int{2, 4},
			Values: []float64{(1.5625 + 10.5625) / 4, 0.5}},
		{Set: "training", Metric: "rmse", Rounds: []int{2, 4}},
		{Set: "validation", Metric: "squared", Rounds: []int{1, 2, 3, 4},
			Values: []float64{0.125, 0.03125, 0.5, 2}},
		{Set: "validation", Metric: "rmse", Rounds: []int{1, 2, 3, 4},
			Values: []float64{0.5, 0.25, 1, 2}},
	}
	if len(b.Curves) != len(want) {
		t.Fatalf("%d curves", len(b.Curves))
	}
	for i, w := range want {
		c := b.Curves[i]
		if c.Set != w.Set || c.Metric != w.Metric || !slices.Equal(c.Rounds, w.Rounds) ||
			w.Values != nil && !slices.Equal(c.Values, w.Values) {
			t.Errorf("curve %+v, want %+v", c, w)
		}
	}
	if b.First() != &b.Curves[2] {
		t.Error("another curve is the first of the validation set")
	}
}

func TestHistoryRefuses(t *testing.T) {
	target := &data.Target{Task: data.Regression, Y: [][]float64{{2, 4, 1, 1}}}
	train := newSet(t, boosting.Training, target, 0, 1)
	var b boosting.Monitor
	err := b.Open(boosting.Monitoring{Target: target, Loss: "squared", Metric: "auc", Train: train,
		Every: 1})
	if err == nil || !strings.HasPrefix(err.Error(), "metric=auc is for binary") {
		t.Errorf("error %v", err)
	}
	b = boosting.Monitor{}
	if err := b.Open(boosting.Monitoring{Target: target, Loss: "squared", Metric: "auto",
		Train: train, Every: 1, Workers: 1, Advice: "do less"}); err != nil {
		t.Fatal(err)
	}
	b.Rounds, train.Raw[0] = 1, 1e200
	if err := b.Evaluate(); err == nil ||
		err.Error() != "round 1: squared of the training set is +Inf: do less" {
		t.Errorf("error %v", err)
	}
}
