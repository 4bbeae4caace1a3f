package linear_test

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
	fitted "github.com/coppice-ml/coppice/internal/models/dense"
	"github.com/coppice-ml/coppice/internal/testing/reference"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/learntest"
	"github.com/coppice-ml/coppice/learn/linear"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/modeltest"
)

// read returns a table of times and events.
func readSurvival(t *testing.T, file, time, event string, weighted bool) *data.Dataset {
	t.Helper()
	f, err := csvdata.Open(csvdata.Options{}, "../../testdata/survival/"+file).Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ds, err := data.Roles{Label: time, Event: event, Task: data.Survival}.Apply(f)
	if err != nil {
		t.Fatal(err)
	}
	for i := range ds.Rows() {
		if weighted {
			ds.Target.Weight = append(ds.Target.Weight, 1+float64(i%7)/10)
		}
	}
	return ds
}

func fitCox(t rapid.TB, l *linear.Cox, ds *data.Dataset, job learn.Job) *fitted.Linear {
	t.Helper()
	return learntest.MustFit(t, learn.Env{}, l, ds, job).(*fitted.Linear)
}

func coxSummaryOf(t rapid.TB, m *fitted.Linear) linear.CoxSummary {
	t.Helper()
	var s linear.CoxSummary
	if err := json.Unmarshal(m.Meta.Summary, &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// Scores and likelihoods are those of R's package survival, up to a constant of the scores.
func TestSurvivalOfR(t *testing.T) {
	cases := reference.Read[struct {
		Cases []struct {
			Name, Ties, File, Time, Event string
			L2                            float64
			Weighted                      bool
			Loglik                        float64
			Scores                        []float64
		}
	}](t, "testdata/cox/survival.json").Cases
	for _, c := range cases {
		t.Run(c.Ties+", "+c.Name, func(t *testing.T) {
			ds := readSurvival(t, c.File, c.Time, c.Event, c.Weighted)
			l := linear.NewCox()
			if err := l.Params().Set([]string{"ties=" + c.Ties}); err != nil {
				t.Fatal(err)
			}
			l.L2 = c.L2
			m := fitCox(t, l, ds, learn.Job{})
			scores := modeltest.Predict(t, m, ds.Frame, model.Options{Output: model.Raw}, nil)
			worst := 0.0
			for i, want := range c.Scores {
				worst = max(worst, math.Abs(scores[i]-scores[0]-want))
			}
			s := coxSummaryOf(t, m)
			if d := math.Abs(s.LogLikelihood - c.Loglik); worst > 1e-8 || d > 1e-8 || !s.Converged {
				t.Errorf("scores differ by up to %.2g, the likelihood by %.2g: %s", worst, d, s.Solution)
			}
			t.Logf("largest difference %.1g", worst)
		})
	}
	if len(cases) != 14 {
		t.Errorf("%d cases", len(cases))
	}
}

// TestRemissions: Freireich's leukaemia patients, the example of Cox (1972). Kleinbaum and Klein
// (Survival Analysis, chapter 3) print the coefficient 1.509 and the log likelihood -86.380, by
// Breslow's rule.
func TestRemissions(t *testing.T) {
	ds := readSurvival(t, "leukemia.csv", "weeks", "relapse", false)
	l := linear.NewCox()
	l.L2, l.Ties = 0, linear.TiesBreslow
	m := fitCox(t, l, ds, learn.Job{})
	s := coxSummaryOf(t, m)
	if d := m.Coef[1] - m.Coef[0]; math.Abs(d-1.509) > 5e-4 ||
		math.Abs(s.LogLikelihood+86.380) > 5e-4 || s.Events != 30 || s.Rows != 42 {
		t.Errorf("coefficient %g, %+v", d, s)
	}
	hazard := modeltest.Predict(t, m, ds.Frame, model.Options{}, []int32{0, 1})
	if ratio := hazard[0] / hazard[1]; math.Abs(ratio-4.523) > 5e-4 {
		t.Errorf("the hazards of control and 6-MP have the ratio %g", ratio)
	}
}

// At the least value all derivatives vanish: those of the definitions, by differences, on random
// tables with equal times, weights and repeated rows.
func TestCoxGradientVanishes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 20).Draw(t, "rows")
		columns := make([][]float64, n)
		target := data.Target{Name: "y", Task: data.Survival, Y: [][]float64{make([]float64, n)}}
		var rows []int32
		for i := range n {
			for range 2 {
				columns[i] = append(columns[i], float64(rapid.IntRange(-9, 9).Draw(t, "x")))
			}
			target.Y[0][i] = float64(rapid.IntRange(0, 5).Draw(t, "time"))
			target.Weight = append(target.Weight, rapid.SampledFrom([]float64{0, 0.5, 1, 3}).Draw(t, "weight"))
			target.Event = append(target.Event, uint8(rapid.IntRange(0, 1).Draw(t, "event")))
			for range rapid.IntRange(0, 2).Draw(t, "times") {
				rows = append(rows, int32(i))
			}
		}
		rows, target.Event[0], target.Weight[0] = append(rows, 0), 1, 1
		f, err := data.FromRows(columns, nil)
		if err != nil {
			t.Fatal(err)
		}
		l := linear.NewCox()
		l.L2 = rapid.SampledFrom([]float64{0.1, 1, 30}).Draw(t, "l2")
		l.Ties = rapid.SampledFrom([]linear.Ties{linear.TiesEfron, linear.TiesBreslow}).Draw(t, "ties")
		m := fitCox(t, l, &data.Dataset{Frame: f, Target: target}, learn.Job{Rows: rows})
		width := m.Encoding.Width()
		x := m.Encoding.Matrix(f, nil, 1)
		value := func(coef []float64) float64 {
			score := make([]float64, n)
			sum := 0.0
			for k, c := range coef {
				sum += l.L2 / 2 * c * c
				for i := range score {
					score[i] += c * x[i*width+k]
				}
			}
			return sum + likelihood(l.Ties, &target, rows, score)
		}
		for k := range width {
			const step = 1e-4
			above, below := append([]float64(nil), m.Coef...), append([]float64(nil), m.Coef...)
			above[k] += step
			below[k] -= step
			if d := (value(above) - value(below)) / (2 * step); math.Abs(d) > 1e-5 {
				t.Fatalf("derivative %g by coefficient %d of %v", d, k, m.Coef)
			}
		}
	})
}

