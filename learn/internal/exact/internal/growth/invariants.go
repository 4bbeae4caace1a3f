package growth

import (
	"math"
	"slices"

	"github.com/coppice-ml/coppice/internal/invariant"
	"github.com/coppice-ml/coppice/tree"
)

// checkChildren: children have the rows of their node, each in ascending order, and weigh what it
// weighs. Rows that are divided are in several children, and rows may stop at the node.
func (g *Growth) checkChildren(nd *Node, children []*Node) {
	rows, count, weight := 0, 0, 0.0
	for _, c := range children {
		invariant.Check(slices.IsSorted(c.Rows), "rows of a child do not ascend")
		rows += len(c.Rows)
		if len(c.Rows) > 0 {
			count += c.Count
			weight += c.Weight
		}
	}
	if nd.Fraction != nil || g.Fraction != nil || g.rule.Node() == tree.MissingStop {
		return
	}
	invariant.Check(rows == len(nd.Rows), "children have %d rows of %d", rows, len(nd.Rows))
	invariant.Check(count == nd.Count, "children count %d rows of %d", count, nd.Count)
	invariant.Check(math.Abs(weight-nd.Weight) <= 1e-9*nd.Weight, "children weigh %v of %v", weight,
		nd.Weight)
}
