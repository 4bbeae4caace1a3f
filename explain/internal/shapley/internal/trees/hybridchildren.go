package trees

import "github.com/coppice-ml/coppice/tree"

const (
	// mostGoes limits how many children of background rows are found in advance.
	mostGoes = 1 << 22
	// goesRows is the number of rows from which this takes less time.
	goesRows = 2
)

// allGo returns the child that each row of the background goes to, node after node of a row: see
// goes. It returns nil where walks are to find it: for few rows, or if there is too much.
func (h *hybrids) allGo(rows int) []int32 {
	others, nodes := h.background.lines(), h.Len()
	if rows < goesRows || nodes*len(others) > mostGoes {
		return nil
	}
	all := make([]int32, nodes*len(others))
	for i, other := range others {
		h.goes(all[i*nodes:][:nodes], other)
	}
	return all
}

// goes writes the child that a row goes to, -1 if its value is missing, at each node that tests a
// column of one player.
func (h *hybrids) goes(dst []int32, row []float64) {
	for n := range dst {
		if column := h.tests[n]; column >= 0 {
			dst[n] = by(h.Tree, int32(n), row[column])
		}
	}
}

// gone is known for nodes whose children were found in advance.
func (c *crossing) gone(n int32) (child, needed int32) {
	own, other := c.rowGoes[n], c.otherGoes[n]
	if own == other {
		return own, -1
	}
	switch player := c.player[c.tests[n]]; c.origin[player] {
	case ofRow:
		return own, -1
	case ofOther:
		return other, -1
	default:
		return -1, player
	}
}

// by returns the child that a value of the node's own column leads to, -1 if it is missing.
func by(t *tree.Tree, n int32, x float64) int32 {
	if t.Kind(n) == tree.Numeric {
		return t.NextNumeric(n, x)
	}
	return t.NextCode(n, code(x))
}