// likelihood is minus the log of the partial likelihood by its definition: for each time its events
// one after another. By Efron's rule each has their mean weight, and finds a part of them gone.
func likelihood(ties linear.Ties, t *data.Target, rows []int32, score []float64) float64 {
	sum := 0.0
	for time := range 6 {
		risk, own, weight, events := 0.0, 0.0, 0.0, 0
		for _, i := range rows {
			hazard := t.Weight[i] * math.Exp(score[i])
			if t.Y[0][i] >= float64(time) {
				risk += hazard
			}
			if t.Y[0][i] == float64(time) && t.Event[i] != 0 && t.Weight[i] > 0 {
				own += hazard
				weight += t.Weight[i]
				sum -= t.Weight[i] * score[i]
				events++
			}
		}
		for k := range events {
			if ties == linear.TiesBreslow {
				k = 0
			}
			gone := float64(k) / float64(events)
			sum += weight / float64(events) * math.Log(risk-gone*own)
		}
	}
	return sum
}

// Many chunks of rows are one table: coefficients that made the times are found again.
func TestManyRows(t *testing.T) {
	ds := learntest.Mixed(6000, data.Regression, false, [3]string{"a", "b", "c"})
	ds.Frame = ds.Select([]int{0, 1})
	target := data.Target{Name: "y", Task: data.Survival, Y: [][]float64{make([]float64, 6000)},
		Event: make([]uint8, 6000)}
	for i := range 6000 {
		a, b := ds.Columns[0].Number(i), ds.Columns[1].Number(i)
		u := math.Mod(float64(i)*0.6180339887498949, 1) + 1e-4
		target.Y[0][i] = -math.Log(u) * math.Exp(-2*a+b)
		target.Event[i] = uint8(min(1, i%5))
	}
	ds.Target = target
	l := linear.NewCox()
	l.L2 = 0
	e := fitCox(t, l, ds, learn.Job{}).Equation()
	if a, b := e.Terms[0].Coef[0], e.Terms[1].Coef[0]; math.Abs(a-2) > 0.15 || math.Abs(b+1) > 0.15 {
		t.Errorf("coefficients %g and %g, want 2 and -1", a, b)
	}
}

