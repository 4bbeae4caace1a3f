package cart_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/learn/learntest"
	"github.com/coppice-ml/coppice/tree"
)

// TestSplits: each kind of split is grown when it is requested, with the seed's random numbers, and
// pruned and predicted like any other.
func TestSplits(t *testing.T) {
	ds := iris(t, "species")
	for splits, kinds := range map[string][]tree.Kind{
		"axis":                {tree.Numeric},
		"oblique":             {tree.Numeric, tree.Oblique},
		"linear":              {tree.Numeric, tree.Oblique},
		"sphere":              {tree.Numeric, tree.Sphere},
		"oblique,sphere":      {tree.Numeric, tree.Oblique, tree.Sphere},
		" axis , linear":      {tree.Numeric, tree.Oblique},
		"axis,oblique,linear": {tree.Numeric, tree.Oblique},
	} {
		l := learntest.Made(t, cart.New(), "splits="+splits)
		l.Prune = "none"
		_, grown := fit(t, ds, l, learn.Job{Seed: 5})
		seen := map[tree.Kind]bool{}
		for n := range int32(grown.Len()) {
			k := grown.Kind(n)
			seen[k] = true
			if k == tree.Leaf && grown.Stats.Impurity[n] > 0 {
				t.Errorf("%s: leaf %d is not pure", splits, n)
			}
		}
		delete(seen, tree.Leaf)
		for _, k := range kinds {
			delete(seen, k)
		}
		if len(seen) > 0 || splits != "axis" && !hasKind(grown, kinds[1:]) {
			t.Errorf("%s: nodes %v", splits, grown.Nodes)
		}
		_, again := fit(t, ds, l, learn.Job{Seed: 5, Workers: 3})
		if !reflect.DeepEqual(again, grown) {
			t.Errorf("%s: another tree with the same seed", splits)
		}
		l.Prune = "cv"
		if _, pruned := fit(t, ds, l, learn.Job{Seed: 5}); pruned.NumLeaves() > grown.NumLeaves() {
			t.Errorf("%s: pruning made a larger tree", splits)
		}
	}
	err := cart.New().Params().Set([]string{"splits=axis,obliqe"})
	if err == nil || !strings.Contains(err.Error(), `did you mean "oblique"?`) {
		t.Errorf("error %v", err)
	}
}

func hasKind(t *tree.Tree, kinds []tree.Kind) bool {
	for n := range int32(t.Len()) {
		k := t.Kind(n)
		for _, want := range kinds {
			if k == want {
				return true
			}
		}
	}
	return false
}

// TestMtry: few columns a node give another tree for another seed.
func TestMtry(t *testing.T) {
	ds := iris(t, "species")
	l := cart.New()
	l.Mtry, l.Prune = 1, "none"
	_, a := fit(t, ds, l, learn.Job{Seed: 1})
	_, b := fit(t, ds, l, learn.Job{Seed: 5})
	if reflect.DeepEqual(a, b) {
		t.Error("two seeds sample the same columns")
	}
}
