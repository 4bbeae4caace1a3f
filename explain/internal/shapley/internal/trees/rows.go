package trees

import (
	"math"
	"math/bits"
	"slices"

	"github.com/coppice-ml/coppice/internal/hugepage"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/tree"
)

// Rows explains single rows by tables of trees. For a row, a bit of the number of an entry is
// whether it satisfies a player of a path, or goes to the first child of a node of a part.
//
// The values of a column of numbers become codes: how many split points of it they are above. All
// that a bit requires of such a column is that its code is in an interval. Bits of missing values
// and of categories are listed by value.
type Rows struct {
	entries kernel.Entries
	splits  []columnSplits
	missing [][]uint32 // by column of splits: bits that a missing value sets
	listed  []listed
	mixed   []mixed
	cells   int // of a score
}

// columnSplits are the split points of a column, ascending. The code of a value is its place.
type columnSplits struct {
	column int32
	split  []float64
}

// required is a child that rows must go to.
type required struct {
	*node
	child int32
}

// listed are the bits of a column of categories, a set of them by value: missing, unseen, and codes
// from 0 up.
type listed struct {
	column int32
	values int
	bits   []uint32
	words  int      // of a set
	set    []uint64 // by value; bit i is that of bits[i]
}

// mixed is a bit that depends on several columns, or on one of very many categories.
type mixed struct {
	bit      uint32
	requires []required
}

// mostListed is the largest number of values of a column of categories whose bits are listed.
const mostListed = 1 << 12

// RowScratch is the memory of Rows.Add.
type RowScratch struct {
	numbers []uint16
	codes   []uint16
	sums    []float64
}

// MostTables is how many bytes the tables of Rows may take: entries have numbers of 32 bits.
const MostTables = 8 * math.MaxInt32

// NewRows joins the tables of the games that Prepare made tables of for all leaves. cells is the
// number of cells of a score. The others are returned as rest, and those whose columns have so many
// split points that codes do not suffice.
func NewRows(games []*Game, cells int) (r *Rows, rest []*Game) {
	r = &Rows{cells: cells}
	games, rest = r.code(games)
	numbers := 0
	for _, g := range games {
		numbers += g.prepared.(*tabled).numbers()
	}
	l := layer{Rows: r, listedAt: map[int32]int{}}
	l.entries.Value = hugepage.Slice[float64](numbers)
	for _, g := range games {
		l.games = g.games
		l.lay(g.prepared.(*tabled).root, nil)
		g.prepared = nil
	}
	r.entries.Complete()
	for i := range r.listed {
		r.listed[i].list(l.requires[i])
	}
	return r, rest
}

// code finds the split points of all columns.
func (r *Rows) code(games []*Game) (coded, rest []*Game) {
	splits := map[int32][]float64{}
	for _, g := range games {
		own := map[int32][]float64{}
		_, fits := g.prepared.(*tabled)
		for n := 0; fits && n < len(g.nodes); n++ {
			if d := &g.nodes[n]; d.kind == tree.Numeric {
				own[d.column] = append(own[d.column], d.split)
			}
		}
		for column, points := range own {
			all := slices.Concat(splits[column], points)
			slices.Sort(all)
			own[column] = slices.Compact(all)
			fits = fits && len(own[column]) <= kernel.MaxCode
		}
		if !fits {
			rest = append(rest, g)
			continue
		}
		coded = append(coded, g)
		for column, points := range own {
			splits[column] = points
		}
	}
	for column, points := range splits {
		r.splits = append(r.splits, columnSplits{column, points})
	}
	slices.SortFunc(r.splits, func(a, b columnSplits) int { return int(a.column - b.column) })
	r.missing = make([][]uint32, len(r.splits))
	return coded, rest
}

// find returns the place of a column among those of numbers.
func (r *Rows) find(column int32) int {
	i, _ := slices.BinarySearchFunc(r.splits, column,
		func(s columnSplits, column int32) int { return int(s.column - column) })
	return i
}

// code returns how many split points a value is above.
func (s *columnSplits) code(x float64) uint16 {
	if x != x {
		return kernel.NoCode
	}
	low, n := 0, len(s.split)
	for n > 0 {
		half := n / 2
		if s.split[low+half] < x {
			low, n = low+half+1, n-half-1
		} else {
			n = half
		}
	}
	return uint16(low)
}

// list finds the sets of bits. requires has by bit what it depends on.
func (c *listed) list(requires [][]required) {
	c.words = (len(c.bits) + 63) / 64
	c.set = make([]uint64, c.words*c.values)
	for v := range c.values {
		set := c.set[v*c.words:][:c.words]
		for i, all := range requires {
			if satisfies(all, listedValue(v)) {
				set[i/64] |= 1 << (i % 64)
			}
		}
	}
}

// listedValue returns the value with a place in a list.
func listedValue(place int) float64 {
	if place == 0 {
		return math.NaN()
	}
	return float64(place - 2)
}

// place returns that of a value.
func (c *listed) place(x float64) int {
	switch {
	case x != x:
		return 0
	case !(x >= 0) || x >= float64(c.values-2):
		return 1
	}
	return 2 + int(x)
}

// satisfies reports whether a value goes to all the children.
func satisfies(all []required, x float64) bool {
	for _, r := range all {
		if r.next(x) != r.child {
			return false
		}
	}
	return true
}

// NewScratch returns the memory that one goroutine needs.
func (r *Rows) NewScratch(scores int) *RowScratch {
	codes := make([]uint16, max(1, len(r.splits))) // unused bits name column 0
	return &RowScratch{r.entries.Numbers(), codes, make([]float64, (r.cells*scores+7)/8*8)}
}

// Explain returns the cells of all trees, cell after cell of a score, for a row of values by
// column. They are valid until the scratch memory is used again.
func (r *Rows) Explain(s *RowScratch, row []float64) []float64 {
	for i := range r.splits {
		s.codes[i] = r.splits[i].code(row[r.splits[i].column])
	}
	r.entries.Find(s.numbers, s.codes)
	for i, bits := range r.missing {
		if s.codes[i] == kernel.NoCode {
			for _, bit := range bits {
				s.numbers[bit/16] |= 1 << (bit % 16)
			}
		}
	}
	for i := range r.listed {
		c := &r.listed[i]
		set := c.set[c.place(row[c.column])*c.words:][:c.words]
		for word, left := range set {
			for ; left != 0; left &= left - 1 {
				bit := c.bits[64*word+bits.TrailingZeros64(left)]
				s.numbers[bit/16] |= 1 << (bit % 16)
			}
		}
	}
	for i := range r.mixed {
		m := &r.mixed[i]
		met := true
		for _, n := range m.requires {
			met = met && n.next(row[n.column]) == n.child
		}
		if met {
			s.numbers[m.bit/16] |= 1 << (m.bit % 16)
		}
	}
	clear(s.sums)
	r.entries.Add(s.sums, s.numbers)
	return s.sums
}
