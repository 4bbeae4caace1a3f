package cart_test

import (
	"fmt"
	"testing"

	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/model"
)

// TestPathsEqualScikitLearn grows the frozen trees that have a pruning path and no unresolved tie,
// so that ours are the same trees: with prune_by=impurity all steps must agree, and a penalty
// between two steps must leave the tree of the lower.
func TestPathsEqualScikitLearn(t *testing.T) {
	steps, paths := 0, 0
	for _, c := range frozenCases(t) {
		if len(c.Path.Alpha) == 0 {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			run := c.compare(t)
			if run.ties > 0 {
				t.Logf("%d ties: the paths may differ", run.ties)
				return
			}
			steps += run.checkPath()
			paths++
		})
	}
	t.Logf("%d steps of %d paths equal", steps, paths)
	if paths < 2 || steps < 14 { // those of the iris trees, whose data are shipped
		t.Errorf("only %d steps of %d paths were compared", steps, paths)
	}
}

// checkPath compares the whole path of our tree with the frozen one and returns the number of
// steps.
func (c *comparison) checkPath() int {
	c.t.Helper()
	_, found := c.pruned("alpha=0")
	root := c.Tree.Impurity[0]
	const ulps = 64.0 / (1 << 52)
	k := 0
	for i, leaves := range c.Path.Leaves {
		if leaves == nil {
			continue
		}
		if k == len(found.Path) {
			c.t.Fatalf("%d steps; the next should have alpha %v and %d leaves", k, c.Path.Alpha[i],
				*leaves)
		}
		s := found.Path[k]
		if !near(s.Alpha, c.Path.Alpha[i], ulps*root) || s.Leaves != *leaves ||
			!near(s.Cost, c.Path.Impurity[i], ulps*root) {
			c.t.Fatalf("step %d: alpha %v, %d leaves, cost %v, want %v, %d, %v", k, s.Alpha,
				s.Leaves, s.Cost, c.Path.Alpha[i],
				*leaves, c.Path.Impurity[i])
		}
		k++
	}
	if k != len(found.Path) {
		c.t.Errorf("%d steps, want %d", len(found.Path), k)
	}
	for _, k := range []int{0, k / 2, k - 2} {
		lower, upper := found.Path[k], found.Path[k+1]
		m, _ := c.pruned(fmt.Sprintf("alpha=%g", (lower.Alpha+upper.Alpha)/2))
		if got := m.Trees[0].NumLeaves(); got != lower.Leaves {
			c.t.Errorf("a penalty between steps %d and %d leaves %d leaves, want %d", k, k+1, got,
				lower.Leaves)
		}
	}
	return k
}

// pruned grows the tree of the case and prunes it by impurity.
func (c *comparison) pruned(how string) (*model.Ensemble, cart.Summary) {
	c.t.Helper()
	l := c.learner(c.t)
	l.Prune, l.PruneBy = how, cart.PruneByImpurity
	train, _ := c.trainingRows()
	fitter, err := l.Prepare(c.t.Context(), c.frame, train, c.target.Weight, learn.Env{})
	if err != nil {
		c.t.Fatal(err)
	}
	m, err := fitter.Fit(c.t.Context(), c.target, learn.Job{})
	if err != nil {
		c.t.Fatal(err)
	}
	return m.(*model.Ensemble), summary(c.t, m)
}
