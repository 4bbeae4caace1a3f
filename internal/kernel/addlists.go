package kernel

// AddLists adds the words of some rows to the cells that each row has a list of. Those of row r are
// Places[Start[r]:Start[r+1]], each of which is one of Cells:
//
//	for each row r, for each p of its places:  Cells[p] += Words[r]
//
// Rows and places must be in range: nothing is checked again.
type AddLists struct {
	Cells  []int64
	Start  []uint32
	Places []uint32
	Words  []int64
}

// rows is Rows in plain Go: the twin of the assembly.
func (a *AddLists) rows(rows []int32) {
	for _, r := range rows {
		w := a.Words[r]
		for _, p := range a.Places[a.Start[r]:a.Start[r+1]] {
			a.Cells[p] += w
		}
	}
}

// Pairs is Rows for pairs of float64: cell p is cells[2p] and cells[2p+1], to which pairs[2r] and
// pairs[2r+1] are added. Each cell is summed in the order of the rows.
func (a *AddLists) Pairs(cells, pairs []float64, rows []int32) {
	for _, r := range rows {
		g, h := pairs[2*r], pairs[2*r+1]
		for _, p := range a.Places[a.Start[r]:a.Start[r+1]] {
			c := cells[2*p:][:2]
			c[0] += g
			c[1] += h
		}
	}
}
