package adaboost

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/datatest"
	"github.com/coppice-ml/coppice/internal/testing/reference"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/model"
)

// frozen is what testdata/sklearn/freeze.py wrote; see there.
type frozen struct {
	Classes []struct {
		Name, File, Label, Algorithm string
		Columns, Classes             []string
		Step, Rounds                 int
		Rate                         float64
		Weighted                     bool
		Weights, Errors, Accuracy    []float64
		Stages, Probes               []int
		Decisions                    [][][]float64 // by stage, probe and class
	}
	Additive []struct {
		Name, File, Label, Variant string
		Columns                    []string
		Step                       int
		Probes                     []int
		Staged                     [][][]float64 // by round, probe and score
	}
	X       [][]float64
	Y       []float64
	Numbers []struct {
		Loss            Loss
		Rate            float64
		Samples         [][]int32
		Weights, Errors []float64
		Staged          [][]float64
	}
}

func readFrozen(t *testing.T) *frozen {
	return reference.Read[frozen](t, "testdata/sklearn/boosts.json.gz")
}

// table reads every step-th row of some columns of a shipped table.
func table(t *testing.T, file, label string, columns []string, step int) *data.Dataset {
	t.Helper()
	ds := datatest.Read(t, file, data.Roles{Label: label, Task: data.Multiclass})
	var at []int
	for _, name := range columns {
		at = append(at, ds.Schema.Index(name))
	}
	frame, target := ds.Frame.Select(at), &ds.Target
	kept := &data.Dataset{Target: data.Target{Name: label, Task: target.Task,
		Classes: target.Classes}}
	var all []data.Column
	for _, c := range frame.Columns {
		var own data.Column
		for row := 0; row < len(c.Numbers()); row += step {
			own = data.Numbers(append(own.Numbers(), c.Number(row)))
		}
		all = append(all, own)
	}
	for row := 0; row < len(target.Class); row += step {
		kept.Target.Class = append(kept.Target.Class, target.Class[row])
	}
	var err error
	if kept.Frame, err = data.NewFrame(frame.Schema, all); err != nil {
		t.Fatal(err)
	}
	if len(target.Classes) == 2 {
		kept.Target.Task = data.Binary
	}
	return kept
}

// stumps is a learner whose base is the one that New gives it in the catalog.
func stumps(variant string, rounds int) *Learner {
	l := New(func(name string) (string, learn.Learner, error) { return name, cart.New(), nil })
	l.Rounds = rounds
	if err := l.Params().Set([]string{"base=cart", "variant=" + variant}); err != nil {
		panic(err) // cart accepts what start sets
	}
	return l
}

