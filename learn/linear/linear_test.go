package linear_test

import (
	"encoding/json"
	"errors"
	"fmt"
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

// Predictions are those of scikit-learn.
func TestScikitLearn(t *testing.T) {
	for _, c := range learntest.ReadCases(t, "testdata/sklearn.json") {
		t.Run(c.Name, func(t *testing.T) { c.Check(t, linear.New()) })
	}
}

// table makes a data set of rows of numbers with labels.
func table(t rapid.TB, rows [][]float64, y ...[]float64) *data.Dataset {
	f, err := data.FromRows(rows, nil)
	if err != nil {
		t.Fatal(err)
	}
	return &data.Dataset{Frame: f, Target: data.Target{Name: "y", Task: data.Regression, Y: y}}
}

func fit(t rapid.TB, l *linear.Learner, ds *data.Dataset, job learn.Job) *fitted.Linear {
	t.Helper()
	return learntest.MustFit(t, learn.Env{}, l, ds, job).(*fitted.Linear)
}

func predict(t rapid.TB, m model.Model, f *data.Frame) []float64 {
	t.Helper()
	return modeltest.Predict(t, m, f, model.Options{}, nil)
}

// A line through points is found, in the units of the column.
func TestByHand(t *testing.T) {
	m := fit(t, linear.New(), table(t, [][]float64{{1}, {2}, {4}}, []float64{5, 7, 11}),
		learn.Job{})
	e := m.Equation()
	if math.Abs(e.Constant[0]-3) > 1e-13 || math.Abs(e.Terms[0].Coef[0]-2) > 1e-13 {
		t.Errorf("%+v, want 3 + 2 x", e)
	}
	var s linear.Summary
	if err := json.Unmarshal(m.Meta.Summary, &s); err != nil || s.Rows != 3 || s.Rank != 1 ||
		s.Solution != "least squares" || s.Encoding.Standardised != 1 {
		t.Errorf("summary %s, %v", m.Meta.Summary, err)
	}
	// Of the columns -1, 1 and l2 = 2: c = sum x y / (sum x^2 + l2) = 4 / (2 + 2).
	l := linear.New()
	l.L2 = 2
	if m := fit(t, l, table(t, [][]float64{{-1}, {1}}, []float64{3, 7}),
		learn.Job{}); math.Abs(m.Coef[0]-1) > 1e-15 || math.Abs(m.Bias[0]-5) > 1e-15 {
		t.Errorf("ridge: %v, %v", m.Bias, m.Coef)
	}
}

// random generates a table of up to 4 columns, some of which may follow from others, with labels
// and weights. Values are eighths: columns are dependent, or far enough from it for the tolerances.
func random(t *rapid.T) (*data.Dataset, [][]float64) {
	n, k := rapid.IntRange(1, 25).Draw(t, "rows"), rapid.IntRange(1, 4).Draw(t, "columns")
	value := rapid.OneOf(rapid.Map(rapid.IntRange(-80, 80),
		func(i int) float64 { return float64(i) / 8 }),
		rapid.Map(rapid.IntRange(-2, 2), func(i int) float64 { return float64(i) }))
	rows := make([][]float64, n)
	y := make([]float64, n)
	for i := range rows {
		rows[i] = rapid.SliceOfN(value, k, k).Draw(t, "row")
		if k > 2 {
			rows[i][2] = rows[i][0] - 2*rows[i][1]
		}
		y[i] = rapid.Float64Range(-100, 100).Draw(t, "y")
	}
	ds := table(t, rows, y)
	ds.Target.Weight = rapid.SliceOfN(rapid.SampledFrom([]float64{0.25, 1, 2, 3}), n, n).Draw(t,
		"weight")
	return ds, rows
}

// At the solution the gradient is 0: weighted residuals add up to 0, and with each standardised
// column to l2 c; among the solutions of least squares none is shorter: c is a combination of the
// rows' vectors.
func TestGradientVanishes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ds, _ := random(t)
		l := linear.New()
		l.L2 = rapid.SampledFrom([]float64{0, 1e-3, 1, 100}).Draw(t, "l2")
		m := fit(t, l, ds, learn.Job{})
		x := m.Encoding.Matrix(ds.Frame, nil, 1)
		width := m.Encoding.Width()
		p := predict(t, m, ds.Frame)
		sum, along := 0.0, make([]float64, width)
		for i, y := range ds.Target.Y[0] {
			r := ds.Target.Weight[i] * (y - p[i])
			sum += r
			for k := range along {
				along[k] += r * x[i*width+k]
			}
		}
		if math.Abs(sum) > 1e-8 {
			t.Fatalf("residuals add up to %g", sum)
		}
		for k, a := range along {
			if d := a - l.L2*m.Coef[k]; math.Abs(d) > 1e-7 {
				t.Fatalf("place %d: gradient %g", k, d)
			}
		}
	})
}

