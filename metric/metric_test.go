package metric_test

import (
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/testing/reference"
	"github.com/coppice-ml/coppice/metric"
)

// frozen is a case of testdata/sklearn.json, which testdata/freeze.py wrote.
type frozen struct {
	Name      string
	Task      data.Task
	Truth     []float64
	Pred      []float64
	Weight    []float64
	Want      map[string]float64
	Confusion [][]int64
	Positive  int
	Further   struct { // of several classes
		Weighted *float64    `json:"roc_auc_ovr_weighted"`
		Third    *float64    `json:"top_k_accuracy@3"`
		Classes  [][]float64 // precision, recall and F1 of each
	}
}

func (f *frozen) sample() *metric.Sample {
	s := &metric.Sample{Pred: f.Pred, Width: len(f.Pred) / len(f.Truth), Weight: f.Weight,
		FirstPositive: f.Positive == 0}
	if f.Task == data.Regression {
		s.Y = f.Truth
		return s
	}
	for _, c := range f.Truth {
		s.Class = append(s.Class, uint32(c))
	}
	return s
}

func TestScikitLearn(t *testing.T) {
	cases := reference.Read[[]frozen](t, "testdata/sklearn.json")
	for _, c := range *cases {
		s := c.sample()
		values, _, err := metric.Evaluate(c.Task, s)
		if err != nil {
			t.Errorf("%s: %v", c.Name, err)
		}
		if len(values) != len(c.Want) {
			t.Errorf("%s: got %v, want %v", c.Name, values, c.Want)
		}
		for _, v := range values {
			if want, ok := c.Want[v.Name]; !ok ||
				math.Abs(v.Value-want) > 1e-13*max(1, math.Abs(want)) {
				t.Errorf("%s: %s is %v, want %v", c.Name, v.Name, v.Value, want)
			}
		}
		if c.Confusion != nil {
			if d := cmp.Diff(c.Confusion, metric.Confusion(s)); d != "" {
				t.Errorf("%s: confusion: %s", c.Name, d)
			}
		}
	}
}

// The values of single classes are those of scikit-learn, which has 0 where they are undefined.
func TestScikitLearnByClass(t *testing.T) {
	compared := 0
	for _, c := range *reference.Read[[]frozen](t, "testdata/sklearn.json") {
		if c.Further.Classes == nil {
			continue
		}
		s := c.sample()
		for name, want := range map[string]*float64{"roc_auc_ovr_weighted": c.Further.Weighted,
			"top_k_accuracy@3": c.Further.Third} {
			if got, err := metric.Of(name, s); want != nil && (err != nil || math.Abs(got-*want) > 1e-13) {
				t.Errorf("%s: %s is %v (%v), want %v", c.Name, name, got, err, *want)
			}
		}
		stream, err := metric.StreamOf(c.Task, s)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := stream.Values(); err != nil {
			t.Fatal(err)
		}
		for class, v := range stream.Classes() {
			for i, got := range []float64{v.Precision, v.Recall, v.F1} {
				want := c.Further.Classes[i][class]
				if compared++; math.Abs(got-want) > 1e-13 || math.IsNaN(got) && want != 0 {
					t.Errorf("%s: value %d of class %d is %v, want %v", c.Name, i, class, got, want)
				}
			}
		}
	}
	if compared != 48 {
		t.Errorf("%d values were compared", compared)
	}
}

func TestTable(t *testing.T) {
	names := map[data.Task][]string{
		data.Binary: {"accuracy", "balanced_accuracy", "error", "cost", "f1", "mcc", "auc",
			"average_precision", "logloss", "brier"},
		data.Multiclass: {"accuracy", "balanced_accuracy", "top_k_accuracy@2", "error", "cost",
			"roc_auc_ovr", "logloss"},
		data.Regression: {"rmse", "mae", "r2", "pinball"},
		data.Anomaly:    {"accuracy", "error", "auc"},
		data.Ranking:    {"ndcg@10", "map@10", "mrr"},
		data.Survival:   {"concordance"},
	}
	for task, want := range names {
		var got []string
		for _, m := range metric.ForTask(task) {
			got = append(got, m.Name)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: %s", task, d)
		}
	}
	for _, m := range metric.Table() {
		if found, ok := metric.Lookup(m.Name); !ok || found.Help != m.Help {
			t.Errorf("%s is not found by its name", m.Name)
		}
	}
	if _, ok := metric.Lookup("zeal"); ok {
		t.Error("an unknown metric is found")
	}
}

