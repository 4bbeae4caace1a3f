package linear_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	fitted "github.com/coppice-ml/coppice/internal/models/dense"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/learntest"
	"github.com/coppice-ml/coppice/learn/linear"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/modeltest"
)

// Probabilities are those of scikit-learn, by both methods.
func TestLogisticScikitLearn(t *testing.T) {
	for _, c := range learntest.ReadCases(t, "testdata/logistic/sklearn.json") {
		for _, solver := range []string{"auto", "lbfgs"} {
			if solver == "auto" && c.Name == "26 classes" {
				continue // it is lbfgs
			}
			if solver == "lbfgs" {
				c.Tolerance = max(c.Tolerance, 1e-6)
			}
			t.Run(c.Name+" by "+solver, func(t *testing.T) {
				with := c
				with.Settings = append(slices.Clone(c.Settings), "solver="+solver)
				if m := with.Check(t, linear.NewLogistic()); !logisticSummaryOf(t, m).Converged {
					t.Errorf("%s", m.Spec().Summary)
				}
			})
		}
	}
}

func logisticSummaryOf(t rapid.TB, m model.Model) linear.LogisticSummary {
	t.Helper()
	return learntest.Summary[linear.LogisticSummary](t, m)
}

func classTable(t rapid.TB, rows [][]float64, classes int, class ...uint32) *data.Dataset {
	t.Helper()
	f, err := data.FromRows(rows, nil)
	if err != nil {
		t.Fatal(err)
	}
	ds := &data.Dataset{Frame: f, Target: data.Target{Name: "y", Task: data.Binary, Class: class,
		Classes: []string{"a", "b", "c"}[:classes]}}
	if classes > 2 {
		ds.Target.Task = data.Multiclass
	}
	return ds
}

func fitLogistic(t rapid.TB, ds *data.Dataset, job learn.Job, settings ...string) *fitted.Linear {
	t.Helper()
	l := learntest.Made(t, linear.NewLogistic(), settings...)
	return learntest.MustFit(t, learn.Env{}, l, ds, job).(*fitted.Linear)
}

func probabilitiesOf(t rapid.TB, m model.Model, f *data.Frame) []float64 {
	t.Helper()
	return modeltest.Predict(t, m, f, model.Options{}, nil)
}

// Of a column of two values the greatest likelihood has the frequencies of the classes at each of
// them.
func TestLogisticByHand(t *testing.T) {
	ds := classTable(t, [][]float64{{0}, {0}, {0}, {0}, {5}, {5}, {5}}, 2, 0, 0, 0, 1, 1, 1, 0)
	m := fitLogistic(t, ds, learn.Job{}, "l2=0")
	p := probabilitiesOf(t, m, ds.Frame)
	if math.Abs(p[1]-0.25) > 1e-12 || math.Abs(p[9]-2./3) > 1e-12 {
		t.Errorf("probabilities %v", p)
	}
	e := m.Equation()
	if want := math.Log(1. / 3); math.Abs(e.Constant[0]-want) > 1e-11 ||
		math.Abs(5*e.Terms[0].Coef[0]-(math.Log(2)-want)) > 1e-11 {
		t.Errorf("%+v", e)
	}
	s := logisticSummaryOf(t, m)
	loss := -(3*math.Log(0.75) + math.Log(0.25) + 2*math.Log(2./3) + math.Log(1./3)) / 7
	if !s.Converged || s.Solver != "newton" || s.Rows != 7 || math.Abs(s.Loss-loss) > 1e-14 ||
		s.Steps > 8 || !strings.HasPrefix(s.Solution, "Newton's method, ") {
		t.Errorf("%+v, want loss %g", s, loss)
	}
}