func fit(t testing.TB, l *Learner, ds *data.Dataset, job learn.Job) (model.Model, *Summary) {
	t.Helper()
	f, err := l.Prepare(t.Context(), ds.Frame, nil, ds.Target.Weight, learn.Env{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := f.Fit(t.Context(), &ds.Target, job)
	if err != nil {
		t.Fatal(err)
	}
	return m, summary(t, m)
}

func summary(t testing.TB, m model.Model) *Summary {
	t.Helper()
	s := &Summary{}
	if err := json.Unmarshal(m.Spec().Summary, s); err != nil {
		t.Fatal(err)
	}
	return s
}

func predict(t testing.TB, m model.Model, f *data.Frame, o model.Options) ([]float64, int) {
	t.Helper()
	p, err := m.Bind(&f.Schema, o)
	if err != nil {
		t.Fatal(err)
	}
	dst := make([]float64, f.Rows()*p.Width())
	if err := p.Predict(dst, f, nil); err != nil {
		t.Fatal(err)
	}
	return dst, p.Width()
}

func near(t *testing.T, what string, got, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d, want %d", what, len(got), len(want))
		return
	}
	for i := range got {
		if math.Abs(got[i]-want[i]) > 1e-9 {
			t.Errorf("%s: entry %d is %.12g, want %.12g", what, i, got[i], want[i])
			return
		}
	}
}

// TestScikitLearn compares weights of members, weighted errors, and staged scores and accuracies
// over stumps, of SAMME and of SAMME.R, on four tables, to 1e-9.
func TestScikitLearn(t *testing.T) {
	for _, c := range readFrozen(t).Classes {
		t.Run(fmt.Sprintf("%s %s %g", c.Name, c.Algorithm, c.Rate), func(t *testing.T) {
			ds := table(t, c.File, c.Label, c.Columns, c.Step)
			if c.Weighted {
				for i := range ds.Rows() {
					ds.Target.Weight = append(ds.Target.Weight, 1+float64(i%3))
				}
			}
			l := stumps("samme", c.Rounds)
			if c.Algorithm == "SAMME.R" {
				l.Variant = VariantReal
			}
			l.LearningRate = c.Rate
			m, s := fit(t, l, ds, learn.Job{})
			near(t, "errors", s.Error, c.Errors)
			if c.Algorithm == "SAMME" {
				near(t, "weights", s.Weight, c.Weights)
			}
			k := len(c.Classes)
			for at, stage := range c.Stages {
				output := model.Response
				if c.Algorithm == "SAMME.R" {
					output = model.Raw
				}
				got, _ := predict(t, m, ds.Frame, model.Options{Output: output, Rounds: stage})
				for i, row := range c.Probes {
					near(t, fmt.Sprintf("row %d after %d rounds", row, stage),
						decision(c.Algorithm, got[row*k:(row+1)*k], stage), c.Decisions[at][i])
				}
				labels, _ := predict(t, m, ds.Frame,
					model.Options{Output: model.Label, Rounds: stage})
				right := 0.0
				for i, label := range labels {
					if uint32(label) == ds.Target.Class[i] {
						right += 1 / float64(len(labels))
					}
				}
				near(t, fmt.Sprintf("accuracy after %d rounds", stage), []float64{right},
					c.Accuracy[at:at+1])
			}
		})
	}
}

// decision makes scikit-learn's decision function of a response, or of the scores of probabilities
// that were multiplied.
func decision(algorithm string, of []float64, rounds int) []float64 {
	k := len(of)
	d := append([]float64(nil), of...)
	if algorithm == "SAMME.R" {
		for i := range d {
			d[i] *= float64(k-1) / float64(rounds)
		}
	}
	if k == 2 {
		return []float64{d[0] - d[1], d[1] - d[0]}
	}
	return d
}

// TestScikitLearnNumbers compares AdaBoost.R2 on the samples given.
func TestScikitLearnNumbers(t *testing.T) {
	f := readFrozen(t)
	frame, err := data.FromRows(f.X, nil)
	if err != nil {
		t.Fatal(err)
	}
	target := &data.Target{Name: "y", Task: data.Regression, Y: [][]float64{f.Y}}
	for _, c := range f.Numbers {
		l := stumps("r2", len(c.Samples))
		l.Loss, l.LearningRate, l.Resample = c.Loss, c.Rate, ResampleTrue
		if err := l.Params().Set([]string{"base.depth=2"}); err != nil {
			t.Fatal(err)
		}
		prepared, err := l.Prepare(t.Context(), frame, nil, nil, learn.Env{})
		if err != nil {
			t.Fatal(err)
		}
		j, v, err := prepared.(*fitter).begin(target, learn.Job{})
		if err != nil {
			t.Fatal(err)
		}
		j.sampleRows = func(_ []float64, n, _ int) []int32 { return c.Samples[n] }
		m, err := j.boost(t.Context(), v)
		if err != nil {
			t.Fatal(err)
		}
		near(t, c.Loss.String()+": weights", j.found.Weight, c.Weights)
		near(t, c.Loss.String()+": errors", j.found.Error, c.Errors)
		for i, want := range c.Staged {
			got, _ := predict(t, m, frame, model.Options{Rounds: i + 1})
			near(t, fmt.Sprintf("%s: after %d rounds", c.Loss, i+1), got, want)
		}
	}
}

// TestAdditive compares gentle AdaBoost and LogitBoost, of two classes by their log odds, of more
// by the probabilities.
func TestAdditive(t *testing.T) {
	for _, c := range readFrozen(t).Additive {
		l := NewLogitBoost(stumps("auto", 1).Base.Resolve)
		if c.Variant != LogitBoost {
			l = stumps(c.Variant, 1)
		}
		if err := l.Params().Set([]string{"base=cart",
			fmt.Sprintf("rounds=%d", len(c.Staged))}); err != nil {
			t.Fatal(err)
		}
		ds := table(t, c.File, c.Label, c.Columns, c.Step)
		m, s := fit(t, l, ds, learn.Job{})
		output := model.Raw
		if len(ds.Target.Classes) > 2 {
			output = model.Response
		}
		for at, want := range c.Staged {
			got, k := predict(t, m, ds.Frame, model.Options{Output: output, Rounds: at + 1})
			for i, row := range c.Probes {
				near(t, fmt.Sprintf("%s %s: row %d after %d rounds", c.Variant, c.Name, row, at+1),
					got[row*k:(row+1)*k], want[i])
			}
		}
		if s.Rounds != len(c.Staged) || c.Variant == LogitBoost &&
			!(s.Error[s.Rounds-1] < s.Error[0]) {
			t.Errorf("%s %s: %d rounds, log loss %v", c.Variant, c.Name, s.Rounds, s.Error)
		}
	}
}
