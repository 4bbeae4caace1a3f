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

// Subtract is Rows the other way round.
func (a *AddLists) Subtract(rows []int32) {
	for _, r := range rows {
		w := a.Words[r]
		for _, p := range a.Places[a.Start[r]:a.Start[r+1]] {
			a.Cells[p] -= w
		}
	}
}

// PlacesPerLine is the number of places of a line: those of one column fill whole lines.
const PlacesPerLine = 8

// Moves states which column each line of places is of, and by how many cells the sums of a column
// are away from its places.
type Moves struct {
	Column []uint32 // by line
	By     []int32  // by column
}

// Moved is Rows for cells that have moved.
func (a *AddLists) Moved(by *Moves, rows []int32) {
	for _, r := range rows {
		w := a.Words[r]
		for _, p := range a.Places[a.Start[r]:a.Start[r+1]] {
			a.Cells[int32(p)+by.By[by.Column[p/PlacesPerLine]]] += w
		}
	}
}

// SubtractMoved is Subtract for cells that have moved.
func (a *AddLists) SubtractMoved(by *Moves, rows []int32) {
	for _, r := range rows {
		w := a.Words[r]
		for _, p := range a.Places[a.Start[r]:a.Start[r+1]] {
			a.Cells[int32(p)+by.By[by.Column[p/PlacesPerLine]]] -= w
		}
	}
}

// Count adds the number of places that some rows have of each column.
func (a *AddLists) Count(counts []int32, column []uint32, rows []int32) {
	for _, r := range rows {
		for _, p := range a.Places[a.Start[r]:a.Start[r+1]] {
			counts[column[p/PlacesPerLine]]++
		}
	}
}