// A column that orders the events has no best coefficient: the summary reports it.
func TestOrderedEvents(t *testing.T) {
	f, err := data.FromRows([][]float64{{1}, {2}, {3}, {4}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	ds := &data.Dataset{Frame: f, Target: data.Target{Name: "y", Task: data.Survival,
		Y: [][]float64{{4, 3, 2, 1}}}}
	l := linear.NewCox()
	l.L2 = 0
	if s := coxSummaryOf(t, fitCox(t, l, ds, learn.Job{})); !strings.Contains(s.Solution,
		"1 coefficient is beyond 10 per deviation") {
		t.Errorf("%q", s.Solution)
	}
	l.L2, l.Steps = 1, 1
	if s := coxSummaryOf(t, fitCox(t, l, ds, learn.Job{})); s.Converged ||
		!strings.Contains(s.Solution, "1 step, not converged") {
		t.Errorf("%+v", s)
	}
}

// TestHazardsAreNumbers: without a penalty steps end before hazards of the training rows are
// infinite, which no metric takes.
func TestHazardsAreNumbers(t *testing.T) {
	x, y := make([][]float64, 300), make([]float64, 300)
	for i := range x {
		x[i], y[i] = []float64{float64(i)}, float64(len(x)-i)
	}
	f, err := data.FromRows(x, nil)
	if err != nil {
		t.Fatal(err)
	}
	ds := &data.Dataset{Frame: f, Target: data.Target{Name: "y", Task: data.Survival,
		Y: [][]float64{y}}}
	l := linear.NewCox()
	l.L2 = 0
	m := fitCox(t, l, ds, learn.Job{})
	p, err := m.Bind(&f.Schema, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	hazards := make([]float64, len(x))
	if err := p.Predict(hazards, f, data.AllRows(len(x))); err != nil {
		t.Fatal(err)
	}
	for i, h := range hazards {
		if h-h != 0 || i > 0 && h < hazards[i-1] {
			t.Fatalf("row %d has the hazard %g", i, h)
		}
	}
	if s := coxSummaryOf(t, m); s.Converged || !strings.Contains(s.Solution, "only l2 bounds") {
		t.Errorf("%+v", s)
	}
}

// TestFarRows: the hazard of a row far from those of training is the greatest number, which files
// and metrics take; its score has the logarithm.
func TestFarRows(t *testing.T) {
	ds := readSurvival(t, "veteran.csv", "time", "status", false)
	m := fitCox(t, linear.NewCox(), ds, learn.Job{})
	far := *ds.Frame
	karno := slices.IndexFunc(far.Schema.Fields, func(f data.Field) bool { return f.Name == "karno" })
	f, err := data.FromColumns(data.NamedColumn{Name: "karno", Values: []float64{-1e6, -1e5, 1e6}})
	if err != nil {
		t.Fatal(err)
	}
	rows := far.Subset([]int32{0, 0, 0})
	rows.Columns[karno] = f.Columns[0]
	hazard := modeltest.Predict(t, m, rows, model.Options{}, nil)
	score := modeltest.Predict(t, m, rows, model.Options{Output: model.Raw}, nil)
	if !slices.Equal(hazard, []float64{math.MaxFloat64, math.MaxFloat64, 0}) {
		t.Errorf("hazards %v", hazard)
	}
	if !(score[0] > 9*score[1] && score[1] > 1000 && score[2] < -1000) {
		t.Errorf("scores %v", score)
	}
}

func TestCoxRefused(t *testing.T) {
	f, err := data.FromRows([][]float64{{1}, {2}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	target := func(y []float64, event ...uint8) data.Target {
		return data.Target{Name: "y", Task: data.Survival, Y: [][]float64{y}, Event: event}
	}
	upper := target([]float64{1, 2}, 1, 1)
	upper.Upper = []float64{3, 4}
	number := data.Target{Name: "y", Task: data.Regression, Y: [][]float64{{1, 2}}}
	for want, own := range map[string]data.Target{"labels of 0 or more": target([]float64{-1, 2}),
		"there are none": target([]float64{1, 2}, 0, 0), "no upper ends": upper,
		"cox cannot do regression: use data.Roles.Task survival": number} {
		_, err := learntest.Fit(t.Context(), learn.Env{}, linear.NewCox(),
			&data.Dataset{Frame: f, Target: own}, learn.Job{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
		var task *learn.TaskError
		if errors.As(err, &task) != (own.Task == data.Regression) {
			t.Errorf("error %v of the wrong type", err)
		}
	}
}
