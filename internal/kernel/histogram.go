package kernel

// Block says where the cells of four columns are in a histogram: column i of them has its cells from At + i*Step.
type Block struct{ At, Step uint32 }

// ColumnsPerBlock is the number of columns of a Block.
const ColumnsPerBlock = 4

// AddPacked adds the words of some rows to a histogram. The codes of row r are the bytes from Codes[r*Stride], four to a block:
//
//	Codes   a b c d  e f . .   a b c d  e f . .        row-major, Stride 8; unused ones are 0
//	Cells   a's | b's | c's | d's | e's | f's | . | .   block 0 at Blocks[0].At, block 1 at Blocks[1].At
//
// and byte j of block b does Cells[At + j*Step + code] += Words[r]. Rows, codes and cells must be in range: nothing is checked
// again.
type AddPacked struct {
	Cells  []int64
	Blocks []Block
	Codes  []uint8
	Stride int
	Words  []int64
}

// rows is Rows in plain Go.
func (a *AddPacked) rows(rows []int32) {
	for _, r := range rows {
		w := a.Words[r]
		codes := a.Codes[int(r)*a.Stride:][:ColumnsPerBlock*len(a.Blocks)]
		for i, b := range a.Blocks {
			four := codes[ColumnsPerBlock*i:][:ColumnsPerBlock]
			for j, code := range four {
				a.Cells[b.At+uint32(j)*b.Step+uint32(code)] += w
			}
		}
	}
}

// AddPairs is AddPacked for pairs of float64: cell c is Cells[2c] and Cells[2c+1], to which Pairs[2r] and Pairs[2r+1] are
// added. Each cell is summed in the order of the rows.
type AddPairs struct {
	Cells  []float64
	Blocks []Block
	Codes  []uint8
	Stride int
	Pairs  []float64
}

// rows is Rows in plain Go.
func (a *AddPairs) rows(rows []int32) {
	for _, r := range rows {
		g, h := a.Pairs[2*r], a.Pairs[2*r+1]
		codes := a.Codes[int(r)*a.Stride:][:ColumnsPerBlock*len(a.Blocks)]
		for i, b := range a.Blocks {
			four := codes[ColumnsPerBlock*i:][:ColumnsPerBlock]
			for j, code := range four {
				c := a.Cells[2*(b.At+uint32(j)*b.Step+uint32(code)):][:2]
				c[0] += g
				c[1] += h
			}
		}
	}
}

// AddCodes adds words to the cells of one column: Cells[Codes[r]] += Words[r].
func AddCodes[C uint8 | uint16](cells, words []int64, codes []C, rows []int32) {
	for _, r := range rows {
		cells[codes[r]] += words[r]
	}
}

// AddPairCodes adds pairs of float64 to the cells of one column.
func AddPairCodes[C uint8 | uint16](cells, pairs []float64, codes []C, rows []int32) {
	for _, r := range rows {
		c := cells[2*int(codes[r]):][:2]
		c[0] += pairs[2*r]
		c[1] += pairs[2*r+1]
	}
}

// Subtract takes the numbers of b from those of a. b is at least as long.
func Subtract[T int64 | float64](a, b []T) {
	b = b[:len(a)]
	for i := range a {
		a[i] -= b[i]
	}
}

// Add adds the numbers of b to those of a. b is at least as long.
func Add[T int64 | float64](a, b []T) {
	b = b[:len(a)]
	for i := range a {
		a[i] += b[i]
	}
}

// Unpack writes the high and the low halves of words as numbers; see Fix. g and h are at least as long.
func Unpack(g, h []float64, words []int64) {
	g, h = g[:len(words)], h[:len(words)]
	for i, w := range words {
		g[i], h[i] = float64(w>>32), float64(uint32(w))
	}
}
