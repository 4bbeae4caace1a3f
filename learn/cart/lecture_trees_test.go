package cart_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/tree"
)

// outline writes a tree in preorder, one line a node: split or "leaf", rows, impurity, and for
// regression the mean.
func (c *frozenCase) outline(ours *tree.Tree) string {
	var b strings.Builder
	var write func(n int32, depth int)
	write = func(n int32, depth int) {
		what := "leaf"
		if ours.Kind(n) == tree.Numeric {
			what = fmt.Sprintf("%s <= %.6g", c.Features[ours.Feature(n)], ours.SplitPoint(n))
		}
		fmt.Fprintf(&b, "%s%s: %d, %.6g", strings.Repeat("  ", depth), what, ours.Stats.Rows[n],
			ours.Stats.Impurity[n])
		if c.Classes == nil {
			fmt.Fprintf(&b, ", %.6g", ours.Value(n)[0])
		}
		b.WriteByte('\n')
		for k := range ours.Arity(n) {
			write(ours.Child(n)+k, depth+1)
		}
	}
	write(0, 0)
	return b.String()
}

// TestLectureTrees shows the trees that lectures draw of iris and fish, node by node, with their
// training accuracy or R2. The same trees are compared with scikit-learn's to nine digits; where
// several splits are equally good (the root of iris) ours is the one of the lowest feature.
func TestLectureTrees(t *testing.T) {
	cases := map[string]*frozenCase{}
	for _, c := range frozenCases(t) {
		cases[c.Name] = &c
	}
	for _, want := range []struct {
		name  string
		score float64
		tree  string
	}{
		{"iris gini", 1, `
petal_length <= 2.45: 150, 0.666667
  leaf: 50, 0
  petal_width <= 1.75: 100, 0.5
    petal_length <= 4.95: 54, 0.168038
      petal_width <= 1.65: 48, 0.0407986
        leaf: 47, 0
        leaf: 1, 0
      petal_width <= 1.55: 6, 0.444444
        leaf: 3, 0
        sepal_length <= 6.95: 3, 0.444444
          leaf: 2, 0
          leaf: 1, 0
    petal_length <= 4.85: 46, 0.0425331
      sepal_length <= 5.95: 3, 0.444444
        leaf: 1, 0
        leaf: 2, 0
      leaf: 43, 0
`},
		{"iris gini min_impurity_decrease=0.1", 0.96, `
petal_length <= 2.45: 150, 0.666667
  leaf: 50, 0
  petal_width <= 1.75: 100, 0.5
    leaf: 54, 0.168038
    leaf: 46, 0.0425331
`},
		{"fish gini max_depth=1", 0.540881, `
Height <= 12.637: 159, 0.786282
  leaf: 127, 0.746853
  leaf: 32, 0.0605469
`},
		{"fish gini max_depth=2", 0.628931, `
Height <= 12.637: 159, 0.786282
  Height <= 3.2301: 127, 0.746853
    leaf: 15, 0.124444
    leaf: 112, 0.69882
  Weight <= 1050: 32, 0.0605469
    leaf: 31, 0
    leaf: 1, 0
`},
		{"fish gini max_depth=3", 0.685535, `
Height <= 12.637: 159, 0.786282
  Height <= 3.2301: 127, 0.746853
    Weight <= 6.3: 15, 0.124444
      leaf: 1, 0
      leaf: 14, 0
    Length1 <= 41.55: 112, 0.69882
      leaf: 104, 0.669933
      leaf: 8, 0
  Weight <= 1050: 32, 0.0605469
    leaf: 31, 0
    leaf: 1, 0
`},
		{"fish-weight squared_error max_depth=1", 0.708061, `
Width <= 5.15405: 159, 127343, 398.326
  leaf: 109, 22832.7, 194.953
  leaf: 50, 68445.3, 841.68
`},
		{"fish-weight squared_error max_depth=2", 0.891568, `
Width <= 5.15405: 159, 127343, 398.326
  Length3 <= 27.95: 109, 22832.7, 194.953
    leaf: 69, 3920.21, 98.2304
    leaf: 40, 11480.9, 361.8
  Length1 <= 50.15: 50, 68445.3, 841.68
    leaf: 46, 29758.1, 783.348
    leaf: 4, 24218.8, 1512.5
`},
		{"fish-weight squared_error max_depth=3", 0.961722, `
Width <= 5.15405: 159, 127343, 398.326
  Length3 <= 27.95: 109, 22832.7, 194.953
    Length3 <= 21.25: 69, 3920.21, 98.2304
      leaf: 30, 1006.5, 39.1967
      leaf: 39, 1418.64, 143.641
    Length3 <= 34.9: 40, 11480.9, 361.8
      leaf: 22, 3451.24, 293.591
      leaf: 18, 8658.58, 445.167
  Length1 <= 50.15: 50, 68445.3, 841.68
    Length3 <= 41.55: 46, 29758.1, 783.348
      leaf: 27, 11743.8, 664.963
      leaf: 19, 7139.61, 951.579
    Length1 <= 54: 4, 24218.8, 1512.5
      leaf: 1, 0, 1250
      leaf: 3, 1666.67, 1600
`},
	} {
		t.Run(want.name, func(t *testing.T) {
			run := cases[want.name].compare(t)
			if got := "\n" + run.outline(run.ours); got != want.tree {
				t.Errorf("got:%s\nwant:%s", got, want.tree)
			}
			run.checkScore()
			if math.Abs(run.Score-want.score) > 1e-6 {
				t.Errorf("training score %v, want %v", run.Score, want.score)
			}
		})
	}
}
