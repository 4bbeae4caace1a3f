package bayes_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	fitted "github.com/coppice-ml/coppice/internal/models/dense"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/bayes"
	"github.com/coppice-ml/coppice/learn/learntest"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/modeltest"
	"github.com/coppice-ml/coppice/param"
)

// Probabilities are those of scikit-learn.
func TestScikitLearn(t *testing.T) {
	for _, c := range learntest.ReadCases(t, "testdata/sklearn.json") {
		t.Run(c.Name, func(t *testing.T) { c.Check(t, bayes.New()) })
	}
}

const missing, unseen = data.MissingCode, data.UnseenCode

// table has a number and a category, with values missing in both.
func table(t testing.TB) *data.Dataset {
	t.Helper()
	f, err := data.NewFrame(data.Schema{Fields: []data.Field{{Name: "x"},
		{Name: "c", Kind: data.Categorical, Levels: []string{"p", "q"}}}},
		[]data.Column{data.Numbers([]float64{1, 3, math.NaN(), 10, 14}),
			data.Codes([]uint32{0, 0, 1, 1, missing})})
	if err != nil {
		t.Fatal(err)
	}
	return &data.Dataset{Frame: f, Target: data.Target{Name: "y", Task: data.Binary,
		Classes: []string{"a", "b"}, Class: []uint32{0, 0, 0, 1, 1}}}
}

func fit(t rapid.TB, l *bayes.Learner, ds *data.Dataset, job learn.Job) *fitted.Bayes {
	t.Helper()
	return learntest.MustFit(t, learn.Env{}, l, ds, job).(*fitted.Bayes)
}

func predict(t rapid.TB, m model.Model, f *data.Frame, o model.Output) []float64 {
	t.Helper()
	return modeltest.Predict(t, m, f, model.Options{Output: o}, nil)
}

func TestByHand(t *testing.T) {
	ds := table(t)
	m := fit(t, bayes.New(), ds, learn.Job{})
	p := m.Profiles()
	near := func(what string, got []float64, want ...float64) {
		t.Helper()
		if !slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) < 1e-7 }) {
			t.Errorf("%s is %v, want %v", what, got, want)
		}
	}
	near("prior", p.Prior, 0.6, 0.4)
	near("mean", p.Columns[0].Mean, 2, 12)
	near("deviation", p.Columns[0].Deviation, 1, 2)
	// Of three categories, of which missing is one: (2, 1, 0) + 1 of 3 + 3, and (0, 1, 1) + 1 of 2
	// + 3.
	near("p", p.Columns[1].Probability, 0.5, 0.2)
	near("q", p.Columns[2].Probability, 1./3, 0.4)
	near("missing", p.Columns[3].Probability, 1./6, 0.4)

	f, err := data.NewFrame(ds.Schema,
		[]data.Column{data.Numbers([]float64{6, math.NaN(), math.NaN()}),
			data.Codes([]uint32{1, missing, unseen})})
	if err != nil {
		t.Fatal(err)
	}
	normal := func(x, mean, deviation float64) float64 {
		return math.Exp(-(x-mean)*(x-mean)/(2*deviation*deviation)) / deviation
	}
	a, b := 0.6*normal(6, 2, 1)/3, 0.4*normal(6, 12, 2)*0.4
	got := predict(t, m, f, model.Response)
	near("row 0", got[:2], a/(a+b), b/(a+b))
	near("row 1", got[2:4], 0.1/0.26, 0.16/0.26)
	near("row 2", got[4:], 0.6, 0.4)
	near("labels", predict(t, m, f, model.Label), 1, 1, 0)
	raw := predict(t, m, f, model.Raw)
	near("scores", raw[4:], math.Log(0.6), math.Log(0.4))
	if !strings.Contains(string(m.Meta.Summary), `"skipped":[{"column":"x","number":1}]`) {
		t.Errorf("%s", m.Meta.Summary)
	}
}

// Priors may be other than in training; a class of which no row has a number is as all rows are.
func TestPriorsAndUnknownColumns(t *testing.T) {
	ds := table(t)
	l := bayes.New()
	l.Priors = []param.Named{{Name: "b", Value: 0.9}}
	if m := fit(t, l, ds, learn.Job{}); math.Abs(m.Prior[1]-0.9) > 1e-15 {
		t.Errorf("priors %v", m.Prior)
	}
	ds.Columns[0].Numbers()[3], ds.Columns[0].Numbers()[4] = math.NaN(), math.NaN()
	m := fit(t, bayes.New(), ds, learn.Job{})
	if m.Mean[4] != 0 || m.Variance[4] != 1 {
		t.Errorf("means %v, variances %v", m.Mean, m.Variance)
	}
}

