package gbm_test

import (
	"math"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
)

// TestSymmetricTreesArePredictedByLevels: symmetric trees are full, so that a trained model has the
// layout of one comparison for each level, whatever the limits of leaves and the loss; and it
// predicts the scores of the training.
func TestSymmetricTreesArePredictedByLevels(t *testing.T) {
	levels, err := model.ParseLayout("levels")
	if err != nil {
		t.Fatal(err)
	}
	ds := table(t, 600, data.Regression)
	ds.Frame = ds.Select([]int{0, 1, 2, 3, 4})
	for r := 0; r < 600; r += 7 {
		ds.Columns[1].Numbers()[r] = math.NaN()
	}
	train, valid := trainTest(ds)
	for _, way := range [][]string{{"min_leaf=1"}, {"min_leaf=40"}, {"loss=absolute", "min_leaf=9"},
		{"path_smooth=4", "monotone=d=1"}, {"gamma=0.1", "interactions=a+b,c+d"}} {
		m := fit(t, ds, learn.Job{Rows: train, Valid: valid},
			append(way, "growth=symmetric", "trees=12", "early_stopping=0")...)
		p, err := m.Bind(&ds.Schema, model.Options{Layout: levels})
		if err != nil {
			t.Fatalf("%v: %v", way, err)
		}
		if used := model.LayoutsUsed(p, 600); len(used) != 1 || used[0] != levels {
			t.Errorf("%v: layouts %v", way, used)
		}
		curve := summary(t, m).Curves[1].Values
		got := evaluated(t, "rmse", m, ds, valid)
		if loss := curve[len(curve)-1]; len(way) == 1 && math.Abs(got*got/2-loss) > 1e-12 {
			t.Errorf("%v: the model has a loss of %v, the training %v", way, got*got/2, loss)
		}
	}
}

// TestSmallLeavesOfSymmetricTrees: a leaf of fewer rows than min_leaf has the value of the node
// above that is large enough.
func TestSmallLeavesOfSymmetricTrees(t *testing.T) {
	f, err := data.FromColumns(
		data.NamedColumn{Name: "x", Values: []float64{0, 0, 0, 0, 1, 1, 1, 1}},
		data.NamedColumn{Name: "y", Values: []float64{0, 0, 1, 1, 0, 0, 0, 1}})
	if err != nil {
		t.Fatal(err)
	}
	ds := &data.Dataset{Frame: f, Target: data.Target{Name: "z", Task: data.Regression,
		Y: [][]float64{{0, 0, 2, 2, 10, 10, 10, 14}}}}
	for least, want := range map[string][]float64{"1": {0, 2, 10, 14}, "2": {0, 2, 11, 11}} {
		m := fit(t, ds, learn.Job{}, "growth=symmetric", "depth=2", "l2=0", "trees=1",
			"learning_rate=1", "base_score=0", "min_leaf="+least)
		tr := m.Trees[0]
		var got []float64
		for n := range int32(tr.Len()) {
			if tr.Arity(n) == 0 {
				got = append(got, tr.Value(n)[0])
			}
		}
		if len(got) != len(want) {
			t.Fatalf("min_leaf=%s: leaves of %v, want %v", least, got, want)
		}
		for i := range want {
			if math.Abs(got[i]-want[i]) > 1e-9 {
				t.Errorf("min_leaf=%s: leaves of %v, want %v", least, got, want)
			}
		}
	}
}
