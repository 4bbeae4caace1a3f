package exact

// A column with one value in a node, or none, has no split in any node below: it is neither looked
// at nor kept in order there. Under other rules than Learned every column is, because surrogates
// look for themselves.

// isConstant reports whether a node is known to have one value in a column.
func (nd *node) isConstant(column int) bool {
	return nd.constant != nil && nd.constant[column>>6]>>(column&63)&1 == 1
}

// noteConstants adds the columns that a scan of all found to be constant to those that were so
// above the node, whose set is shared until it grows.
func (nd *node) noteConstants(found []split) {
	own := false
	for i := range found {
		if !found[i].constant || nd.isConstant(i) {
			continue
		}
		if !own {
			set := make([]uint64, (len(found)+63)/64)
			copy(set, nd.constant)
			nd.constant, own = set, true
		}
		nd.constant[i>>6] |= 1 << (i & 63)
	}
}
