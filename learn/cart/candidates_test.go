package cart_test

import (
	"context"
	"math"
	"testing"

	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/tree"
)

// TestCandidates: at every inner node the best candidate of the best column is the split of the
// tree, whatever classes weigh.
func TestCandidates(t *testing.T) {
	ds := iris(t, "species")
	for _, set := range []string{"criterion=gini", "criterion=entropy",
		"class_weight=Iris-virginica=3", "min_leaf=40",
		"priors=Iris-setosa=0.6,Iris-versicolor=0.2,Iris-virginica=0.2"} {
		l := cart.New()
		l.Prune = "none"
		if err := l.Params().Set([]string{set}); err != nil {
			t.Fatal(err)
		}
		m, grown := fit(t, ds, l, learn.Job{})
		for n := range int32(grown.Len()) {
			k := grown.Kind(n)
			if k == tree.Leaf {
				continue
			}
			c, err := l.Candidates(context.Background(), m, ds, learn.TreeNode{Node: n})
			if err != nil {
				t.Fatal(err)
			}
			if c.Best != int(grown.Feature(n)) || c.Whole.Rows != int(grown.Stats.Rows[n]) ||
				math.Abs(c.Whole.Weight-grown.Stats.Weight[n]) > 1e-9 {
				t.Fatalf("%s, node %d: %d rows of weight %g, best by column %d; the tree has %g "+
					"and %d",
					set, n, c.Whole.Rows, c.Whole.Weight, c.Best, grown.Stats.Weight[n], grown.Feature(n))
			}
			for _, k := range c.Columns[c.Best] {
				if k.Best && (k.SplitPoint != grown.SplitPoint(n) ||
					math.Abs(k.Gain-grown.Stats.Gain[n]) > 1e-9) {
					t.Errorf("%s, node %d: the best split point is %g, gain %g; the tree has %g, %g", set,
						n, k.SplitPoint, k.Gain, grown.SplitPoint(n), grown.Stats.Gain[n])
				}
			}
		}
	}
	m, _ := fit(t, ds, cart.New(), learn.Job{})
	root := learn.TreeNode{}
	if _, err := (&cart.Learner{}).Candidates(context.Background(), m, ds, root); err == nil {
		t.Error("a learner without parameters lists candidates")
	}
	l := cart.New()
	l.Criterion = learn.CriterionSquaredError
	if _, err := l.Candidates(context.Background(), m, ds, root); err == nil {
		t.Error("a criterion of numbers lists candidates for classes")
	}
}