// The table records for each metric which way is better: exact predictions must be the best.
func TestBetterFollowsTheTable(t *testing.T) {
	samples := map[data.Task][2]*metric.Sample{ // exact, not exact
		data.Binary: {{Class: []uint32{0, 1}, Pred: []float64{1, 0, 0, 1}, Width: 2,
			Costs: data.Costs{{0, 1}, {2, 0}}},
			{Class: []uint32{0, 1}, Pred: []float64{0.4, 0.6, 0.7, 0.3}, Width: 2, Costs: data.Costs{{0, 1}, {2, 0}}}},
		data.Regression: {{Y: []float64{1, 3}, Pred: []float64{1, 3}, Width: 1,
			Quantiles: []float64{0.4}}, {Y: []float64{1, 3}, Pred: []float64{2, 5}, Width: 1,
			Quantiles: []float64{0.4}}},
	}
	for task, pair := range samples {
		for _, m := range metric.ForTask(task) {
			exact, err1 := m.Func(pair[0])
			other, err2 := m.Func(pair[1])
			if least, greatest := m.Range(); exact < least || other < least || exact > greatest ||
				other > greatest || m.Higher && exact != greatest {
				t.Errorf("%s: %v and %v are not from %v to %v", m.Name, exact, other, least, greatest)
			}
			if err1 != nil || err2 != nil || exact == other || (exact > other) != m.Higher {
				t.Errorf("%s: %v for exact predictions, %v for others, higher is better: "+
					"%v (%v, %v)", m.Name, exact, other, m.Higher, err1, err2)
			}
		}
	}
}

func TestUndefined(t *testing.T) {
	for _, c := range []struct {
		name string
		s    metric.Sample
		want string
	}{
		{"auc", metric.Sample{Class: []uint32{1, 1}, Pred: make([]float64, 4), Width: 2}, "auc is undefined: all rows are of one class"},
		{"auc", metric.Sample{Class: []uint32{0, 1}, Pred: make([]float64, 4), Width: 2, Weight: []float64{1, 0}}, "auc is undefined: all rows are of one class"},
		{"auc", metric.Sample{Class: []uint32{0}, Pred: make([]float64, 3), Width: 3}, "auc is undefined: it needs two classes"},
		{"balanced_accuracy", metric.Sample{Class: []uint32{0, 0}, Pred: []float64{1, 0, 0, 1}, Width: 2}, "balanced_accuracy is undefined: all rows are of one class"},
		{"balanced_accuracy", metric.Sample{Class: []uint32{0, 1}, Pred: make([]float64, 4), Width: 2, Weight: []float64{0, 2}}, "balanced_accuracy is undefined: all rows are of one class"},
		{"f1", metric.Sample{Class: []uint32{0, 0}, Pred: []float64{1, 0, 0, 1}, Width: 2}, "f1 is undefined: no row is of the positive class"},
		{"f1", metric.Sample{Class: []uint32{1, 1}, Pred: []float64{1, 0, 0, 1}, Width: 2, FirstPositive: true}, "f1 is undefined: no row is of the positive class"},
		{"f1", metric.Sample{Class: []uint32{0}, Pred: make([]float64, 3), Width: 3}, "f1 is undefined: it needs two classes"},
		{"mcc", metric.Sample{Class: []uint32{0, 0}, Pred: []float64{1, 0, 0, 1}, Width: 2}, "mcc is undefined: all rows are of one class"},
		{"mcc", metric.Sample{Class: []uint32{0, 1}, Pred: []float64{1, 0, 0, 1}, Width: 2, Weight: []float64{1, 0}}, "mcc is undefined: all rows are of one class"},
		{"mcc", metric.Sample{Class: []uint32{0}, Pred: make([]float64, 3), Width: 3}, "mcc is undefined: it needs two classes"},
		{"average_precision", metric.Sample{Class: []uint32{0, 0}, Pred: make([]float64, 4), Width: 2}, "average_precision is undefined: no row is of the positive class"},
		{"average_precision", metric.Sample{Class: []uint32{0}, Pred: make([]float64, 3), Width: 3}, "average_precision is undefined: it needs two classes"},
		{"brier", metric.Sample{Class: []uint32{0}, Pred: make([]float64, 3), Width: 3}, "brier is undefined: it needs two classes"},
		{"brier", metric.Sample{Class: []uint32{0}, Pred: []float64{1, 0}, Width: 2, Weight: []float64{0}}, "brier is undefined: all weights are 0"},
		{"f1", metric.Sample{Class: []uint32{1, 1}, Pred: []float64{0, 1, 0, 1}, Width: 2, Weight: []float64{1e308, 1e308}}, "f1 is undefined: labels, predictions or weights are too large"},
		{"accuracy", metric.Sample{Class: []uint32{0}, Pred: []float64{1, 0}, Width: 2, Weight: []float64{0}}, "accuracy is undefined: all weights are 0"},
		{"cost", metric.Sample{Class: []uint32{0}, Pred: []float64{1, 0}, Width: 2}, "cost is undefined: the model has no costs"},
		{"rmse", metric.Sample{Y: []float64{1}, Pred: []float64{1}, Width: 1, Weight: []float64{0}}, "rmse is undefined: all weights are 0"},
		{"mae", metric.Sample{Y: []float64{1}, Pred: []float64{1, 2}, Width: 2, Quantiles: []float64{0.1, 0.9}}, "mae is undefined: several quantiles are predicted"},
		{"r2", metric.Sample{Y: []float64{1}, Pred: []float64{1, 2}, Width: 2, Quantiles: []float64{0.1, 0.9}}, "r2 is undefined: several quantiles are predicted"},
		{"r2", metric.Sample{Y: []float64{1}, Pred: []float64{1}, Width: 1}, "r2 is undefined: it needs two rows"},
		{"rmse", metric.Sample{Y: []float64{1.7e308}, Pred: []float64{-1.7e308}, Width: 1}, "rmse is undefined: labels, predictions or weights are too large"},
	} {
		m, _ := metric.Lookup(c.name)
		v, err := m.Func(&c.s)
		if undefined := (*metric.Undefined)(nil); !errors.As(err, &undefined) ||
			err.Error() != c.want || v != 0 {
			t.Errorf("%s: got %v, %v, want 0 and %s", c.name, v, err, c.want)
		}
	}
}

