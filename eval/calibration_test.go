package eval_test

import (
	"math"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// reported is a tree that gives each row of the column x, from 0 up, its class probabilities.
func reported(t *testing.T, classes []string, probabilities ...[]float64) *model.Ensemble {
	t.Helper()
	b := tree.NewBuilder(tree.Counts, len(classes), false)
	b.SetValue(0, probabilities[0])
	for n := range probabilities[1:] {
		last := b.Split(int32(max(0, 2*n)), tree.Split{Kind: tree.Numeric, SplitPoint: float64(n)})
		b.SetValue(last, probabilities[n])
		b.SetValue(last+1, probabilities[n+1])
	}
	grown, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	task := data.Binary
	if len(classes) > 2 {
		task = data.Multiclass
	}
	m := &model.Ensemble{Trees: []*tree.Tree{grown}, Combine: model.Mean,
		Meta: model.Spec{Schema: data.Schema{Fields: []data.Field{{Name: "x"}}}, Task: task,
			Classes: classes, Learner: "cart"}}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	return m
}

// By hand: five rows in four bins, one of which is empty, another has a probability on its edge.
func TestReliabilityByHand(t *testing.T) {
	m := reported(t, []string{"no", "yes"}, []float64{9, 1}, []float64{8, 2}, []float64{3, 1},
		[]float64{1, 9}, []float64{2, 8})
	ds := dataset(t, 5, data.Target{Task: data.Binary, Classes: []string{"no", "yes"},
		Class: []uint32{0, 1, 0, 1, 0}})
	c, err := eval.Reliability(t.Context(), m, ds, nil, 4, model.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if c.Class != "yes" || len(c.Bins) != 4 {
		t.Fatalf("class %q, %d bins", c.Class, len(c.Bins))
	}
	for i, b := range c.Bins {
		if b.From != float64(i)/4 || b.To != float64(i+1)/4 {
			t.Errorf("bin %d is from %v to %v", i, b.From, b.To)
		}
	}
	// probabilities 0.1, 0.2, 0.25, of which one of three is yes; 0.9 and 0.8, one of two
	first, last := c.Bins[0], c.Bins[3]
	if first.Rows != 3 || !near(first.Probability, 0.55/3) || !near(first.Frequency, 1.0/3) ||
		last.Rows != 2 || !near(last.Probability, 0.85) || last.Frequency != 0.5 ||
		c.Bins[1].Rows != 0 || c.Bins[1].Probability != 0 || c.Bins[2].From != 0.5 {
		t.Errorf("bins %+v", c.Bins)
	}
	if !near(c.ECE, 0.6*(1.0/3-0.55/3)+0.4*0.35) || !near(c.MCE, 0.35) ||
		!near(c.Brier, (0.01+0.64+0.0625+0.01+0.64)/5) {
		t.Errorf("ECE %g, MCE %g, Brier %g", c.ECE, c.MCE, c.Brier)
	}
	if !near(last.Error(), math.Sqrt(0.125)) || c.Bins[1].Error() != 0 {
		t.Errorf("standard errors %g, %g", last.Error(), c.Bins[1].Error())
	}
	ds.Target.Weight = []float64{0, 0, 0, 3, 1}
	if c, err = eval.Reliability(t.Context(), m, ds, nil, 4,
		model.Options{Workers: 1}); err != nil || !near(c.Bins[3].Frequency, 0.75) ||
		c.Bins[0].Frequency != 0 || !near(c.ECE, 0.125) {
		t.Errorf("with weights: %+v, error %v", c, err)
	}
}

// Of three classes the largest probability counts, and the squared distance of all.
func TestReliabilityOfSeveralClasses(t *testing.T) {
	classes := []string{"a", "b", "c"}
	m := reported(t, classes, []float64{6, 3, 1}, []float64{2, 1, 7})
	ds := dataset(t, 2, data.Target{Task: data.Multiclass, Classes: classes, Class: []uint32{0, 1}})
	c, err := eval.Reliability(t.Context(), m, ds, nil, 10, model.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if c.Class != "" || c.Bins[5].Frequency != 1 || c.Bins[6].Frequency != 0 ||
		!near(c.ECE, (0.4+0.7)/2) || !near(c.Brier, (0.16+0.09+0.01+0.04+0.81+0.49)/2) {
		t.Errorf("%+v", c)
	}
}

func TestReliabilityRefuses(t *testing.T) {
	m := reported(t, []string{"a", "b"}, []float64{1, 2})
	ds := dataset(t, 2, data.Target{Task: data.Binary, Classes: []string{"a", "b"},
		Class: []uint32{0, 1}, Weight: []float64{0, 0}})
	if _, err := eval.Reliability(t.Context(), m, ds, nil, 0,
		model.Options{Workers: 1}); err == nil || !strings.Contains(err.Error(), "0 bins") {
		t.Errorf("error %v", err)
	}
	if _, err := eval.Reliability(t.Context(), m, ds, nil, 5,
		model.Options{Workers: 1}); err == nil || !strings.Contains(err.Error(), "no weight") {
		t.Errorf("error %v", err)
	}
	values := dataset(t, 2, data.Target{Task: data.Regression, Y: [][]float64{{1, 2}}})
	if _, err := eval.Reliability(t.Context(), train(t, values), values, nil, 5,
		model.Options{Workers: 1}); err == nil ||
		!strings.Contains(err.Error(), "the model predicts regression") {
		t.Errorf("error %v", err)
	}
}
