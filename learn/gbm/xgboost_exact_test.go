package gbm_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// xgboostExactCases is testdata/xgboost_exact.json.gz, which freeze_exact.py there wrote.
var xgboostExactCases = thaw("xgboost_exact.json.gz")

// With compat=xgboost-exact the learner trains the models of XGBoost's exact method: splits with
// their thresholds, what gamma removes, gains and leaves of all rounds, and scores.
func TestSameModelsAsExactXGBoost(t *testing.T) {
	tier.NotShort(t, "trains the same by two engines")
	losses := peerLosses()
	all := func(*frozenCase) bool { return true }
	thresholds := 0
	cases(t, xgboostExactCases, all, func(t *testing.T, c *frozenCase) {
		i := slices.IndexFunc(losses, func(l peerLoss) bool { return l.objective == c.objective() })
		if i < 0 {
			t.Fatalf("no loss for %s", c.objective())
		}
		settings := append(c.settings(), losses[i].set(c)...)
		m, frame := c.train(t, &losses[i], settings, compatible(t, "xgboost-exact"))
		c.compareModel(t, m, frame)
		for i := range m.Trees {
			thresholds += sameThresholds(t, fmt.Sprint("tree ", i), m.Trees[i], &c.Trees[i])
		}
	})
	if thresholds < 2000 {
		t.Errorf("%d thresholds were compared, want 2000", thresholds)
	}
}

// sameThresholds compares the thresholds of splits by the same column of trees that split the rows
// alike, and returns how many there are.
func sameThresholds(t *testing.T, name string, ours *tree.Tree, theirs *frozenTree) (compared int) {
	t.Helper()
	var walk func(n int32, s int)
	walk = func(n int32, s int) {
		if ours.Kind(n) != tree.Numeric || theirs.Left[s] < 0 ||
			int(ours.Feature(n)) != theirs.Feature[s] {
			return
		}
		missing := ours.NextMissing(n) == ours.Child(n)
		if missing != (theirs.Default[s] == 1) {
			return // known values against missing ones, in the other order
		}
		compared++
		if got, want := float32(ours.SplitPoint(n)), float32(theirs.SplitPoint[s]); got != want {
			t.Errorf("%s, frozen node %d: threshold %v, want %v", name, s, got, want)
		}
		walk(ours.Child(n), theirs.Left[s])
		walk(ours.Child(n)+1, theirs.Right[s])
	}
	walk(0, 0)
	return compared
}

// gammaCase is how many leaves a tree keeps by gamma, from the bottom and from the top.
type gammaCase struct {
	gamma       float64
	bottom, top int
}

// TestGammaFromTheLeavesUp: the textbook's four rows and the exclusive or keep the branches that
// gain enough, whatever the splits above them gain; the numbers are those of a grown tree pruned by
// hand.
func TestGammaFromTheLeavesUp(t *testing.T) {
	one := []float64{10, 20, 25, 35}
	a, b := []float64{0, 0, 1, 1, 0}, []float64{0, 1, 0, 1, 0}
	for _, c := range []struct {
		name    string
		columns []data.NamedColumn
		y       []float64
		start   string
		want    []gammaCase
	}{
		// The root gains 133.33, the branch below it 160.17.
		{"four rows", []data.NamedColumn{{Name: "x", Values: one}}, []float64{-11, 7, 8, -8}, "0.5",
			[]gammaCase{
				{0, 3, 3}, {133, 3, 3}, {134, 3, 1}, {150, 3, 1}, {160, 3, 1}, {161, 1, 1}}},
		{"exclusive or", []data.NamedColumn{{Name: "a", Values: a}, {Name: "b", Values: b}},
			[]float64{0, 1, 1, 0, 0}, "0.5",
			[]gammaCase{{0, 4, 4}, {0.3, 4, 1}, {0.5, 4, 1}, {0.7, 1, 1}}},
	} {
		f, err := data.FromColumns(c.columns...)
		if err != nil {
			t.Fatal(err)
		}
		ds := &data.Dataset{Frame: f, Target: data.Target{Name: "y", Task: data.Regression,
			Y: [][]float64{c.y}}}
		for _, g := range c.want {
			for _, growth := range []string{"depth", "leaf"} {
				settings := []string{"trees=1", "depth=2", "leaves=0", "min_leaf=1",
					"min_child_weight=0", "l2=0",
					"base_score=" + c.start, "growth=" + growth, fmt.Sprint("gamma=", g.gamma)}
				for prune, want := range map[string]int{"bottom": g.bottom, "top": g.top} {
					m := fit(t, ds, learn.Job{}, append(settings, "gamma_prune="+prune)...)
					if got := m.Trees[0].NumLeaves(); got != want {
						t.Errorf("%s, growth=%s, gamma=%v, gamma_prune=%s: %d leaves, want %d",
							c.name, growth, g.gamma, prune, got, want)
					}
				}
			}
		}
	}
}

