package pmml

import (
	"math"
	"slices"
)

// refusedNumber stands for the number of leaves without a prediction until the tree is grown. No
// node of a file has it.
const refusedNumber = math.MinInt32

// null makes the leaf of rows that a tree has no prediction for. Such rows have no prediction, in a
// vote too, and the model refuses them. Where one column alone decides, its policies refuse missing
// values and unseen categories, which all formats with policies can hold. Other rows are refused by
// the leaf that they reach.
func (g *grower) null() int32 {
	if len(g.path) == 0 {
		refuse("a tree without a prediction for any row: null")
	}
	column := g.path[0]
	if slices.ContainsFunc(g.path, func(other int32) bool { return other != column }) {
		return g.add(binary{leaf: true, node: nowhere, refused: true})
	}
	f, c := &g.facts[column], g.columns[column]
	c.refuseMissing = c.refuseMissing || f.missing && !f.invalid
	listed := slices.ContainsFunc(f.codes, func(w uint64) bool { return w != 0 })
	if c.texts {
		c.refuseUnseen = c.refuseUnseen || f.known && f.unseen || f.missing && c.asMissing
	}
	refused := f.invalid || f.known && (listed || !c.texts)
	return g.add(binary{leaf: true, node: nowhere, refused: refused, void: !refused})
}
