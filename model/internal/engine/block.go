package engine

import (
	"math"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/tree"
)

// TileRows is the number of rows of a tile of a Block.
const TileRows = kernel.TileRows

// Block is a table of rows that go down the trees together. It is filled through Column and then
// read by Raw or Leaves. One goroutine uses it at a time, for one filling after the other.
//
// Its values lie in tiles, as in kernel.Descent; where rows go down in lists, column by column.
// Columns with missing values have a second copy behind all of that, unless there are ranks, which
// have their own.
type Block struct {
	p       *Program
	rows    int
	x       []float64      // twice size once some value was missing
	size    int            // values in all tiles
	stride  int            // from a column to the next
	gaps    []bool         // rows with a missing value
	gapped  bool           // there are such rows
	missing []bool         // columns with a missing value; of blocks with ranks
	place   []int32        // by feature: where its column is in a tile
	down    kernel.Descent // what all trees have in common
	floats  *kernel.Floats // nil: the kernel has no use for it
	ranks   *kernel.Ranks  // of this filling; nil: the kernel has no use for them
	ranked  *kernel.Ranks  // of some filling, to be used again
	team    []*walker      // at least one, unless all trees are compiled
	scanner *scanner       // nil: the trees are used in place
}

// BlockRows returns the number of rows that blocks should hold: so many that a tree which has come
// to a processor's cache serves many rows, and so few that their values stay near too. That is when
// these take about four times the memory of a tree.
func (p *Program) BlockRows() int {
	const node, value = 16, 8 // bytes
	if p.layout() != nil {
		rows := (1 << 18) / (value * max(1, len(p.columns)))
		return min(max(rows, kernel.ScanRows), 4*kernel.ScanRows) &^ (kernel.ScanRows - 1)
	}
	nodes := 0
	for i := range p.plans {
		nodes += len(p.plans[i].nodes)
	}
	bytes, most := min(max(4*node*nodes/max(1, len(p.plans)), 1<<18), 1<<21), 8192
	if p.lists() {
		bytes, most = 1<<21, 1<<14 // the more rows, the longer the lists that are divided
	}
	row := value * max(1, len(p.columns))
	rows := max(bytes/row, min(512, 1<<24/row)) // wide rows are worth some more memory
	return min(max(rows&^(TileRows-1), TileRows), most)
}

// NewBlock returns a block for up to some rows, at most 1<<16.
func (p *Program) NewBlock(rows int) *Block {
	b := &Block{p: p, gaps: make([]bool, rows), place: make([]int32, len(p.place))}
	tiles := (rows + TileRows - 1) / TileRows
	if l := p.layout(); l != nil {
		b.scanner = newScanner(p, l)
		b.stride, b.down.Tile = TileRows*tiles+separate, TileRows
		b.makeValues()
		if l.walks {
			b.team = []*walker{b.newWalker()}
		}
		return b
	}
	b.Team(1)
	b.stride, b.down.Tile = TileRows, TileRows*len(p.columns)
	if p.widths != nil || p.ranks(rows) {
		b.stride, b.down.Tile = TileRows*tiles+separate, TileRows
	}
	if b.makeValues(); len(p.place) > maxPlaces {
		return b
	}
	if kernel.UsesFloats() && p.widths == nil && b.stride == TileRows &&
		2*len(p.columns) <= kernel.MaxPlaces && rows*len(p.plans) >= worthFloats &&
		// in fewer trees rows would not make up for the copy of their values
		4*len(p.plans) >= len(p.columns) {
		b.floats = kernel.NewFloats(len(p.place))
	}
	return b
}

// makeValues allocates memory for the values of the rows, and finds the places of columns.
func (b *Block) makeValues() {
	p := b.p
	tiles := (len(b.gaps) + TileRows - 1) / TileRows
	b.size = max(tiles*b.down.Tile, b.stride*len(p.columns))
	b.x = make([]float64, b.size)
	for f, k := range p.place {
		b.place[f] = max(0, k) * int32(b.stride)
	}
	if len(p.place) > maxPlaces {
		return
	}
	b.down.Place = make([]uint32, 16*len(p.place))
	for i := range b.down.Place {
		b.down.Place[i] = uint32(b.place[i/16])
	}
}

// listedNodes is the number of nodes up to which trees without sets are small enough for lists.
const listedNodes = 1 << 10

// lists reports whether lists of rows are what trees are for: those with sets are, and others where
// rows cannot go down in vectors.
func (p *Program) lists() bool {
	return p.widths != nil || p.rankable && kernel.UsesRanks() && !kernel.UsesFloats() &&
		p.nodes <= listedNodes*len(p.plans) && len(p.plans) >= 4*len(p.columns)
}

