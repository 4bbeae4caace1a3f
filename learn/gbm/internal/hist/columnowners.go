package hist

import "github.com/coppice-ml/coppice/internal/kernel"

// owners states which rank has the histograms of which columns, where several ranks grow a tree of
// one output by words. Each adds its rows to all cells, and gets the sums of its own:
//
//	rank 0   cells of a b c d --+               +--> sums of a b --> best of a, b --+
//	rank 1   cells of a b c d --+--> SumParts --+--> sums of c d --> best of c, d --+--> Gather
//
// All ranks then take the best split of all, by the rule of one process. Siblings are differences,
// on each rank of its cells. Columns that share cells have one owner, and owners have about as many
// cells. Of leaves of few rows one rank has all cells; see moves. In other trees all ranks have all
// sums.
type owners struct {
	runs  [][]run // cells of a histogram, by rank; nil: every rank has all
	cells []int   // how many they are
	rank  int
	own   []bool // by column of the matrix: whether this rank has it
	// rows of each rank from which on a batch of leaves is two portions: portionRows
	portion int

	sizes   []int // memory of share
	message []int64
	bytes   []byte
}

// run is cells that lie together.
type run struct{ at, n int }

// several reports whether columns have owners.
func (o *owners) several() bool { return o.runs != nil }

// beginOwners divides the columns of a tree of so many rows, whose layout is known.
func (g *growth) beginOwners(rows int) {
	o := &g.owners
	o.runs = nil
	if !g.ranks.several() || g.c.Policy == Symmetric || len(g.sums) > 1 || g.sums[0].double {
		return
	}
	rank, size := g.ranks.group.Rank(), g.ranks.group.Size()
	cells := o.divide(&g.tables, g.find.columns.ofTree, rank, size)
	g.moves.begin(&g.c, g.tables.m, rows, cells, size)
}

// divide divides the cells of some columns among ranks, and returns how many they are.
func (o *owners) divide(t *tables, columns []int32, own, size int) int {
	m, all, used := t.m, 0, make([]bool, len(t.m.Groups))
	for _, c := range columns {
		if g := m.Columns[c].Group; !used[g] {
			used[g] = true
			all += m.Groups[g].Codes
		}
	}
	o.rank, o.runs, o.cells = own, make([][]run, size), make([]int, size)
	o.sizes, o.own = resize(o.sizes, size), resize(o.own, len(m.Columns))
	clear(o.own)
	before := 0
	for g, is := range used {
		if !is {
			continue
		}
		n := m.Groups[g].Codes
		rank := (2*before + n) * size / (2*all + 1) // of the middle of its cells
		o.runs[rank] = append(o.runs[rank], run{int(t.lay.at[g]), n})
		o.cells[rank] += n
		before += n
		for _, c := range m.Groups[g].Columns {
			o.own[c] = rank == own
		}
	}
	return before
}

// subtract is histogram.subtract for the cells that this rank has.
func (o *owners) subtract(h, partial *histogram) {
	for _, c := range o.runs[o.rank] {
		kernel.SubtractWords(h.packed[c.at:c.at+c.n], partial.packed[c.at:c.at+c.n])
	}
}