func TestCheck(t *testing.T) {
	nan := math.NaN()
	for want, s := range map[string]metric.Sample{
		"no rows to evaluate":                         {Width: 1},
		"labels are both classes and values":          {Class: []uint32{0}, Y: []float64{0}, Width: 1},
		"costs of labels for values":                  {Y: []float64{1}, Pred: []float64{1}, Width: 1, Costs: data.Costs{{0}}},
		"costs of 1 classes for 2 classes":            {Class: []uint32{0}, Pred: []float64{1, 0}, Width: 2, Costs: data.Costs{{0}}},
		"2 predictions per row":                       {Y: []float64{1}, Pred: []float64{1, 2}, Width: 2},
		"3 predictions for 2 rows of 2":               {Class: []uint32{0, 1}, Pred: make([]float64, 3), Width: 2},
		"1 weights for 2 rows":                        {Class: []uint32{0, 1}, Pred: make([]float64, 4), Width: 2, Weight: []float64{1}},
		"row 2 has class 2 of 2":                      {Class: []uint32{0, 2}, Pred: make([]float64, 4), Width: 2},
		"row 1 has class 3 of 2":                      {Class: []uint32{0}, Pred: make([]float64, 2), Width: 2, Chosen: []uint32{3}},
		"2 predicted classes for 1 rows with classes": {Class: []uint32{0}, Pred: make([]float64, 2), Width: 2, Chosen: []uint32{0, 1}},
		"1 predicted classes for 0 rows with classes": {Y: []float64{1}, Pred: []float64{1}, Width: 1, Chosen: []uint32{0}},
		"row 1 has weight -1":                         {Y: []float64{1}, Pred: []float64{1}, Width: 1, Weight: []float64{-1}},
		"row 1 has weight NaN":                        {Y: []float64{1}, Pred: []float64{1}, Width: 1, Weight: []float64{nan}},
		"row 2 has label NaN":                         {Y: []float64{1, nan}, Pred: []float64{1, 1}, Width: 1},
		"row 2 has prediction +Inf":                   {Class: []uint32{0, 1}, Pred: []float64{0, 1, 0, math.Inf(1)}, Width: 2},
	} {
		_, _, err := metric.Evaluate(data.Binary, &s)
		if err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// Where labels were chosen already, probabilities and costs do not choose them again; the order of
// rows is still that of probabilities.
func TestChosen(t *testing.T) {
	s := &metric.Sample{Class: []uint32{0, 1, 1}, Pred: []float64{0.9, 0.1, 0.6, 0.4, 0.2, 0.8},
		Width: 2, Chosen: []uint32{1, 1, 0}}
	for name, want := range map[string]float64{"accuracy": 1.0 / 3, "error": 2.0 / 3, "auc": 1} {
		m, _ := metric.Lookup(name)
		if got, err := m.Func(s); err != nil || got != want {
			t.Errorf("%s: %v, %v, want %v", name, got, err, want)
		}
	}
	if d := cmp.Diff([][]int64{{0, 1}, {1, 1}}, metric.Confusion(s)); d != "" {
		t.Error(d)
	}
}

// Where no metric has a value the first states why; where one has, none does.
func TestNoneDefined(t *testing.T) {
	values, none, err := metric.Evaluate(data.Regression,
		&metric.Sample{Y: []float64{1.7e308}, Pred: []float64{-1.7e308}, Width: 1})
	if err != nil || values != nil || none == nil ||
		none.Error() != "rmse is undefined: labels, predictions or weights are too large" {
		t.Errorf("%v, %v, %v", values, none, err)
	}
	values, none, err = metric.Evaluate(data.Regression,
		&metric.Sample{Y: []float64{1}, Pred: []float64{2}, Width: 1})
	if err != nil || len(values) != 2 || none != nil {
		t.Errorf("%v, %v, %v", values, none, err)
	}
}

func TestTaskWithoutMetrics(t *testing.T) {
	_, _, err := metric.Evaluate(data.Auto,
		&metric.Sample{Y: []float64{1}, Pred: []float64{1}, Width: 1})
	if err == nil || err.Error() != "there are no metrics for auto" {
		t.Errorf("got %v", err)
	}
}

// aucOfPairs is the definition of AUC: all pairs of a row of class 1 and one of class 0.
func aucOfPairs(s *metric.Sample) float64 {
	won, all := 0.0, 0.0
	for i, a := range s.Class {
		for j, b := range s.Class {
			if a != 1 || b != 0 {
				continue
			}
			w := s.Weight[i] * s.Weight[j]
			all += w
			switch x, y := s.Pred[2*i+1], s.Pred[2*j+1]; {
			case x > y:
				won += w
			case x == y:
				won += w / 2
			}
		}
	}
	return won / all
}

func TestAUCIsTheFractionOfPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := &metric.Sample{Class: []uint32{0, 1}, Pred: []float64{0.5, 0.5, 0.5, 0.5}, Width: 2,
			Weight: []float64{1, 2}}
		for range rapid.IntRange(0, 30).Draw(t, "rows") {
			p := float64(rapid.IntRange(0, 6).Draw(t, "sixths")) / 6
			s.Class = append(s.Class, uint32(rapid.IntRange(0, 1).Draw(t, "class")))
			s.Pred = append(s.Pred, 1-p, p)
			s.Weight = append(s.Weight, float64(rapid.IntRange(0, 3).Draw(t, "weight")))
		}
		got, err := metric.Of("auc", s)
		if want := aucOfPairs(s); err != nil || math.Abs(got-want) > 1e-12 {
			t.Fatalf("got %v (%v), want %v", got, err, want)
		}
	})
}

