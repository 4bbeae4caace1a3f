package cart_test

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/tree"
	"github.com/coppice-ml/coppice/tree/prune"
)

// TestPruneValues: each value of prune does to the grown tree what its operation does, and the
// summary names it.
func TestPruneValues(t *testing.T) {
	ds := iris(t, "species")
	l := cart.New()
	l.Prune = "none"
	_, grown := fit(t, ds, l, learn.Job{})
	limited := func(leaves int) func(*tree.Tree) (*tree.Tree, error) {
		return func(t *tree.Tree) (*tree.Tree, error) {
			cost, err := prune.TrainingError(t)
			if err != nil {
				return nil, err
			}
			return prune.MaxLeaves(t, cost, nil, leaves)
		}
	}
	sizes := map[int]bool{}
	for _, c := range []struct {
		value, named string
		operation    func(*tree.Tree) (*tree.Tree, error)
	}{
		{"pessimistic", "pessimistic=0.25",
			func(t *tree.Tree) (*tree.Tree, error) { return prune.Pessimistic(t, 0.25) }},
		{"pessimistic=0.001", "pessimistic=0.001",
			func(t *tree.Tree) (*tree.Tree, error) { return prune.Pessimistic(t, 0.001) }},
		{"pessimistic-1987", "pessimistic-1987", prune.Pessimistic1987},
		{"minimum-error", "minimum-error", prune.MinimumError},
		{"minimum-error=20", "minimum-error=20",
			func(t *tree.Tree) (*tree.Tree, error) { return prune.MinimumErrorM(t, 20) }},
		{"minimum-error=0", "minimum-error=0",
			func(t *tree.Tree) (*tree.Tree, error) { return prune.MinimumErrorM(t, 0) }},
		{"leaves=4", "leaves=4", limited(4)},
		{"leaves=1", "leaves=1", limited(1)},
	} {
		l.Prune = c.value
		m, got := fit(t, ds, l, learn.Job{})
		want, err := c.operation(grown)
		if err != nil {
			t.Fatal(err)
		}
		sizes[got.NumLeaves()] = true
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %d leaves, the operation leaves %d", c.value, got.NumLeaves(),
				want.NumLeaves())
		}
		if s := summary(t, m); s.Prune != c.named || s.Leaves != want.NumLeaves() ||
			s.Grown != grown.NumLeaves() {
			t.Errorf("%s: summary %+v", c.value, s)
		}
	}
	if len(sizes) < 4 {
		t.Errorf("only sizes %v: the values do not differ enough to distinguish them", sizes)
	}
}

// TestLeavesOfPath: leaves= marks the step of the path that it takes.
func TestLeavesOfPath(t *testing.T) {
	ds := iris(t, "petal_width")
	l := cart.New()
	l.Prune = "leaves=7"
	m, got := fit(t, ds, l, learn.Job{})
	for k, p := range summary(t, m).Path {
		if p.Chosen != (p.Leaves == got.NumLeaves()) || p.Chosen &&
			(p.Leaves > 7 || k > 0 && summary(t, m).Path[k-1].Leaves <= 7) {
			t.Errorf("step %d: %+v, the tree has %d leaves", k, p, got.NumLeaves())
		}
	}
}

// TestPruneRefused: what no method allows is an error of the parameter, what the label forbids
// by Fit.
func TestPruneRefused(t *testing.T) {
	for value, want := range map[string]string{
		"alpha":             "alpha needs a number: alpha=PENALTY",
		"leaves":            "leaves needs a number: leaves=COUNT",
		"leaves=0":          `"0" is not a count: use an integer from 1 up`,
		"leaves=2.5":        `"2.5" is not a count: use an integer from 1 up`,
		"leaves=1e300":      `"1e300" is not a count`,
		"pessimistic=0":     `"0" is not a CF: use a number above 0, at most 0.5`,
		"pessimistic=0.6":   `"0.6" is not a CF: use a number above 0, at most 0.5`,
		"pessimistic=nan":   `"nan" is not a CF`,
		"minimum-error=-1":  `"-1" is not a value of M: use a number from 0 up`,
		"minimum-error=inf": `"inf" is not a value of M`,
		"cv=3":              `"cv=3" is not a pruning method`,
		"pessimistic-1987=": `"pessimistic-1987=" is not a pruning method`,
		"pessimistc":        `"pessimistc" is not a pruning method; want auto|cv|cv-min|alpha=PENALTY|leaves=COUNT|validation|pessimistic[=CF]|`,
	} {
		if err := cart.New().Params().Set([]string{"prune=" + value}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("prune=%s: error %v, want %s", value, err, want)
		}
	}
	ds := iris(t, "petal_width")
	for _, value := range []string{"pessimistic", "pessimistic-1987", "minimum-error=2"} {
		l := cart.New()
		l.Prune = value
		f, err := l.Prepare(context.Background(), ds.Frame, nil, nil, learn.Env{})
		if err != nil {
			t.Fatal(err)
		}
		name, _, _ := strings.Cut(value, "=")
		if _, err := f.Fit(context.Background(), &ds.Target, learn.Job{}); err == nil ||
			err.Error() != "prune="+name+" does not fit a regression label" {
			t.Errorf("prune=%s: error %v", value, err)
		}
	}
}
