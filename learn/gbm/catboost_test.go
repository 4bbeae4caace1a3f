package gbm_test

import (
	"math"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm"
	"github.com/coppice-ml/coppice/learn/learntest"
	"github.com/coppice-ml/coppice/model"
)

func learntestFit(t *testing.T, l *gbm.Learner, ds *data.Dataset) (model.Model, error) {
	t.Helper()
	return learntest.Fit(t.Context(), learn.Env{}, l, ds, learn.Job{})
}

// oneColumn is rows of a column with a label of two classes or of numbers.
func oneColumn(t *testing.T, task data.Task, x, y []float64) *data.Dataset {
	t.Helper()
	f, err := data.FromColumns(data.NamedColumn{Name: "x", Values: x})
	if err != nil {
		t.Fatal(err)
	}
	ds := &data.Dataset{Frame: f, Target: data.Target{Name: "y", Task: task}}
	if task == data.Regression {
		ds.Target.Y = [][]float64{y}
		return ds
	}
	ds.Target.Classes = []string{"no", "yes"}
	for _, v := range y {
		ds.Target.Class = append(ds.Target.Class, uint32(v))
	}
	return ds
}

// exactly sets what is random of compat=catboost off.
var exactly = []string{"trees=1", "learning_rate=1", "depth=1", "random_strength=0",
	"sampling=none"}

// catboost returns CatBoost's settings, changed by others.
func catboost(t *testing.T, settings ...string) []string {
	t.Helper()
	changed := map[string]bool{}
	for _, s := range settings {
		name, _, _ := strings.Cut(s, "=")
		changed[name] = true
	}
	if changed["sampling"] {
		changed["sampling.fraction"] = true
	}
	for _, s := range compatible(t, "catboost") {
		if name, _, _ := strings.Cut(s, "="); !changed[name] {
			settings = append(settings, s)
		}
	}
	return settings
}

// TestCatBoostLeaves: leaves of two classes are ten Newton steps from 0, or as many gradient steps;
// those of numbers are one step from the mean. By hand, with l2=3.
func TestCatBoostLeaves(t *testing.T) {
	x, y := []float64{0, 0, 0, 1, 1, 1}, []float64{0, 0, 1, 1, 1, 1}
	two := oneColumn(t, data.Binary, x, y)
	steps := func(n int, ones, rows float64, newton bool) float64 {
		v := 0.0
		for range n {
			p := 1 / (1 + math.Exp(-v))
			h := rows
			if newton {
				h = rows * p * (1 - p)
			}
			v -= (rows*p - ones) / (h + 3)
		}
		return v
	}
	for set, want := range map[string][2]float64{
		"":                                  {steps(10, 1, 3, true), steps(10, 3, 3, true)},
		"leaf_steps=1":                      {steps(1, 1, 3, true), steps(1, 3, 3, true)},
		"leaf_method=gradient":              {steps(10, 1, 3, false), steps(10, 3, 3, false)},
		"leaf_method=gradient leaf_steps=2": {steps(2, 1, 3, false), steps(2, 3, 3, false)},
	} {
		m := fit(t, two, learn.Job{},
			catboost(t, append(strings.Fields(set), exactly...)...)...)
		tr := m.Trees[0]
		if got := [2]float64{tr.Value(1)[0], tr.Value(2)[0]}; m.Bias[0] != 0 ||
			math.Abs(got[0]-want[0]) > 1e-9 || math.Abs(got[1]-want[1]) > 1e-9 {
			t.Errorf("%q: leaves %v from %v, want %v from 0", set, got, m.Bias[0], want)
		}
	}
	numbers := oneColumn(t, data.Regression, x, []float64{1, 2, 3, 7, 8, 9})
	m := fit(t, numbers, learn.Job{}, catboost(t, exactly...)...)
	tr := m.Trees[0]
	if got, want := tr.Value(1)[0], -9./6; m.Bias[0] != 5 || math.Abs(got-want) > 1e-9 {
		t.Errorf("a leaf of %v from %v, want %v from 5", got, m.Bias[0], want)
	}
}

// TestCatBoostTrees: the trees are oblivious and of six levels, leaves without rows have the value
// 0, and the parameters in effect are CatBoost's.
func TestCatBoostTrees(t *testing.T) {
	levels, err := model.ParseLayout("levels")
	if err != nil {
		t.Fatal(err)
	}
	for _, task := range []data.Task{data.Regression, data.Binary, data.Multiclass} {
		ds := table(t, 400, task)
		train, valid := trainTest(ds)
		m := fit(t, ds, learn.Job{Rows: train}, catboost(t, "trees=20")...)
		if _, err := m.Bind(&ds.Schema, model.Options{Layout: levels}); err != nil {
			t.Errorf("%s: %v", task, err)
		}
		empty := 0
		for _, tr := range m.Trees {
			if tr.Depth() != 6 || tr.NumLeaves() != 64 {
				t.Fatalf("%s: a tree of %d leaves and %d levels", task, tr.NumLeaves(), tr.Depth())
			}
			for n := range int32(tr.Len()) {
				if tr.Arity(n) == 0 && tr.Stats.Rows[n] == 0 && tr.Value(n)[0] == 0 {
					empty++
				}
			}
		}
		if empty == 0 {
			t.Errorf("%s: no leaf without rows has the value 0", task)
		}
		metric, most := "error", 0.3
		if task == data.Regression {
			metric, most = "rmse", 0.3
		}
		if v := evaluated(t, metric, m, ds, valid); v > most {
			t.Errorf("%s: %s %.3f", task, metric, v)
		}
		effect := string(summary(t, m).InEffect)
		steps := "1"
		if task == data.Binary {
			steps = "10"
		}
		if !strings.Contains(effect, `"leaf_steps":`+steps+`}`) ||
			!strings.Contains(effect, `"learning_rate":`) {
			t.Errorf("%s: in effect %s", task, effect)
		}
	}
}

// TestCatBoostOfCategories: categories get target statistics, and missing values are taken.
func TestCatBoostOfCategories(t *testing.T) {
	ds := read(t, "adult/adult-train.csv.gz", "income", data.Binary)
	m := fit(t, ds, learn.Job{Rows: data.AllRows(1500)}, catboost(t, "trees=25")...)
	if len(m.Inputs.Columns) == 0 {
		t.Error("no statistic was derived")
	}
	rows := data.AllRows(6000)[2000:]
	if v := evaluated(t, "auc", m, ds, rows); v < 0.87 {
		t.Errorf("AUC %.4f", v)
	}
}