// A weight of k is k equal rows.
func TestWeightsAreMultiplicities(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var weighted, repeated metric.Sample
		classes := rapid.Bool().Draw(t, "classes")
		task := data.Regression
		weighted.Width = 1
		if classes {
			task, weighted.Width = data.Binary, 2
		}
		repeated.Width = weighted.Width
		add := func(s *metric.Sample, x, label float64) {
			if classes {
				s.Class, s.Pred = append(s.Class, uint32(label)), append(s.Pred, 1-x, x)
				return
			}
			s.Y, s.Pred = append(s.Y, label), append(s.Pred, x)
		}
		for i := range rapid.IntRange(1, 20).Draw(t, "rows") {
			x := rapid.Float64Range(0, 1).Draw(t, "prediction")
			label := float64(rapid.IntRange(0, 1).Draw(t, "label"))
			k := rapid.IntRange(0, 3).Draw(t, "weight")
			if i == 0 {
				k++
			}
			add(&weighted, x, label)
			weighted.Weight = append(weighted.Weight, float64(k))
			for range k {
				add(&repeated, x, label)
			}
		}
		for _, m := range metric.ForTask(task) {
			if m.Name == "r2" {
				continue // it counts rows, to distinguish a constant label from a single row
			}
			a, err1 := m.Func(&weighted)
			b, err2 := m.Func(&repeated)
			if (err1 == nil) != (err2 == nil) || math.Abs(a-b) > 1e-12 {
				t.Fatalf("%s: %v (%v) by weights, %v (%v) by repetition", m.Name, a, err1, b, err2)
			}
		}
	})
}

// With costs the label is the class of least expected cost, for all metrics of labels.
func TestCost(t *testing.T) {
	s := &metric.Sample{Class: []uint32{0, 0, 1, 1},
		Pred: []float64{0.9, 0.1, 0.7, 0.3, 0.7, 0.3, 0.95, 0.05}, Width: 2,
		Weight: []float64{1, 2, 1, 1},
		Costs:  data.Costs{{0, 1}, {5, 0}}}
	for name, want := range map[string]float64{"cost": (2*1 + 1*5) / 5., "error": 3. / 5,
		"accuracy": 2. / 5} {
		m, _ := metric.Lookup(name)
		if got, err := m.Func(s); err != nil || math.Abs(got-want) > 1e-15 {
			t.Errorf("%s is %v, %v, want %v", name, got, err, want)
		}
	}
	if d := cmp.Diff([][]int64{{1, 1}, {1, 1}}, metric.Confusion(s)); d != "" {
		t.Error(d)
	}
}