// ranks reports whether blocks of so many rows have ranks. Where there are few trees for all
// columns, or fewer rows than a tree has nodes, they would not make up for the work.
func (p *Program) ranks(rows int) bool {
	return p.lists() && kernel.UsesRanks() && p.rankable && rows <= kernel.MaxRanked &&
		rows*len(p.plans) >= p.nodes &&
		rows*len(p.plans) >= worthFloats && len(p.plans) >= 4*len(p.columns)
}

// rank makes the ranks, for nodes that send missing values to the first child other ones than for
// others.
func (b *Block) rank() {
	p, k := b.p, b.ranks
	copies := 0
	for c := range p.columns {
		if b.missing[c] && (p.widths == nil || p.widths[p.columns[c]] == 0) {
			copies++
		}
	}
	k.Resize(b.rows, len(p.columns)+copies)
	at := len(p.columns)
	for c, f := range p.columns {
		x := b.x[c*b.stride:][:b.rows]
		for rule := range 16 {
			k.Place(int(f), rule, c)
		}
		if p.widths != nil && p.widths[f] > 0 {
			k.PutCodes(c, x)
			continue
		}
		k.PutNumbers(int(f), c, x)
		if b.missing[c] {
			k.CopyNumbers(at, c)
			k.Place(int(f), int(tree.MissingFirst), at)
			at++
		}
	}
	k.Seal()
}

// stride is the distance, in values, of columns that lie one after the other: where all began at
// multiples of a power of two, they would come to the same places of a cache.
const separate = 24

// worthFloats is the number of rows times trees from which on it is worth having values in single
// precision too.
const worthFloats = 1 << 13

// narrow fills in the values in single precision: those of columns with missing values twice, as in
// x.
func (b *Block) narrow() {
	columns := b.p.columns
	copies := 0
	for _, f := range columns {
		if int(b.down.Place[16*f]) >= b.size {
			copies++
		}
	}
	b.floats.Resize(b.rows, len(columns)+copies)
	at := len(columns)
	for k, f := range columns {
		for rule := range 16 {
			b.floats.Place(int(f), rule, k)
		}
		twice := int(b.down.Place[16*f]) >= b.size
		if twice {
			b.floats.Place(int(f), int(tree.MissingFirst), at)
		}
		for tile := 0; tile*TileRows < b.rows; tile++ {
			values := b.Column(k, tile)
			b.floats.Put(k, tile*TileRows, values)
			if twice {
				b.floats.Put(at, tile*TileRows,
					b.x[b.size+tile*b.down.Tile+k*b.stride:][:len(values)])
			}
		}
		if twice {
			at++
		}
	}
}

// makeCodes allocates memory for codes.
func (b *Block) makeCodes() {
	c, n := &b.down.Codes, int32(0)
	c.Width, c.First = b.p.widths, make([]int32, len(b.p.widths))
	if f := b.p.folds(); f != nil {
		c.Width = f.widths
	}
	for f, width := range c.Width {
		if width > kernel.MaxWidth {
			return
		}
		if c.First[f] = n; width > 0 {
			n += int32(len(b.gaps) + 4*separate)
		}
	}
	c.Code = make([]uint16, n)
}

// code makes the codes of a feature, whose values begin at from.
func (b *Block) code(f int32, from int) {
	c := &b.down.Codes
	if c.Code == nil || c.Width[f] == 0 {
		return
	}
	to, width := c.Code[c.First[f]:][:b.rows], c.Width[f]
	for i, x := range b.x[from:][:b.rows] {
		to[i] = kernel.CodeOf(x, width)
	}
}

// Resize sets the number of rows to fill in, up to those of NewBlock.
func (b *Block) Resize(rows int) { b.rows = rows }

// Rows returns the number of rows.
func (b *Block) Rows() int { return b.rows }

// ScratchSize returns the largest number of rows.
func (b *Block) ScratchSize() int { return len(b.gaps) }

// Column returns the place for the values of a column, by its position in Program.Columns, of the
// rows of a tile: those from tile*TileRows on. Values are as in Program.Raw.
func (b *Block) Column(column, tile int) []float64 {
	return b.x[tile*b.down.Tile+column*b.stride:][:min(TileRows, b.rows-tile*TileRows)]
}

// row returns where the plain walk finds the values of row r.
func (b *Block) row(r int) row { return row{b.x[r/TileRows*b.down.Tile+r%TileRows:], b.place} }

