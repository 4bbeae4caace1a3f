package cart_test

import (
	"context"
	"math"
	"testing"

	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/cart"
)

// TestCandidates: at the root the best candidate of the best column is the split of the tree, class weights included.
func TestCandidates(t *testing.T) {
	ds := iris(t, "species")
	for _, set := range []string{"criterion=gini", "criterion=entropy", "class_weight=Iris-virginica=3", "min_leaf=40"} {
		l := cart.New()
		l.Prune = "none"
		if err := l.Params().Set([]string{set}); err != nil {
			t.Fatal(err)
		}
		c, err := l.Candidates(context.Background(), ds, nil)
		if err != nil {
			t.Fatal(err)
		}
		_, grown := fit(t, ds, l, learn.Job{})
		if c.Best != int(grown.Feature[0]) || c.Rows != 150 || c.Weight != grown.Stats.Weight[0] {
			t.Fatalf("%s: %d rows of weight %g, best by column %d; the tree splits by %d", set, c.Rows, c.Weight, c.Best, grown.Feature[0])
		}
		for _, k := range c.Columns[c.Best] {
			if k.Best && (k.Cut != grown.Cut[0] || math.Abs(k.Gain-grown.Stats.Gain[0]) > 1e-9) {
				t.Errorf("%s: the best cut is %g, gain %g; the tree has %g, %g", set, k.Cut, k.Gain, grown.Cut[0], grown.Stats.Gain[0])
			}
		}
	}
	if _, err := (&cart.Learner{}).Candidates(context.Background(), ds, nil); err == nil {
		t.Error("a learner without parameters lists candidates")
	}
	l := cart.New()
	l.Criterion = "squared_error"
	if _, err := l.Candidates(context.Background(), ds, nil); err == nil {
		t.Error("a criterion of numbers lists candidates for classes")
	}
}
