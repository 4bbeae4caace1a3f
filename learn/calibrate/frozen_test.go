package calibrate

import (
	"context"
	"math"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/internal/testing/reference"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/param"
)

// frozen is what testdata/freeze.py wrote.
type frozen struct {
	Sigmoid []struct {
		Z, Weight []float64
		Y         []uint32
		A, B      float64
	}
	Isotonic []struct {
		X, Weight, At, Value []float64
		Y                    []uint32
	}
	Temperature []struct {
		Z, Weight []float64
		Y         []uint32
		Classes   int
		Sharpness float64
	}
	Several []struct {
		Method                    committee.CalibrationMethod
		Probabilities, Calibrated []float64
		Y                         []uint32
	}
	Folds []struct {
		Method                 committee.CalibrationMethod
		Y                      []uint32
		Held, Base, Calibrated []float64
	}
}

func thaw(t *testing.T) *frozen {
	t.Helper()
	f := reference.Read[frozen](t, "testdata/sklearn.json.gz")
	if len(f.Sigmoid)*len(f.Isotonic)*len(f.Temperature)*len(f.Several)*len(f.Folds) == 0 {
		t.Fatal("something is missing in the frozen file")
	}
	return f
}

func yes(class []uint32) []bool {
	b := make([]bool, len(class))
	for i, c := range class {
		b[i] = c == 1
	}
	return b
}

func numbers(class []uint32) []float64 {
	v := make([]float64, len(class))
	for i, c := range class {
		v[i] = float64(c)
	}
	return v
}

// far reports whether two numbers differ by more than a tolerance.
func far(a, b, tolerance float64) bool { return !(math.Abs(a-b) <= tolerance) }

// TestPlattAsScikitLearn: its optimizer stops at a gradient of 1e-5, which leaves that much.
func TestPlattAsScikitLearn(t *testing.T) {
	for i, c := range thaw(t).Sigmoid {
		a, b := fitPlatt(c.Z, yes(c.Y), c.Weight)
		if far(a, c.A, 1e-5) || far(b, c.B, 1e-5) {
			t.Errorf("case %d: slope %.9f, intercept %.9f, want %.9f and %.9f", i, a, b, c.A, c.B)
		}
	}
}

func TestIsotonicAsScikitLearn(t *testing.T) {
	for i, c := range thaw(t).Isotonic {
		u := committee.Calibrator{}
		u.At, u.Value = fitIsotonic(c.X, numbers(c.Y), c.Weight)
		for k, at := range c.At {
			probabilities := []float64{1 - at, at}
			rise(&u, probabilities)
			if far(probabilities[1], c.Value[k], 1e-12) {
				t.Errorf("case %d: %.15f at %g, want %.15f", i, probabilities[1], at, c.Value[k])
			}
		}
	}
}

func TestTemperatureAsScipy(t *testing.T) {
	for i, c := range thaw(t).Temperature {
		if s := fitTemperature(c.Z, c.Y, c.Classes, c.Weight); far(s, c.Sharpness, 1e-6) {
			t.Errorf("case %d: sharpness %.9f, want %.9f", i, s, c.Sharpness)
		}
	}
}

// TestSeveralClassesAsScikitLearn: a calibrator for each class against the rest, then divided by
// their sum.
func TestSeveralClassesAsScikitLearn(t *testing.T) {
	for _, c := range thaw(t).Several {
		h := &holdOut{classes: 3, probabilities: c.Probabilities, class: c.Y, weight: ones(len(c.Y))}
		h.apply(&committee.Calibrated{Method: c.Method, Calibrators: h.calibrators(c.Method)})
		for i, want := range c.Calibrated {
			if far(h.probabilities[i], want, map[committee.CalibrationMethod]float64{committee.Platt: 1e-5,
				committee.Isotonic: 1e-12}[c.Method]) {
				t.Fatalf("%s, value %d: %.12f, want %.12f", c.Method, i, h.probabilities[i], want)
			}
		}
	}
}