// random generates a table with classes and weights; some columns follow from others.
func randomClasses(t *rapid.T) *data.Dataset {
	n, k, classes := rapid.IntRange(1, 30).Draw(t, "rows"), rapid.IntRange(1, 4).Draw(t, "columns"),
		rapid.IntRange(2, 3).Draw(t, "classes")
	rows := make([][]float64, n)
	class := make([]uint32, n)
	for i := range rows {
		rows[i] = rapid.SliceOfN(rapid.Float64Range(-10, 10), k, k).Draw(t, "row")
		if k > 2 {
			rows[i][2] = rows[i][0] - 2*rows[i][1]
		}
		class[i] = rapid.Uint32Range(0, uint32(classes)-1).Draw(t, "class")
	}
	ds := classTable(t, rows, classes, class...)
	ds.Target.Weight = rapid.SliceOfN(rapid.SampledFrom([]float64{0.25, 1, 2, 3}), n, n).Draw(t,
		"weight")
	return ds
}

// At the solution the gradient is 0: weighted residuals of each class add up to 0, and with each
// standardised column to l2 c. Both methods find it. The coefficients of all classes add up to 0.
func TestLogisticGradientVanishes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ds := randomClasses(t)
		l2 := rapid.SampledFrom([]float64{0.01, 1, 100}).Draw(t, "l2")
		setting := "l2=" + map[float64]string{0.01: "0.01", 1: "1", 100: "100"}[l2]
		solver := rapid.SampledFrom([]string{"newton", "lbfgs"}).Draw(t, "solver")
		tolerance := map[string]float64{"newton": 1e-6, "lbfgs": 1e-5}[solver]
		m := fitLogistic(t, ds, learn.Job{}, setting, "solver="+solver)
		x, p, k := m.Encoding.Matrix(ds.Frame, nil, 1), probabilitiesOf(t, m, ds.Frame), len(m.Meta.Classes)
		width := m.Encoding.Width()
		for s := range m.Bias {
			class := s
			if len(m.Bias) == 1 {
				class = 1
			}
			if math.Abs(m.Bias[s]) >= 999 {
				continue // a class without rows, or with all
			}
			sum, along := 0.0, make([]float64, width)
			for i, own := range ds.Target.Class {
				r := -p[i*k+class]
				if int(own) == class {
					r++
				}
				r *= ds.Target.Weight[i]
				sum += r
				for j := range along {
					along[j] += r * x[i*width+j]
				}
			}
			if math.Abs(sum) > tolerance {
				t.Fatalf("class %d: residuals add up to %g", class, sum)
			}
			for j, a := range along {
				if d := a - l2*m.Of(s)[j]; math.Abs(d) > tolerance {
					t.Fatalf("class %d, place %d: gradient %g", class, j, d)
				}
			}
		}
		if len(m.Bias) > 1 && slices.Min(m.Bias) > -999 {
			for j := range width {
				if sum := m.Of(0)[j] + m.Of(1)[j] + m.Of(2)[j]; math.Abs(sum) > 1e-5 {
					t.Fatalf("place %d: coefficients add up to %g", j, sum)
				}
			}
		}
	})
}

// Repeated rows are weights.
func TestLogisticRepeatedRowsAreWeights(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ds := randomClasses(t)
		var rows []int32
		for i := range ds.Rows() {
			ds.Target.Weight[i] = float64(rapid.IntRange(0, 3).Draw(t, "times"))
			for range int(ds.Target.Weight[i]) {
				rows = append(rows, int32(i))
			}
		}
		if len(rows) == 0 {
			t.Skip("no row has weight")
		}
		a := probabilitiesOf(t, fitLogistic(t, ds, learn.Job{}), ds.Frame)
		// The encoding is that of the prepared rows, which are weighed alike here.
		f, err := linear.NewLogistic().Prepare(context.Background(), ds.Frame, nil, ds.Target.Weight,
			learn.Env{})
		if err != nil {
			t.Fatal(err)
		}
		ds.Target.Weight = nil
		m, err := f.Fit(context.Background(), &ds.Target, learn.Job{Rows: rows})
		if err != nil {
			t.Fatal(err)
		}
		b := probabilitiesOf(t, m, ds.Frame)
		for i := range a {
			if math.Abs(a[i]-b[i]) > 1e-8 {
				t.Fatalf("row %d: %g and %g", i, a[i], b[i])
			}
		}
	})
}

