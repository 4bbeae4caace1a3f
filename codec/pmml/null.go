package pmml

import "slices"

// null makes the leaf of rows that a tree has no prediction for. Such rows have no prediction, in a
// vote too, and the model refuses them: the last column of which they have no value, or an unseen
// category, refuses these. A file without a prediction for rows of known values is not supported.
func (g *grower) null() (int32, error) {
	for i := len(g.path) - 1; i >= 0; i-- {
		f, c := &g.facts[g.path[i]], g.columns[g.path[i]]
		listed := slices.ContainsFunc(f.codes, func(w uint64) bool { return w != 0 })
		if f.known && (!c.texts || listed) {
			continue
		}
		c.refuseMissing = c.refuseMissing || f.missing
		c.refuseUnseen = c.refuseUnseen || c.texts && (f.known || c.asMissing)
		return g.leaf(nowhere)()
	}
	return 0, unsupported("a tree without a prediction for rows of known values: null")
}
