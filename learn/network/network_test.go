package network_test

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/learntest"
	"github.com/coppice-ml/coppice/learn/network"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/modeltest"
)

func learner(t *testing.T, settings ...string) *network.Learner {
	t.Helper()
	return learntest.Made(t, network.New(), settings...)
}

// TestOtherSettings runs the conformance suite where nothing is as by default.
func TestOtherSettings(t *testing.T) {
	learntest.Variant(t, 2, func() learn.Learner {
		return learner(t, "activation=tanh", "optimizer=momentum", "learning_rate=0.01", "batch=0",
			"dropout=0.3", "early_stopping=2", "epochs=6", "hidden=3")
	})
}

// circle is a table of two classes, inside and outside of a circle, and the distance from its
// centre.
func circle(n int) *data.Dataset {
	r := rng.New(2)
	x, y := make([][]float64, n), make([]float64, n)
	ds := &data.Dataset{Target: data.Target{Task: data.Binary, Classes: []string{"in", "out"},
		Class: make([]uint32, n)}}
	for i := range x {
		x[i] = []float64{2*r.Float64() - 1, 2*r.Float64() - 1}
		y[i] = math.Hypot(x[i][0], x[i][1])
		if y[i] > 0.75 {
			ds.Target.Class[i] = 1
		}
	}
	f, err := data.FromRows(x, nil)
	if err != nil {
		panic(err) // a table of the test
	}
	ds.Frame = f
	ds.Target.Y = [][]float64{y}
	return ds
}

func fit(t *testing.T, l *network.Learner, ds *data.Dataset, target data.Target,
	job learn.Job) (model.Model, network.Summary, error) {
	t.Helper()
	if target.Task == data.Regression {
		target.Class, target.Classes = nil, nil
	} else {
		target.Y = nil
	}
	m, err := learntest.Fit(t.Context(), learn.Env{}, l,
		&data.Dataset{Frame: ds.Frame, Target: target}, job)
	var s network.Summary
	if m != nil {
		s = learntest.Summary[network.Summary](t, m)
	}
	return m, s, err
}

func predict(t *testing.T, m model.Model, f *data.Frame, o model.Output) []float64 {
	t.Helper()
	return modeltest.Predict(t, m, f, model.Options{Output: o}, nil)
}

// TestLearns: all activations and rules learn what no line can separate, classes and numbers.
func TestLearns(t *testing.T) {
	ds := circle(400)
	for _, settings := range []string{
		"activation=relu optimizer=adam", "activation=tanh optimizer=momentum learning_rate=0.05",
		"activation=sigmoid optimizer=adam learning_rate=0.05",
		"optimizer=sgd learning_rate=0.3",
	} {
		l := learner(t, append(strings.Fields(settings), "epochs=80", "hidden=12")...)
		m, _, err := fit(t, l, ds, ds.Target, learn.Job{})
		if err != nil {
			t.Fatal(err)
		}
		wrong := 0
		for i, label := range predict(t, m, ds.Frame, model.Label) {
			if label != float64(ds.Target.Class[i]) {
				wrong++
			}
		}
		number := ds.Target
		number.Task = data.Regression
		m, _, err = fit(t, l, ds, number, learn.Job{})
		if err != nil {
			t.Fatal(err)
		}
		var squares, variance, mean float64
		for _, y := range number.Y[0] {
			mean += y / 400
		}
		for i, v := range predict(t, m, ds.Frame, model.Response) {
			squares += (v - number.Y[0][i]) * (v - number.Y[0][i])
			variance += (mean - number.Y[0][i]) * (mean - number.Y[0][i])
		}
		if wrong > 24 || squares > 0.15*variance {
			t.Errorf("%s: %d of 400 rows wrong, %.2f of the variance left", settings, wrong,
				squares/variance)
		}
	}
}

// TestEarlyStopping: training ends once the validation loss does not fall, and the best weights are
// kept: those of a training as long as that.
func TestEarlyStopping(t *testing.T) {
	ds := circle(300)
	job := learn.Job{Rows: data.AllRows(100), Seed: 3}
	for r := int32(100); r < 300; r++ {
		job.Valid = append(job.Valid, r)
	}
	m, s, err := fit(t, learner(t, "early_stopping=3", "epochs=2000", "learning_rate=0.1"), ds,
		ds.Target, job)
	if err != nil {
		t.Fatal(err)
	}
	if s.Epochs != s.Best+3 || s.Best == 0 || s.ValidLoss <= 0 {
		t.Fatalf("%d epochs, the best is %d, its loss %g", s.Epochs, s.Best, s.ValidLoss)
	}
	l := learner(t, "learning_rate=0.1")
	l.Epochs = s.Best
	same, _, err := fit(t, l, ds, ds.Target, job)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(predict(t, m, ds.Frame, model.Raw),
		predict(t, same, ds.Frame, model.Raw)) {
		t.Error("the weights are not those of the best epoch")
	}
	if _, s, err := fit(t, learner(t, "early_stopping=3", "epochs=12", "learning_rate=0.1"), ds,
		ds.Target, learn.Job{}); err != nil || s.Epochs != 12 || s.Best != 0 {
		t.Errorf("without a validation set %d epochs, the best %d, %v", s.Epochs, s.Best, err)
	}
}