// seal finds the missing values, and makes the second copies of their columns. It comes after the
// last value and before the first walk. The kernel sends NaN to the last child, so nodes that send
// it to the first read a second copy, which has -Inf in its place; a column without NaN needs none,
// and both kinds of nodes read the first.
func (b *Block) seal() {
	b.begin()
	b.gapped = false
	clear(b.gaps[:b.rows])
	folds := b.p.folds()
	for k, f := range b.p.columns {
		missing := false
		for tile := 0; tile*TileRows < b.rows; tile++ {
			for i, x := range b.Column(k, tile) {
				if math.IsNaN(x) {
					missing, b.gaps[tile*TileRows+i] = true, true
				}
			}
		}
		b.gapped = b.gapped || missing
		if b.ranks != nil {
			b.missing[k] = missing
			continue
		}
		first := k * b.stride
		if folds != nil && folds.columns[f].held != nil {
			b.double()
			for i, level := range b.x[first:][:b.rows] {
				b.x[b.size+first+i] = folds.columns[f].number(level)
			}
			first += b.size
			for rule := range 16 {
				b.down.Place[16*int(f)+rule] = uint32(first)
			}
			b.code(f, first)
			continue
		}
		b.code(f, first)
		if b.down.Place == nil {
			continue
		}
		if missing {
			b.copyColumn(k)
			first += b.size
		}
		b.down.Place[16*f] = uint32(first)
	}
	if b.ranks != nil {
		b.rank()
	}
	if b.floats != nil {
		b.narrow()
	}
}

// begin allocates memory for ranks, or for codes, of trees with sets.
func (b *Block) begin() {
	b.ranks = nil
	switch {
	case b.scanner == nil && b.down.Tile == TileRows && b.p.ranks(b.rows):
		if b.ranked == nil {
			b.ranked, b.missing = kernel.NewRanks(len(b.p.place)), make([]bool, len(b.p.columns))
		}
		b.ranks = b.ranked
	case b.p.widths != nil && b.down.Codes.Width == nil:
		b.makeCodes()
	}
}

// copyColumn makes the second copy of a column, for nodes that send missing values to the first
// child.
func (b *Block) copyColumn(k int) {
	b.double()
	for tile := 0; tile*TileRows < b.rows; tile++ {
		to := b.x[b.size+tile*b.down.Tile+k*b.stride:]
		for i, x := range b.Column(k, tile) {
			if math.IsNaN(x) {
				x = math.Inf(-1)
			}
			to[i] = x
		}
	}
}

// double allocates memory for the second copies.
func (b *Block) double() {
	if len(b.x) == b.size {
		b.x = append(b.x, make([]float64, b.size)...)
	}
}

// Raw writes the combined value of every output for each row, row after row, as Program.Raw does.
func (b *Block) Raw(dst []float64) {
	p := b.p
	dst = dst[:b.rows*p.outputs]
	if b.scanner != nil {
		b.scanner.raw(dst, b, p.layout())
		return
	}
	b.seal()
	p.begin(dst)
	b.march(true, func(t int, ends []int32) { b.accumulate(dst, t, ends, 0) })
	p.end(dst)
}

// accumulate adds what tree t predicts of each row to its outputs. ends are what descend has found
// of the rows from first on.
func (b *Block) accumulate(dst []float64, t int, ends []int32, first int) {
	outputs, scale := b.p.outputs, b.p.scale[t]
	b.accumulateEnds(dst[first*outputs:], t, ends, first)
	p := &b.p.plans[t]
	b.others(t, first, len(ends), func(r int, values row) {
		p.add(dst[r*outputs:(r+1)*outputs], scale, values)
	})
}

// accumulateEnds is accumulate for the rows from first on that have an end.
func (b *Block) accumulateEnds(dst []float64, t int, ends []int32, first int) {
	p, scale := &b.p.plans[t], b.p.scale[t]
	if p.Leaf.Linear == nil {
		p.accumulateAll(dst, ends, b.p.outputs, scale)
	} else {
		p.accumulateEstimates(dst, b, ends, first, scale)
	}
}

// Leaves writes the number of the leaf reached in each tree for each row, row after row, as
// Program.Leaves does.
func (b *Block) Leaves(dst []float64) {
	n := len(b.p.plans)
	dst = dst[:b.rows*n]
	if b.scanner != nil {
		b.scanner.leaves(dst, b, b.p.layout())
		return
	}
	b.seal()
	b.march(false, func(t int, ends []int32) { b.write(dst, t, ends, 0) })
}

// write writes the numbers of leaves in tree t. ends are what descend has found of the rows from
// first on.
func (b *Block) write(dst []float64, t int, ends []int32, first int) {
	n := len(b.p.plans)
	for r, end := range ends {
		dst[(first+r)*n+t] = float64(end)
	}
	b.others(t, first, len(ends), func(r int, values row) {
		dst[r*n+t] = float64(b.p.plans[t].leaf(0, values))
	})
}

// plain reports whether row r has the plain walk in a tree.
func (b *Block) plain(p *plan, r int) bool {
	return p.way == plainly || p.way == withoutMissing && b.gaps[r]
}

// others calls f for those of n rows from first on that the plain walk is for in tree t.
func (b *Block) others(t, first, n int, f func(r int, values row)) {
	p := &b.p.plans[t]
	if p.way == fast || p.way == withoutMissing && !b.gapped {
		return
	}
	for r := first; r < first+n; r++ {
		if b.plain(p, r) {
			f(r, b.row(r))
		}
	}
}
