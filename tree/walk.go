package tree

import "github.com/coppice-ml/coppice/data"

// NextRow returns the child of inner node n that a row of a table goes to. The columns are those of the tree's own
// schema, with its dictionaries.
func (t *Tree) NextRow(n int32, columns []data.Column, row int32) int32 {
	c := &columns[t.Feature[n]]
	if t.Kind[n] == Cut {
		return t.NextNumeric(n, c.Num[row])
	}
	if code := c.Code[row]; code != data.MissingCode {
		return t.NextCode(n, code)
	}
	return t.NextMissing(n)
}

// LeafOf returns the leaf that a row of a table reaches.
func (t *Tree) LeafOf(columns []data.Column, row int32) int32 {
	n := int32(0)
	for t.Kind[n] != Leaf {
		n = t.NextRow(n, columns, row)
	}
	return n
}