// Classes that a plane separates have no greatest likelihood: training ends, reports it, and
// probabilities are near 0 and 1.
func TestSeparatedClasses(t *testing.T) {
	for _, c := range []struct {
		classes int
		class   []uint32
	}{{2, []uint32{0, 0, 0, 1, 1, 1}}, {3, []uint32{0, 0, 1, 1, 2, 2}}} {
		ds := classTable(t, [][]float64{{1}, {2}, {4}, {5}, {8}, {9}}, c.classes, c.class...)
		for _, solver := range []linear.Solver{linear.SolverNewton, linear.SolverLBFGS} {
			m := fitLogistic(t, ds, learn.Job{}, "l2=0", "solver="+solver.String(), "steps=200")
			p := probabilitiesOf(t, m, ds.Frame)
			for i, own := range c.class {
				if p[i*c.classes+int(own)] < 0.99 {
					t.Errorf("%d classes, %s: row %d has probabilities %v", c.classes, solver, i,
						p[i*c.classes:(i+1)*c.classes])
				}
			}
			if s := logisticSummaryOf(t, m); !strings.Contains(s.Solution,
				"only l2 bounds the coefficients") &&
				!strings.Contains(s.Solution, "not converged") {
				t.Errorf("%d classes, %s: %+v", c.classes, solver, s)
			}
		}
	}
}

// Steps are as few as requested, and the summary reports that they were not enough. An observer
// is called for each.
func TestSteps(t *testing.T) {
	r := rng.New(1)
	rows, class := make([][]float64, 300), make([]uint32, 300)
	for i := range rows {
		rows[i] = []float64{r.Float64(), r.Float64()}
		if rows[i][0]+r.Float64() > 1 {
			class[i] = 1
		}
	}
	ds := classTable(t, rows, 2, class...)
	for _, solver := range []linear.Solver{linear.SolverNewton, linear.SolverLBFGS} {
		seen := 0
		m := fitLogistic(t, ds, learn.Job{Observe: func(r learn.Round) error {
			seen = r.N
			if r.Stage != "step" || r.Of != 2 {
				t.Errorf("%+v", r)
			}
			return nil
		}}, "steps=2", "solver="+solver.String())
		if s := logisticSummaryOf(t, m); s.Converged || s.Steps != 2 || seen != 2 ||
			!strings.Contains(s.Solution, "2 steps, not converged") {
			t.Errorf("%+v, %d observed", s, seen)
		}
		l := linear.NewLogistic()
		l.Solver = solver
		f, err := l.Prepare(t.Context(), ds.Frame, nil, nil, learn.Env{})
		if err != nil {
			t.Fatal(err)
		}
		enough := errors.New("enough")
		if _, err := f.Fit(t.Context(), &ds.Target,
			learn.Job{Observe: func(learn.Round) error { return enough }}); !errors.Is(err,
			enough) {
			t.Errorf("%s: error %v, want the observer's", solver, err)
		}
	}
}

func TestLogisticRefused(t *testing.T) {
	for set, want := range map[string]string{"l2=-1": "l2", "solver=sgd": "solver",
		"steps=0": "steps", "C=1": "unknown parameter"} {
		if err := linear.NewLogistic().Params().Set([]string{set}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one about %s", set, err, want)
		}
	}
	if _, err := (&linear.Logistic{}).Prepare(t.Context(), nil, nil, nil,
		learn.Env{}); err == nil {
		t.Error("a learner without parameters prepares")
	}
	var rows [][]float64
	var class []uint32
	for i := range 5 {
		rows = append(rows, make([]float64, 3000))
		for k := range rows[i] {
			rows[i][k] = float64((i * k) % 7)
		}
		class = append(class, uint32(i%3))
	}
	ds := classTable(t, rows, 3, class...)
	l := linear.NewLogistic()
	l.Solver = linear.SolverNewton
	f, err := l.Prepare(t.Context(), ds.Frame, nil, nil, learn.Env{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Fit(t.Context(), &ds.Target, learn.Job{}); err == nil ||
		!strings.Contains(err.Error(),
			"solver=newton takes up to 5000 unknowns, and there are 77") {
		t.Errorf("%v", err)
	}
	if m := fitLogistic(t, ds, learn.Job{}); logisticSummaryOf(t, m).Solver != "lbfgs" {
		t.Errorf("%s", m.Meta.Summary)
	}
}