// TestPrunedTreesAreWhole: a model whose trees were pruned predicts the scores of the training.
// That holds for growth by leaf and by level, one output and several, all rows and samples. Without
// gamma both values of gamma_prune grow the same trees, with it other ones.
func TestPrunedTreesAreWhole(t *testing.T) {
	for _, task := range []data.Task{data.Regression, data.Multiclass} {
		ds := table(t, 600, task)
		train, valid := trainTest(ds)
		job := learn.Job{Rows: train, Valid: valid, Seed: 3}
		for i, more := range []string{"growth=leaf", "growth=depth depth=5", "multi_output=true",
			"subsample=0.5", "linear_tree=true"} {
			if testing.Short() && (i%2 == 0) != (task == data.Multiclass) {
				continue
			}
			least := 0.4
			switch {
			case task == data.Regression && more == "multi_output=true":
				continue
			case task == data.Regression:
				least = 0.02
			case more == "multi_output=true":
				least = 1.5
			}
			gamma := fmt.Sprint("gamma=", least)
			settings := append(strings.Fields(more), "trees=12", "training_metric=12",
				"early_stopping=0")
			of := func(set ...string) []*tree.Tree {
				m := fit(t, ds, job, append(settings, set...)...)
				for _, c := range summary(t, m).Curves {
					rows := train
					if c.Set == "validation" {
						rows = valid
					}
					if got, want := c.Values[len(c.Values)-1], lossOf(t, m, ds, rows); got != want {
						t.Errorf("%s, %s, %v: %v at the end of training, %v by the model", task,
							more, set, got, want)
					}
				}
				return m.Trees
			}
			if !sameTrees(of("gamma_prune=bottom"), of("gamma_prune=top")) {
				t.Errorf("%s, %s: without gamma both ways to prune should grow the same trees",
					task, more)
			}
			bottom := of(gamma, "gamma_prune=bottom")
			if sameTrees(bottom, of(gamma, "gamma_prune=top")) || sameTrees(bottom, of("gamma=0")) {
				t.Errorf("%s, %s: %s removes nothing from the bottom up", task, more, gamma)
			}
			below := false
			for _, d := range bottom {
				for n := range int32(d.Len()) {
					if d.Kind(n) == tree.Leaf || d.Stats.Gain[n] >= least {
						continue
					}
					below = true
					if d.Kind(d.Child(n)) == tree.Leaf && d.Kind(d.Child(n)+1) == tree.Leaf {
						t.Fatalf("%s, %s: a split of two leaves gains %v, less than gamma", task,
							more, d.Stats.Gain[n])
					}
				}
			}
			if !below {
				t.Errorf("%s, %s: no split of little gain stays above a branch that gains more",
					task, more)
			}
		}
	}
}

// sameTrees reports whether trees have the same splits and leaves.
func sameTrees(a, b []*tree.Tree) bool {
	return slices.EqualFunc(a, b, func(a, b *tree.Tree) bool {
		return slices.Equal(a.Nodes, b.Nodes) && slices.Equal(a.Leaf.Value, b.Leaf.Value)
	})
}

// TestExactThresholds: a row at a threshold goes right, if a training row of another node has that
// value, and a split must gain more than 1e-6, as in XGBoost.
func TestExactThresholds(t *testing.T) {
	settings := []string{"compat=xgboost-exact", "categories=native", "growth=depth", "leaves=0",
		"min_leaf=1", "min_child_weight=0",
		"l2=0", "colsample=1", "learning_rate=1", "trees=1"}
	of := func(x, y []float64) *data.Dataset {
		f, err := data.FromColumns(data.NamedColumn{Name: "side", Values: []float64{0, 0, 1, 1}},
			data.NamedColumn{Name: "x", Values: x})
		if err != nil {
			t.Fatal(err)
		}
		return &data.Dataset{Frame: f, Target: data.Target{Name: "y", Task: data.Regression,
			Y: [][]float64{y}}}
	}
	// The left node has 1 and 3, whose middle is the value of both rows on the right.
	m := fit(t, of([]float64{1, 3, 2, 2}, []float64{0, 10, 100, 100}), learn.Job{}, settings...)
	same := of([]float64{1, 2, 1, 2}, []float64{0, 0, 0, 0})
	for row, want := range []float64{0, 10, 100, 100} {
		if got := predict(t, m, same.Frame, []int32{int32(row)},
			model.Response)[0]; math.Abs(got-want) > 1e-9 {
			t.Errorf("row %d: %v, want %v", row, got, want)
		}
	}
	for size, want := range map[float64]int{1e-4: 1, 1e-2: 2} {
		m := fit(t, of([]float64{1, 1, 1, 1}, []float64{0, 0, size, size}), learn.Job{},
			settings...)
		if got := m.Trees[0].NumLeaves(); got != want {
			t.Errorf("labels 0 and %v: %d leaves, want %d", size, got, want)
		}
	}
}

// exactBins is the error of a column of too many values.
const exactBins = `column "a" has more than 299 distinct values, and compat=xgboost-exact ` +
	"splits between all of them: use gbm.Learner.Compat xgboost, or round the numbers"

// TestExactFaults: what does not go with gamma_prune=bottom or compat=xgboost-exact is refused with
// a remedy, and so is a column of more values than there are bins.
func TestExactFaults(t *testing.T) {
	ds := table(t, 300, data.Regression)
	for settings, want := range map[string]string{
		"gamma_prune=bottom growth=symmetric": "use gamma_prune=top, or " +
			"growth=depth",
		"gamma_prune=side": "want top or bottom",
		"compat=xgboost-exact": "does not go with " +
			"categories=auto: use categories=native or ordinal",
		"compat=xgboost-exact categories=native min_bin=2":         "use min_bin=1",
		"compat=xgboost-exact categories=native multi_output=true": "use multi_output=false",
		"compat=xgboost-exact categories=native extra_trees=true":  "use extra_trees=false",
		"compat=xgboost-exact categories=native growth=symmetric":  "symmetric: use growth=depth",
		"compat=xgboost-exact categories=ordinal trees=1 bins=299": exactBins,
	} {
		set := strings.Fields(settings)
		l := learner(t)
		err := l.Params().Set(set)
		if err == nil {
			_, err = tryFit(t.Context(), t, ds, learn.Job{}, set...)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", settings, err, want)
		}
	}
	fit(t, ds, learn.Job{}, "compat=xgboost-exact", "categories=ordinal", "trees=1", "bins=300")
}