func ones(n int) []float64 {
	w := make([]float64, n)
	for i := range w {
		w[i] = 1
	}
	return w
}

// reader is a learner that reads the probability of the second class in a column: the first column
// when it is trained on all rows, the second one when it is trained without a fold.
type reader struct{ *data.Frame }

func (r reader) Params() param.Set { return nil }

func (reader) Capabilities() learn.Capabilities { return learn.Capabilities{} }

func (r reader) Prepare(_ context.Context, features data.Features, _ []int32, _ []float64,
	_ learn.Env) (learn.Fitter, error) {
	f, err := features.InMemory()
	if err != nil {
		return nil, err
	}
	return reader{f}, nil
}

func (r reader) Fit(_ context.Context, t *data.Target, job learn.Job) (model.Model, error) {
	column := int32(1)
	if len(job.Rows) == r.Rows() {
		column = 0
	}
	return &read{model.Spec{Schema: r.Schema, Task: t.Task, Classes: t.Classes, Learner: "reader"},
		column}, nil
}

type read struct {
	spec   model.Spec
	column int32
}

func (r *read) Spec() *model.Spec { return &r.spec }

func (r *read) Outputs() int { return 2 }

func (*read) Describe() model.Description { return model.Description{} }

func (*read) Children() []model.Child { return nil }

func (r *read) Bind(s *data.Schema, o model.Options) (model.Predictor, error) {
	k := model.RowEvaluator{Columns: []int32{r.column}, Width: 2,
		Start: func() func(dst, row []float64) {
			return func(dst, row []float64) { dst[0], dst[1] = 1-row[0], row[0] }
		}}
	return k.Bind(&r.spec.Schema, s, o.Workers)
}

// TestFoldsAsScikitLearn: calibrators of out-of-fold predictions are applied to the model of all
// rows.
func TestFoldsAsScikitLearn(t *testing.T) {
	for _, c := range thaw(t).Folds {
		n := len(c.Y)
		ds := readable(t, c.Base, c.Held, c.Y)
		plan := &split.Plan{K: 4, Assign: make([]int32, n)}
		for i := range n {
			plan.Assign[i] = int32(i % 4)
		}
		l := New(nil)
		l.Base.Name, l.Base.Learner, l.Method = "reader", reader{}, c.Method
		m := fitted(t, l, ds, learn.Job{Rows: data.AllRows(n), Plan: plan})
		p, err := m.Bind(&ds.Schema, model.Options{})
		if err != nil {
			t.Fatal(err)
		}
		probabilities := make([]float64, 2*n)
		if err := p.Predict(probabilities, ds.Frame, nil); err != nil {
			t.Fatal(err)
		}
		for i, want := range c.Calibrated {
			if far(probabilities[2*i+1], want,
				map[committee.CalibrationMethod]float64{committee.Platt: 1e-5, committee.Isotonic: 1e-12}[c.Method]) {
				t.Fatalf("%s, row %d: %.12f, want %.12f", c.Method, i, probabilities[2*i+1], want)
			}
		}
	}
}

// readable makes a table for the learner reader.
func readable(t *testing.T, base, holdOut []float64, class []uint32) *data.Dataset {
	t.Helper()
	rows := make([][]float64, len(base))
	for i := range rows {
		rows[i] = []float64{base[i], holdOut[i]}
	}
	f, err := data.FromRows(rows, []string{"base", "held"})
	if err != nil {
		t.Fatal(err)
	}
	return &data.Dataset{Frame: f, Target: data.Target{Name: "y", Task: data.Binary,
		Classes: []string{"no", "yes"}, Class: class}}
}

func fitted(t *testing.T, l *Learner, ds *data.Dataset, job learn.Job) *committee.Calibrated {
	t.Helper()
	f, err := l.Prepare(t.Context(), ds.Frame, job.Rows, ds.Target.Weight, learn.Env{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := f.Fit(t.Context(), &ds.Target, job)
	if err != nil {
		t.Fatal(err)
	}
	return m.(*committee.Calibrated)
}
