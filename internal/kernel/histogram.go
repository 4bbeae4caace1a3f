package kernel

// AddPacked adds the words of some rows to a histogram: for each row r and each byte j of the len(At) codes that start at
// Codes[r*Stride], it does Cells[At[j]+code] += Words[r].
//
//	Codes   a b c . a b c . ...      row-major, Stride 4
//	Cells   a's cells | b's cells | c's cells       starting at At[0], At[1], At[2]
type AddPacked struct {
	Cells  []int64
	At     []uint32
	Codes  []uint8
	Stride int
	Words  []int64
}

// Rows adds some rows. They and their codes must be in range.
func (a *AddPacked) Rows(rows []int32) {
	n := len(a.At)
	for _, r := range rows {
		w := a.Words[r]
		codes := a.Codes[int(r)*a.Stride:][:n]
		for j, at := range a.At {
			a.Cells[at+uint32(codes[j])] += w
		}
	}
}

// AddPairs is AddPacked for pairs of float64: Cells[2*(At[j]+code)] += Pairs[2*r], and the same for the odd places. Each
// cell is summed in the order of the rows.
type AddPairs struct {
	Cells  []float64
	At     []uint32
	Codes  []uint8
	Stride int
	Pairs  []float64
}

// Rows adds some rows. They and their codes must be in range.
func (a *AddPairs) Rows(rows []int32) {
	n := len(a.At)
	for _, r := range rows {
		g, h := a.Pairs[2*r], a.Pairs[2*r+1]
		codes := a.Codes[int(r)*a.Stride:][:n]
		for j, at := range a.At {
			c := a.Cells[2*(at+uint32(codes[j])):][:2]
			c[0] += g
			c[1] += h
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

// Unpack writes the high and the low halves of words as numbers; see Fix. g and h are at least as long.
func Unpack(g, h []float64, words []int64) {
	g, h = g[:len(words)], h[:len(words)]
	for i, w := range words {
		g[i], h[i] = float64(w>>32), float64(uint32(w))
	}
}