// TestWeights: with all rows in a step, a repeated row is one of twice the weight, and a row of
// weight 0 is not there.
func TestWeights(t *testing.T) {
	ds := circle(60)
	l := learner(t, "batch=0", "epochs=20", "activation=tanh")
	rows := append(data.AllRows(50), 7, 8, 8)
	f, err := l.Prepare(context.Background(), ds.Frame, data.AllRows(50), nil, learn.Env{})
	if err != nil {
		t.Fatal(err)
	}
	target := ds.Target
	target.Y = nil
	twice, err := f.Fit(context.Background(), &target, learn.Job{Rows: rows})
	if err != nil {
		t.Fatal(err)
	}
	target.Weight = make([]float64, 60)
	for i := range 50 {
		target.Weight[i] = 0.5
	}
	target.Weight[7], target.Weight[8] = 1, 1.5
	weighted, err := f.Fit(context.Background(), &target, learn.Job{Rows: data.AllRows(60)})
	if err != nil {
		t.Fatal(err)
	}
	a, b := predict(t, twice, ds.Frame, model.Raw), predict(t, weighted, ds.Frame, model.Raw)
	for i := range a {
		if math.Abs(a[i]-b[i]) > 1e-9 {
			t.Fatalf("a score is %g with copies, %g with weights", a[i], b[i])
		}
	}
}

// TestObserver: the loss falls, and a training that it stops has a model of the epochs so far.
func TestObserver(t *testing.T) {
	ds := circle(200)
	enough := errors.New("enough")
	var losses []float64
	m, s, err := fit(t, learner(t), ds, ds.Target, learn.Job{Observe: func(r learn.Round) error {
		losses = append(losses, r.Metrics[0].Value)
		if r.N == 10 {
			return enough
		}
		return nil
	}})
	if !errors.Is(err, enough) || m == nil || s.Epochs != 10 || len(losses) != 10 ||
		!(losses[9] < losses[0]) {
		t.Errorf("%v, %d epochs, losses %v", err, s.Epochs, losses)
	}
}

// TestBadTraining: too large weights and too large labels are errors with an advice.
func TestBadTraining(t *testing.T) {
	ds := circle(50)
	number := ds.Target
	number.Task = data.Regression
	_, _, err := fit(t, learner(t, "optimizer=sgd", "learning_rate=1000000"), ds, number,
		learn.Job{})
	if err == nil || !strings.Contains(err.Error(), "use a lower learning_rate") {
		t.Errorf("a rate of a million: %v", err)
	}
	number.Y[0][3] = 1e200
	if _, _, err := fit(t, learner(t), ds, number, learn.Job{}); err == nil ||
		!strings.Contains(err.Error(), "row 4: the label 1e+200 is too large for network") {
		t.Errorf("a label of 1e200: %v", err)
	}
	number.Y, number.Weight = [][]float64{make([]float64, 50)}, slices.Repeat([]float64{1}, 50)
	number.Y[0][3], number.Weight[3] = 1, 1e-312
	if _, _, err := fit(t, learner(t), ds, number, learn.Job{}); err == nil ||
		!strings.Contains(err.Error(), "leave rows out whose weight is next to nothing") {
		t.Errorf("a row of next to no weight, 1e156 deviations from the mean: %v", err)
	}
}

// TestAbsentClass: a class without rows has probability 0.
func TestAbsentClass(t *testing.T) {
	ds := circle(50)
	ds.Target.Task, ds.Target.Classes = data.Multiclass, []string{"in", "out", "absent"}
	m, _, err := fit(t, learner(t, "epochs=3"), ds, ds.Target, learn.Job{})
	if err != nil {
		t.Fatal(err)
	}
	probabilities := predict(t, m, ds.Frame, model.Response)
	for i := 2; i < len(probabilities); i += 3 {
		if probabilities[i] != 0 || probabilities[i-1] <= 0 {
			t.Fatalf("probabilities %v", probabilities[i-2:i+1])
		}
	}
}