// Repeated rows are weights, whatever the order of rows and however many there are of them.
func TestRepeatedRowsAreWeights(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ds, _ := random(t)
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
		weighted := fit(t, linear.New(), ds, learn.Job{})
		// The encoding is that of the prepared rows, which are weighed alike here.
		f, err := linear.New().Prepare(t.Context(), ds.Frame, nil, ds.Target.Weight, learn.Env{})
		if err != nil {
			t.Fatal(err)
		}
		ds.Target.Weight = nil
		slices.Reverse(rows)
		repeated, err := f.Fit(t.Context(), &ds.Target, learn.Job{Rows: rows})
		if err != nil {
			t.Fatal(err)
		}
		a, b := predict(t, weighted, ds.Frame), predict(t, repeated, ds.Frame)
		for i := range a {
			if math.Abs(a[i]-b[i]) > 1e-7*(1+math.Abs(a[i])) {
				t.Fatalf("row %d: %g and %g", i, a[i], b[i])
			}
		}
	})
}

// Rows that are many chunks give what one chunk would: the line that they lie on. So do numbers
// that are large, tiny, or far from 0, where sums of squares would have lost all digits.
func TestLinesFarAway(t *testing.T) {
	for _, c := range []struct{ shift, scale, y float64 }{{0, 1, 1}, {1e9, 1, 1}, {0, 1e200, 1e300},
		{0, 1e-200, 1e-300}, {-1e12, 1e3, 1e307}} {
		r := rng.New(3)
		rows, y := make([][]float64, 5000), make([]float64, 5000)
		for i := range rows {
			a, b := r.Float64(), r.Float64()
			a += 1e-5 * b // columns that are nearly the same
			rows[i] = []float64{c.shift + c.scale*a, c.shift + c.scale*b, c.shift + c.scale*(a+b)}
			y[i] = c.y * (2*a - b + 4)
		}
		ds := table(t, rows, y)
		m := fit(t, linear.New(), ds, learn.Job{})
		for i, p := range predict(t, m, ds.Frame) {
			// x itself has only so many digits beside the shift
			if tolerance := 1e-9 + 1e-14*math.Abs(c.shift)/c.scale; math.Abs(p-y[i]) > tolerance*c.y {
				t.Errorf("%+v, row %d: %g, want %g", c, i, p, y[i])
				break
			}
		}
	}
}

// The categories of a column determine the last of them: they are treated alike, and the summary
// reports this.
func TestCategoriesAreAlike(t *testing.T) {
	f, err := data.NewFrame(data.Schema{Fields: []data.Field{{Name: "c", Kind: data.Categorical,
		Levels: []string{"p", "q", "r"}}}},
		[]data.Column{data.Codes([]uint32{0, 0, 1, 1, 2, 2})})
	if err != nil {
		t.Fatal(err)
	}
	ds := &data.Dataset{Frame: f, Target: data.Target{Name: "y", Task: data.Regression,
		Y: [][]float64{{1, 3, 10, 12, 5, 5}}}}
	m := fit(t, linear.New(), ds, learn.Job{})
	// Means 2, 11 and 5: 6 on average.
	if math.Abs(m.Bias[0]-6) > 1e-13 || math.Abs(m.Coef[0]+4) > 1e-13 ||
		math.Abs(m.Coef[1]-5) > 1e-13 || math.Abs(m.Coef[2]+1) > 1e-13 {
		t.Errorf("%v, %v", m.Bias, m.Coef)
	}
	if !strings.Contains(string(m.Meta.Summary),
		`"rank":2,"solution":"least squares; 1 of the 3 coded columns follow from others`) {
		t.Errorf("%s", m.Meta.Summary)
	}
}

func TestTooManyColumns(t *testing.T) {
	var s data.Schema
	var columns []data.Column
	for i := range 2049 {
		s.Fields = append(s.Fields, data.Field{Name: fmt.Sprintf("x%d", i)})
		columns = append(columns, data.Numbers([]float64{1, 2}))
	}
	f, err := data.NewFrame(s, columns)
	if err != nil {
		t.Fatal(err)
	}
	_, err = linear.New().Prepare(t.Context(), f, nil, nil, learn.Env{})
	var wide *learn.LimitError
	if !errors.As(err, &wide) || !strings.Contains(err.Error(),
		"linear takes up to 2048 columns, with one for each category, the table has 2049") {
		t.Errorf("%v", err)
	}
}

func TestParamsRefused(t *testing.T) {
	for set, want := range map[string]string{"l2=-1": "l2", "l2=NaN": "l2",
		"class_weight=a": "class_weight", "alpha=1": "unknown parameter"} {
		if err := linear.New().Params().Set([]string{set}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one about %s", set, err, want)
		}
	}
	l := linear.New()
	l.ClassWeight.Balanced = true
	f, err := l.Prepare(t.Context(), table(t, [][]float64{{1}, {2}}, []float64{1, 2}).Frame, nil,
		nil, learn.Env{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Fit(t.Context(), &data.Target{Task: data.Regression, Y: [][]float64{{1, 2}}},
		learn.Job{}); err == nil ||
		!strings.Contains(err.Error(), "class_weight does not fit a regression label") {
		t.Errorf("%v", err)
	}
	l.L2 = -1
	if _, err := l.Prepare(t.Context(), nil, nil, nil, learn.Env{}); err == nil {
		t.Error("a learner with l2 = -1 prepares")
	}
}
