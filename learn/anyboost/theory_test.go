package anyboost_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/internal/testing/reference"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/anyboost"
	"github.com/coppice-ml/coppice/learn/learntest"
	"github.com/coppice-ml/coppice/loss"
	"github.com/coppice-ml/coppice/model"
)

// summary reads the training summary of a model.
func summary(t testing.TB, m model.Model) anyboost.Summary {
	t.Helper()
	return learntest.Summary[anyboost.Summary](t, m)
}

// randomTable generates a table of three columns, one of them categorical, with labels for a task.
func randomTable(r *rapid.T, task data.Task) *data.Dataset {
	n := rapid.IntRange(5, 25).Draw(r, "rows")
	number := rapid.Float64Range(-3, 3)
	draw := func(name string) []float64 { return rapid.SliceOfN(number, n, n).Draw(r, name) }
	ds := &data.Dataset{Target: data.Target{Name: "y", Task: task}}
	if task.Classes() {
		ds.Target.Classes = []string{"a", "b", "c"}
		if task == data.Binary {
			ds.Target.Classes = []string{"a", "b"}
		}
		ds.Target.Class = rapid.SliceOfN(rapid.Uint32Range(0, uint32(len(ds.Target.Classes)-1)), n,
			n).Draw(r, "class")
	} else {
		y := draw("y")
		for i := range y {
			y[i] = (y[i] + 3.1) / 6.2 // all losses take numbers between 0 and 1
		}
		ds.Target.Y = [][]float64{y}
	}
	if rapid.Bool().Draw(r, "weighted") {
		ds.Target.Weight = rapid.SliceOfN(rapid.Float64Range(0.1, 4), n, n).Draw(r, "weight")
	}
	code := rapid.SliceOfN(rapid.Uint32Range(0, 2), n, n).Draw(r, "code")
	var err error
	ds.Frame, err = data.NewFrame(data.Schema{Fields: []data.Field{{Name: "a"}, {Name: "b"},
		{Name: "c", Kind: data.Categorical, Levels: []string{"p", "q", "r"}}}},
		[]data.Column{data.Numbers(draw("a")), data.Numbers(draw("b")), data.Codes(code)})
	if err != nil {
		r.Fatal(err)
	}
	return ds
}

// TestLossNeverRisesAlongASearch: with step=line the loss of the training rows falls from round to
// round, whatever the loss; with a learning rate below 1, too, where it is convex.
func TestLossNeverRisesAlongASearch(t *testing.T) {
	convex := []string{"squared", "absolute", "logistic", "softmax"}
	for _, task := range []data.Task{data.Regression, data.Binary, data.Multiclass} {
		t.Run(task.String(), func(t *testing.T) {
			rapid.Check(t, func(r *rapid.T) {
				ds := randomTable(r, task)
				base := rapid.SampledFrom([]string{"base.depth=1", "base.depth=2",
					"base=ramp"}).Draw(r, "base")
				rate := rapid.SampledFrom([]float64{1, 0.5, 0.1}).Draw(r, "rate")
				for _, row := range someLosses(r, task) {
					own := rate
					if !slices.Contains(convex, row.Name) {
						own = 1
					}
					m := fit(t, newLearner(t, "step=line", "rounds=4", "training_metric=1",
						"loss="+row.Name, fmt.Sprint("learning_rate=", own), base), ds, learn.Job{})
					last := atStart(t, row, ds)
					for _, c := range summary(t, m).Curves {
						for i, v := range c.Values {
							if v > last+1e-12*math.Abs(last) {
								r.Fatalf("%s, round %d: the loss rises from %g to %g", row.Name,
									i+1, last, v)
							}
							last = v
						}
					}
				}
			})
		})
	}
}

// someLosses returns three losses of a task, by night all of them.
func someLosses(r *rapid.T, task data.Task) []loss.Entry {
	all := slices.DeleteFunc(slices.Clone(loss.Table()), func(row loss.Entry) bool {
		return !slices.Contains(row.Tasks, task)
	})
	if tier.Night() {
		return all
	}
	first := rapid.IntRange(0, len(all)-1).Draw(r, "first loss")
	return slices.Concat(all, all)[first:][:min(3, len(all))]
}

// atStart returns the loss of a table's rows at the initial scores.
func atStart(t testing.TB, row loss.Entry, ds *data.Dataset) float64 {
	t.Helper()
	o, err := row.New().Bind(&ds.Target, data.AllRows(ds.Rows()))
	if err != nil {
		t.Fatal(err)
	}
	start, raw := make([]float64, o.Outputs()), make([]float64, o.Outputs()*ds.Rows())
	o.Init(start)
	for i := range raw {
		raw[i] = start[i/ds.Rows()]
	}
	return o.Value(raw, 1)
}