// Repeated rows are weights, and a unit of a column makes no difference.
func TestWeightsAndUnits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 20).Draw(t, "rows")
		value := rapid.OneOf(rapid.Float64Range(-5, 5),
			rapid.SampledFrom([]float64{math.NaN(), math.Inf(1), 0, 1}))
		f, err := data.NewFrame(data.Schema{Fields: []data.Field{{Name: "x"},
			{Name: "c", Kind: data.Categorical, Levels: []string{"p", "q", "r"}}}},
			[]data.Column{data.Numbers(rapid.SliceOfN(value, n, n).Draw(t, "x")),
				data.Codes(rapid.SliceOfN(rapid.SampledFrom([]uint32{0, 1, 2, missing}), n,
					n).Draw(t, "c"))})
		if err != nil {
			t.Fatal(err)
		}
		ds := &data.Dataset{Frame: f, Target: data.Target{Name: "y", Task: data.Multiclass,
			Classes: []string{"a", "b", "c"}}}
		ds.Target.Class = rapid.SliceOfN(rapid.Uint32Range(0, 2), n, n).Draw(t, "class")
		var rows []int32
		for i := range n {
			times := rapid.IntRange(0, 3).Draw(t, "times")
			ds.Target.Weight = append(ds.Target.Weight, float64(times))
			for range times {
				rows = append(rows, int32(i))
			}
		}
		if len(rows) == 0 {
			t.Skip("no row has weight")
		}
		l := bayes.New()
		l.VarSmoothing = 1e-3
		a := predict(t, fit(t, l, ds, learn.Job{}), f, model.Response)
		fitter, err := l.Prepare(context.Background(), ds.Frame, nil, ds.Target.Weight, learn.Env{})
		if err != nil {
			t.Fatal(err)
		}
		weight := ds.Target.Weight
		ds.Target.Weight = nil
		m, err := fitter.Fit(context.Background(), &ds.Target, learn.Job{Rows: rows})
		if err != nil {
			t.Fatal(err)
		}
		b := predict(t, m, f, model.Response)
		ds.Target.Weight = weight
		for i := range f.Columns[0].Numbers() {
			f.Columns[0].Numbers()[i] *= -8
		}
		c := predict(t, fit(t, l, ds, learn.Job{}), f, model.Response)
		for i := range a {
			if math.Abs(a[i]-b[i]) > 1e-9 || math.Abs(a[i]-c[i]) > 1e-9 {
				t.Fatalf("value %d: %g, of repeated rows %g, in another unit %g", i, a[i], b[i],
					c[i])
			}
		}
	})
}

func TestTable(t *testing.T) {
	m := fit(t, bayes.New(), table(t), learn.Job{})
	d := m.Describe()
	heading, rows := fmt.Sprint(d.Table.Columns), d.Table.Rows
	if heading != "[{column true} {a false} {b false}]" ||
		!slices.Equal(rows[0], []string{"(prior)", "60.0%", "40.0%"}) ||
		!slices.Equal(rows[1], []string{"x", "2 ± 1", "12 ± 2"}) ||
		!slices.Equal(rows[2], []string{"c = p", "50.0%", "20.0%"}) {
		t.Errorf("%v %v", heading, rows)
	}
	if d.String() != "profiles: 2, one for each class, of 2 columns" {
		t.Error(d.String())
	}
}

func TestParamsRefused(t *testing.T) {
	for set, want := range map[string]string{"var_smoothing=0": "var_smoothing",
		"smoothing=-1": "smoothing", "priors=a": "priors", "alpha=1": "unknown parameter"} {
		if err := bayes.New().Params().Set([]string{set}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one about %s", set, err, want)
		}
	}
	l := bayes.New()
	l.Priors = []param.Named{{Name: "nobody", Value: 0.5}}
	f, err := l.Prepare(t.Context(), table(t).Frame, nil, nil, learn.Env{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Fit(t.Context(), &table(t).Target, learn.Job{}); err == nil ||
		!strings.Contains(err.Error(), `there is no class "nobody"`) {
		t.Errorf("%v", err)
	}
}
