package kernel

// Block states where the cells of four columns are in a histogram: column i of them has its cells
// from At + i*Step.
type Block struct{ At, Step uint32 }

// ColumnsPerBlock is the number of columns of a Block.
const ColumnsPerBlock = 4

// EvenStep is the Step of a Block by which AddPacked is fastest, where all blocks have it and lie
// one after the other from the first cell on. All codes of a byte fit. It is an odd number of cache
// lines, since columns at distances of a power of two would compete for few places of a cache.
const EvenStep = 264

// AddPacked adds the words of some rows to a histogram. The codes of row r are the bytes from
// Codes[r*Stride], four to a block, and after the blocks codes of two bytes, the low one first:
//
//	Codes   a b c d  e f . .  gg hh   a b c d  ...     row-major, Stride 12; 2 Unused are 0
//	Cells   a's | b's | c's | d's | e's | f's | . | . | g's | h's
//	        ^ Blocks[0].At          ^ Blocks[1].At      ^ Wide[0]
//
// Byte j of block b does Cells[At + j*Step + code] += Words[r], wide code w does Cells[Wide[w] +
// code] += Words[r]. Rows, codes and cells must be in range: nothing is checked again. What is
// added to the cells of unused codes is undefined.
type AddPacked struct {
	Cells  []int64
	Blocks []Block
	Unused int // codes at the end of the last block that stand for no column, at most 3
	Wide   []uint32
	Codes  []uint8
	Stride int
	Words  []int64
}

// used returns the number of columns of the blocks.
func (a *AddPacked) used() int { return ColumnsPerBlock*len(a.Blocks) - a.Unused }

// rows is Rows in plain Go.
func (a *AddPacked) rows(rows []int32) {
	for _, r := range rows {
		w := a.Words[r]
		codes := a.Codes[int(r)*a.Stride:][:ColumnsPerBlock*len(a.Blocks)+2*len(a.Wide)]
		for i, b := range a.Blocks {
			four := codes[ColumnsPerBlock*i:][:ColumnsPerBlock]
			for j, code := range four {
				a.Cells[b.At+uint32(j)*b.Step+uint32(code)] += w
			}
		}
		wide := codes[ColumnsPerBlock*len(a.Blocks):]
		for i, at := range a.Wide {
			a.Cells[at+uint32(wide[2*i])+uint32(wide[2*i+1])<<8] += w
		}
	}
}

// AddPairs is AddPacked for pairs of float64: cell c is Cells[2c] and Cells[2c+1], to which
// Pairs[2r] and Pairs[2r+1] are added. Each cell is summed in the order of the rows.
type AddPairs struct {
	Cells  []float64
	Blocks []Block
	Wide   []uint32
	Codes  []uint8
	Stride int
	Pairs  []float64
}

// rows is Rows in plain Go.
func (a *AddPairs) rows(rows []int32) {
	for _, r := range rows {
		g, h := a.Pairs[2*r], a.Pairs[2*r+1]
		codes := a.Codes[int(r)*a.Stride:][:ColumnsPerBlock*len(a.Blocks)+2*len(a.Wide)]
		for i, b := range a.Blocks {
			four := codes[ColumnsPerBlock*i:][:ColumnsPerBlock]
			for j, code := range four {
				c := a.Cells[2*(b.At+uint32(j)*b.Step+uint32(code)):][:2]
				c[0] += g
				c[1] += h
			}
		}
		wide := codes[ColumnsPerBlock*len(a.Blocks):]
		for i, at := range a.Wide {
			c := a.Cells[2*(at+uint32(wide[2*i])+uint32(wide[2*i+1])<<8):][:2]
			c[0] += g
			c[1] += h
		}
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

// Unpack writes the high and the low halves of words as numbers; see Fix. g and h are at least as
// long.
func Unpack(g, h []float64, words []int64) {
	g, h = g[:len(words)], h[:len(words)]
	for i, w := range words {
		g[i], h[i] = float64(w>>32), float64(uint32(w))
	}
}