// TestSearchOfSquaredErrorIsTheProjection: step=line goes as far as the projection of the residuals
// on the predictions of the member. The new residuals are then at a right angle to these.
func TestSearchOfSquaredErrorIsTheProjection(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		ds := randomTable(r, data.Regression)
		l := newLearner(t, "step=line", "loss=squared", "rounds=4", "learning_rate=1",
			"min_descent=0.01", "base=ramp",
			fmt.Sprint("base.constant=", rapid.Float64Range(-2, 3).Draw(r, "constant")),
			fmt.Sprint("base.slope=", rapid.Float64Range(0.1, 3).Draw(r, "slope")))
		c := fit(t, l, ds, learn.Job{}).(*committee.Committee)
		s := summary(t, c)
		raw := slices.Repeat(c.Bias, ds.Rows())
		for i := range s.Steps {
			f := predict(t, c.Members[i], ds.Frame, model.Options{})
			rf, ff, rr, rounding := 0.0, 0.0, 0.0, 0.0
			for k := range f {
				w, y := ds.Target.WeightAt(int32(k)), ds.Target.Y[0][k]
				rest := y - raw[k]
				rf, ff, rr = rf+w*rest*f[k], ff+w*f[k]*f[k], rr+w*rest*rest
				// labels that differ little leave few digits of the residuals
				rounding += 1e-15 * w * math.Abs(y*f[k])
			}
			if want := rf / ff; math.Abs(s.Steps[i]-want) > 1e-9*want+8*rounding/ff ||
				c.Weights[i] != s.Steps[i] {
				r.Fatalf("round %d goes %g of weight %g, the projection is %g", i+1, s.Steps[i],
					c.Weights[i], want)
			}
			lengths := math.Sqrt(ff * rr)
			if want := rf / lengths; math.Abs(s.Cosines[i]-want) > 1e-9+8*rounding/lengths {
				r.Fatalf("round %d: the cosine is %g, want %g", i+1, s.Cosines[i], want)
			}
			for k := range f {
				raw[k] += s.Steps[i] * f[k]
			}
		}
	})
}

// TestEndsWithoutDescent: training ends where no member has a positive inner product with the
// negative gradient, and rounds of the model have the least cosine of the parameter.
func TestEndsWithoutDescent(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		task := rapid.SampledFrom([]data.Task{data.Regression, data.Binary,
			data.Multiclass}).Draw(r, "task")
		ds := randomTable(r, task)
		step := "step=" + rapid.SampledFrom([]string{"line", "fixed"}).Draw(r, "step")
		m := fit(t, newLearner(t, "rounds=5", step, "base=ramp", "base.slope=-1",
			"base.constant=-1"), ds, learn.Job{})
		s := summary(t, m)
		if s.Rounds != 0 || !s.Exhausted || s.Kept != 0 {
			r.Fatalf("a base that predicts the opposite is trained for %d rounds", s.Rounds)
		}
		raw := predict(t, m, ds.Frame, model.Options{Output: model.Raw})
		bias := m.(*committee.Committee).Bias
		for i, v := range raw {
			if v != bias[i%len(bias)] {
				r.Fatalf("scores %v, want those of the start, %v", raw, bias)
			}
		}
		least := rapid.Float64Range(0.1, 0.9).Draw(r, "least")
		s = summary(t, fit(t, newLearner(t, "rounds=8", step, "base.depth=1",
			fmt.Sprint("min_descent=", least)), ds, learn.Job{}))
		for i, c := range s.Cosines {
			if c <= least {
				r.Fatalf("round %d has a cosine of %g, the least is %g", i+1, c, least)
			}
		}
		if s.Exhausted != (s.Rounds < 8) || len(s.Steps) != s.Kept {
			r.Fatalf("%d rounds, exhausted: %v, %d steps", s.Rounds, s.Exhausted, len(s.Steps))
		}
	})
}

// TestMatchingPursuit: stumps, steps and what is left are those of a computation with numpy.
func TestMatchingPursuit(t *testing.T) {
	frozen := reference.Read[struct {
		X      [][]float64
		Y      json.RawMessage
		Rounds []struct {
			Column     int32
			SplitPoint float64 `json:"split_point"`
			Step, Left float64
			Values     []float64
		}
	}](t, "testdata/pursuit.json")
	ds := (&frozenSet{frozen.X, frozen.Y}).dataset(t, nil, nil)
	l := newLearner(t, slices.Concat(newLearner(t).Capabilities().Presets[1].Settings,
		[]string{"rounds=30"})...)
	e := fit(t, l, ds, learn.Job{}).(*model.Ensemble)
	s := summary(t, e)
	curve := s.Curves[0].Values
	for i, want := range frozen.Rounds {
		tr := e.Trees[i]
		if tr.Feature(0) != want.Column || !near(tr.SplitPoint(0), want.SplitPoint, 0) ||
			tr.Len() != 3 {
			t.Fatalf("round %d: x%d <= %g, want x%d <= %g", i+1, tr.Feature(0), tr.SplitPoint(0),
				want.Column, want.SplitPoint)
		}
		for side, v := range want.Values {
			if got := tr.Value(int32(1 + side))[0]; !near(got, v, 1e-3) {
				t.Errorf("round %d: value %g, want %g", i+1, got, v)
			}
		}
		left := math.Sqrt(2 * curve[i] * float64(ds.Rows()))
		if !near(s.Steps[i], want.Step, 0) || e.Weights[i] != s.Steps[i] ||
			!near(left, want.Left, 0) {
			t.Errorf("round %d goes %.15g and leaves %.15g, want %.15g and %.15g", i+1, s.Steps[i],
				left, want.Step, want.Left)
		}
	}
}
