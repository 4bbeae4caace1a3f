package gbm_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/anyboost"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/learn/gbm"
	"github.com/coppice-ml/coppice/learn/learntest"
	"github.com/coppice-ml/coppice/loss"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
)

// withLoss makes the learners that take a loss of one's own.
func withLoss(t *testing.T, l loss.Loss, rounds string) map[string]learn.Learner {
	t.Helper()
	choice := loss.Choice{Name: "mine", Loss: l}
	g, v := gbm.New(), gbm.New()
	a := anyboost.New(catalog.Resolve)
	learntest.Made(t, g, "trees="+rounds)
	learntest.Made(t, v, "trees="+rounds, "multi_output=true", "min_child_weight=0")
	learntest.Made(t, a, "rounds="+rounds, "base=cart", "base.prune=none", "base.depth=5",
		"step=leaf")
	g.Loss, v.Loss, a.Loss = choice, choice, choice
	return map[string]learn.Learner{"gbm": g, "gbm, several": v, "anyboost": a}
}

// labels are numbers around 1.
func ownLossTable(t *testing.T) *data.Dataset {
	ds := table(t, 300, data.Regression)
	for i := range ds.Target.Y[0] {
		ds.Target.Y[0][i] = 1 + float64(i*37%100-50)/50
	}
	return ds
}

// TestLossWithoutCurvatureIsRefused: a loss of one's own whose second derivatives add up to no
// number above 0 is refused by name.
func TestLossWithoutCurvatureIsRefused(t *testing.T) {
	ds := ownLossTable(t)
	for _, h := range []float64{-1, 0} {
		wrong := &loss.Pointwise{
			Loss:   func(y, x float64) float64 { return (x - y) * (x - y) / 2 },
			Derive: func(y, x float64) (float64, float64) { return x - y, h },
		}
		for name, l := range withLoss(t, wrong, "5") {
			_, err := learntest.Fit(t.Context(), catalog.Env(1), l, ds, learn.Job{})
			if err == nil || !strings.HasPrefix(err.Error(), "loss=mine: its second derivatives add up to ") ||
				!strings.Contains(err.Error(), "in the first round, want a number above 0") {
				t.Errorf("%s: error %v", name, err)
			}
		}
	}
}

// TestLossOfFallingCurvature: where the second derivatives of later rounds add up to no number
// above 0, training ends, says so, and keeps the rounds before.
func TestLossOfFallingCurvature(t *testing.T) {
	ds := ownLossTable(t)
	// rows near their labels have second derivatives of -30
	bent := &loss.Pointwise{
		Loss: func(y, x float64) float64 { return (x - y) * (x - y) / 2 },
		Derive: func(y, x float64) (float64, float64) {
			if math.Abs(x-y) < 0.5 {
				return x - y, -30
			}
			return x - y, 1
		},
	}
	for i, y := range ds.Target.Y[0] { // at the start no row is near
		ds.Target.Y[0][i] = math.Copysign(1, y-1) + y/8
	}
	for name, l := range withLoss(t, bent, "200") {
		m := learntest.MustFit(t, catalog.Env(1), l, ds, learn.Job{})
		var found training.Boosting
		if err := json.Unmarshal(m.Spec().Summary, &found); err != nil {
			t.Fatal(err)
		}
		if !found.Flat || found.Kept < 1 || found.Kept >= 200 {
			t.Errorf("%s: %d rounds, flat %v", name, found.Kept, found.Flat)
		}
		for _, v := range learntest.Predictions(t, m, ds.Frame) {
			if !(math.Abs(v) < 4) {
				t.Errorf("%s: predicts %g of labels between -2 and 2", name, v)
				break
			}
		}
	}
}

// TestLogCoshTrains: the loss that loss.Pointwise has for an example has second derivatives above
// 0.
func TestLogCoshTrains(t *testing.T) {
	ds := ownLossTable(t)
	logCosh := &loss.Pointwise{
		Loss:   func(y, x float64) float64 { return math.Log(math.Cosh(x - y)) },
		Derive: func(y, x float64) (g, h float64) { a := math.Tanh(x - y); return a, 1 - a*a },
	}
	for name, l := range withLoss(t, logCosh, "20") {
		m := learntest.MustFit(t, catalog.Env(1), l, ds, learn.Job{})
		var found training.Boosting
		if err := json.Unmarshal(m.Spec().Summary, &found); err != nil {
			t.Fatal(err)
		}
		if found.Kept != 20 || found.Flat {
			t.Errorf("%s: %d rounds, flat %v", name, found.Kept, found.Flat)
		}
	}
}

// TestLeavesOfSignedCurvature: no split makes a leaf whose second derivatives and l2 add up to no
// number above 0, though those of single rows are below it.
func TestLeavesOfSignedCurvature(t *testing.T) {
	ds := ownLossTable(t)
	second := func(y float64) float64 {
		if int(math.Round(50*y))%3 == 0 {
			return -1.5
		}
		return 1
	}
	l := gbm.New()
	l.Loss = loss.Choice{Name: "mine", Loss: &loss.Pointwise{
		Loss:   func(y, x float64) float64 { return (x - y) * (x - y) / 2 },
		Derive: func(y, x float64) (float64, float64) { return x - y, second(y) },
	}}
	for _, settings := range []string{"growth=leaf l2=0", "growth=leaf l2=1", "growth=depth l2=0",
		"growth=leaf l2=0 extra_trees=true", "growth=leaf l2=0 multi_output=true"} {
		learntest.Made(t, l, append(strings.Fields(settings), "trees=1", "min_child_weight=0",
			"min_leaf=1", "categories=native", "gamma_prune=top")...)
		m := learntest.MustFit(t, learn.Env{}, l, ds, learn.Job{}).(*model.Ensemble)
		sum, rows := map[int32]float64{}, map[int32]int{}
		for i, y := range ds.Target.Y[0] {
			leaf := m.Trees[0].Over(ds.Columns).LeafOf(int32(i))
			sum[leaf] += second(y)
			rows[leaf]++
		}
		for leaf, h := range sum {
			if !(h+l.L2 > 0) {
				t.Errorf("%s: a leaf of %d rows has second derivatives that add up to %g", settings,
					rows[leaf], h)
			}
		}
		if len(sum) < 2 {
			t.Errorf("%s: nothing was split", settings)
		}
	}
}
