// Package trees owns what learners of trees share. Their parameters are the criterion with its
// checks of labels, the chi-squared test, and the number of columns that a node may use. Where they
// list the candidate splits of a node, it finds the rows that reach the node, what the branches of
// each candidate sum up to, and which candidate the tree has.
package trees

import (
	"fmt"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/tree"
)

// Reaching returns the population of those of the given rows that reach a node, as Reach does.
func Reaching(
	t *tree.Tree, ds *data.Dataset, node int32, rows []int32,
) (*grow.Population, error) {
	at, reached, err := Reach(t, ds, node, rows)
	if err != nil {
		return nil, err
	}
	return grow.Gather(&at.Target, reached)
}

// Reach returns those of the given rows that reach a node of a tree, in their order; nil = all. The
// data set that it returns weighs rows of which only a fraction reaches the node by that fraction.
// Rows that weigh nothing are left out. It fails for a node that the tree does not have, and if no
// row is left.
func Reach(t *tree.Tree, ds *data.Dataset, node int32, rows []int32) (*data.Dataset, []int32,
	error) {
	if node < 0 || int(node) >= t.Len() {
		return nil, nil, fmt.Errorf("there is no node %d: the tree has the nodes 0 to %d", node,
			t.Len()-1)
	}
	if rows == nil {
		rows = data.AllRows(ds.Rows())
	}
	weight := make([]float64, ds.Rows())
	whole := ds.Target.Weight == nil
	last, reached := int32(-1), 0.0
	var reach []int32
	walk := t.Over(ds.Columns)
	for _, row := range rows {
		if row != last {
			last, reached = row, 0
			walk.Visit(row, func(n int32, fraction float64, _ bool) {
				if n == node {
					reached = fraction
				}
			})
		}
		if w := ds.Target.WeightAt(row); reached > 0 && w > 0 {
			reach = append(reach, row)
			weight[row] = w * reached
			whole = whole && reached == 1
		}
	}
	if reach == nil {
		return nil, nil, fmt.Errorf("no row of the table reaches node %d", node)
	}
	at := &data.Dataset{Frame: ds.Frame, Target: ds.Target}
	if !whole {
		at.Target.Weight = weight
	}
	return at, reach, nil
}
