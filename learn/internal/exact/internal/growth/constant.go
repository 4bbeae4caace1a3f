package growth

// A column with one value in a node, or none, has no split in any node below: it is neither scanned
// nor kept in order there. Under other rules than Learned every column is kept, because the search
// for surrogates needs all of them.

// IsConstant reports whether a node is known to have one value in a column.
func (nd *Node) IsConstant(column int) bool {
	return nd.constant != nil && nd.constant[column>>6]>>(column&63)&1 == 1
}

// NoteConstants adds the columns that a scan of all found to be constant. Node and parent use one
// set until a column is added.
func (nd *Node) NoteConstants(found []Split) {
	own := false
	for i := range found {
		if !found[i].Constant || nd.IsConstant(i) {
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
