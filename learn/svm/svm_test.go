package svm_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/dense"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/learntest"
	"github.com/coppice-ml/coppice/learn/svm"
	"github.com/coppice-ml/coppice/model"
)

// TestKernels runs the conformance suite on kernels that are not the default.
func TestKernels(t *testing.T) {
	tier.NotShort(t, "runs the suite of learners on each kernel")
	for i, kernel := range []string{"linear", "poly"} {
		t.Run(kernel, func(t *testing.T) {
			learntest.Variant(t, i, func() learn.Learner { return learner(t, "kernel="+kernel) })
		})
	}
}

// rings is a table of two classes, the second in a ring around the first, with labels that are
// numbers beside them.
func rings(n int) *data.Dataset {
	r := rng.New(9)
	x := make([][]float64, n)
	ds := &data.Dataset{Target: data.Target{Task: data.Binary, Classes: []string{"in", "out"},
		Class: make([]uint32, n)}}
	for i := range x {
		a, b := 2*r.Float64()-1, 2*r.Float64()-1
		x[i] = []float64{a, b}
		if a*a+b*b > 0.6 {
			ds.Target.Class[i] = 1
		}
	}
	f, err := data.FromRows(x, nil)
	if err != nil {
		panic(err) // a table of the test
	}
	ds.Frame = f
	return ds
}

// TestConditions checks the solution of a kernel against its conditions of optimality, which need
// no other program. Let f be the decision value and s the class. Rows with s f > 1 have no
// coefficient, and those with s f < 1 have all that c allows. Coefficients sum up to 0.
func TestConditions(t *testing.T) {
	ds := rings(500)
	m := fit(t, learner(t, "c=3", "tolerance=1e-6"), ds, learn.Job{}).(*dense.Machine)
	f := predict(t, m, ds.Frame, model.Raw)
	coef := map[string]float64{}
	width := m.Encoding.Width()
	for v := range m.Len() {
		coef[key(m.Vectors[v*width:(v+1)*width])] = m.Coef[v]
	}
	x := m.Encoding.Matrix(ds.Frame, nil, 1)
	sum, bounded := 0.0, 0
	for i, class := range ds.Target.Class {
		s := 2*float64(class) - 1
		a := s * coef[key(x[i*width:(i+1)*width])]
		sum += s * a
		switch margin := s * f[i]; {
		case a < 0 || a > 3:
			t.Errorf("row %d: coefficient %g", i, a)
		case margin > 1+1e-5 && a != 0, margin < 1-1e-5 && a != 3:
			t.Errorf("row %d: margin %g and coefficient %g", i, margin, a)
		case a == 3:
			bounded++
		}
	}
	if math.Abs(sum) > 1e-9 || bounded == 0 {
		t.Errorf("the coefficients sum up to %g, %d are as large as c", sum, bounded)
	}
	labels := predict(t, m, ds.Frame, model.Label)
	wrong := 0
	for i, class := range ds.Target.Class {
		if labels[i] != float64(class) {
			wrong++
		}
	}
	if wrong > 15 {
		t.Errorf("%d of 500 rows of a simple table are wrong", wrong)
	}
}

func key(x []float64) string {
	b, _ := json.Marshal(x) // finite numbers
	return string(b)
}

// TestMultiplicities: a repeated row is one of twice the weight.
func TestMultiplicities(t *testing.T) {
	for _, kernel := range []string{"linear", "rbf"} {
		ds := rings(60)
		rows := append(data.AllRows(60), 3, 4, 4)
		twice := fit(t, learner(t, "kernel="+kernel, "tolerance=1e-9", "gamma=0.5"), ds,
			learn.Job{Rows: rows})
		ds.Target.Weight = slices.Repeat([]float64{1}, 60)
		ds.Target.Weight[3], ds.Target.Weight[4] = 2, 3
		f, err := learner(t, "kernel="+kernel, "tolerance=1e-9", "gamma=0.5").Prepare(t.Context(),
			ds.Frame, nil, nil, learn.Env{})
		if err != nil {
			t.Fatal(err)
		}
		weighted, err := f.Fit(t.Context(), &ds.Target, learn.Job{})
		if err != nil {
			t.Fatal(err)
		}
		a, b := predict(t, twice, ds.Frame, model.Raw), predict(t, weighted, ds.Frame, model.Raw)
		for i := range a {
			if math.Abs(a[i]-b[i]) > 1e-6 {
				t.Fatalf("%s: row %d has %g with copies, %g with weights", kernel, i, a[i], b[i])
			}
		}
	}
}

// TestLinearModel: the linear kernel gives a model of columns, the same for the same seed.
func TestLinearModel(t *testing.T) {
	ds := rings(80)
	a := fit(t, learner(t, "kernel=linear"), ds, learn.Job{Seed: 4})
	if _, ok := a.(*dense.Linear); !ok {
		t.Errorf("a model of type %T", a)
	}
	if b := fit(t, learner(t, "kernel=linear"), ds, learn.Job{Seed: 4}); !reflect.DeepEqual(a, b) {
		t.Error("two fits with one seed differ")
	}
}

// TestAbsentClass: a class without rows has probability 0, and so has every class but the one that
// all rows have.
func TestAbsentClass(t *testing.T) {
	for _, kernel := range []string{"linear", "rbf"} {
		ds := rings(50)
		ds.Target.Task, ds.Target.Classes = data.Multiclass, []string{"in", "out", "absent"}
		probabilities := predict(t, fit(t, learner(t, "kernel="+kernel), ds, learn.Job{}), ds.Frame,
			model.Response)
		for i := 2; i < len(probabilities); i += 3 {
			if probabilities[i] != 0 {
				t.Fatalf("%s: the absent class has probability %g", kernel, probabilities[i])
			}
		}
	}
}

// TestLimits: too many rows for a kernel and too large labels are refused; a linear
// machine takes the rows.
func TestLimits(t *testing.T) {
	n := 50_001
	x, class := make([]float64, n), make([]uint32, n)
	for i := range x {
		x[i], class[i] = float64(i), uint32(i%2)
	}
	f, err := data.NewFrame(data.Schema{Fields: []data.Field{{Name: "x"}}},
		[]data.Column{data.Numbers(x)})
	if err != nil {
		t.Fatal(err)
	}
	target := data.Target{Task: data.Binary, Class: class, Classes: []string{"a", "b"}}
	p, err := svm.New().Prepare(context.Background(), f, nil, nil, learn.Env{})
	if err != nil {
		t.Fatal(err)
	}
	var size *learn.LimitError
	if _, err := p.Fit(context.Background(), &target, learn.Job{}); !errors.As(err, &size) ||
		!strings.Contains(err.Error(), "fraction=0.99)") {
		t.Errorf("%d rows: %v", n, err)
	}
	number := data.Target{Task: data.Regression, Y: [][]float64{make([]float64, n)}}
	number.Y[0][1] = 1e200
	if _, err := p.Fit(context.Background(), &number,
		learn.Job{Rows: []int32{0, 1, 2}}); err == nil ||
		!strings.Contains(err.Error(),
			"the label 1e+200 is too large for svm, whose limit on these rows is 2.5e+99") {
		t.Errorf("a label of 1e200: %v", err)
	}
}
