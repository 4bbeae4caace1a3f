package kernel

import "math/bits"

// NoCode is the code of a missing value, and MaxCode the greatest of other values. An interval from
// MaxCode+1 of width 0 holds none of them.
const (
	NoCode  = 1<<16 - 1
	MaxCode = 1<<16 - 3
)

// Entries looks up an entry of each of some tables by the codes of one row. The number of the entry
// has up to 16 bits, and each of them reports whether the code of a column is in an interval.
//
//	bit b of table i   codes[Column[16*i+b]] - Low[16*i+b] <= Width[16*i+b], in 16 bits
//
// The numbers of entry e of table i begin at Value[Tables[i].From + e*Tables[i].Stride]. They are
// added to columns of eight sums, as Steps name them.
type Entries struct {
	Column, Low, Width []uint16
	Tables             []EntryTable
	Steps              []EntryStep // of all tables, one after the other
	Value              []float64
}

// EntryTable is a table.
type EntryTable struct {
	From, Stride uint32
	Steps        uint32 // how many it has
	_            uint32
}

// EntryStep adds the next numbers of an entry to those of eight sums that Mask has bits for, in
// their order.
type EntryStep struct {
	Sums uint32 // the first of the eight, a multiple of 8
	Mask uint8
	// the number of bits in Mask
	Count uint8
	_     uint16
}

const (
	// ahead is how many tables before an entry is added its memory is fetched.
	ahead = 24
	// permuted is the largest number of columns whose codes vectors hold.
	permuted = 64
)

// Complete makes the tables ready for use. Column, Low and Width have 16 elements for each table.
func (e *Entries) Complete() {
	for len(e.Column)%32 != 0 { // vectors compare 32 codes
		e.Column, e.Low = append(e.Column, 0), append(e.Low, MaxCode+1)
		e.Width = append(e.Width, 0)
	}
	n := len(e.Tables)
	e.Tables = append(e.Tables, make([]EntryTable, ahead)...)[:n]
}

// Numbers returns memory for the numbers of entries.
func (e *Entries) Numbers() []uint16 { return make([]uint16, len(e.Column)/16+ahead) }

// findPlain is Find in plain Go: the twin of the assembly.
func (e *Entries) findPlain(numbers, codes []uint16) {
	low, width := e.Low[:len(e.Column)], e.Width[:len(e.Column)]
	for i := 0; i+16 <= len(e.Column); i += 16 {
		number := uint32(0)
		for b, c := range e.Column[i : i+16] {
			in := uint32(0)
			if codes[c]-low[i+b] <= width[i+b] {
				in = 1
			}
			number |= in << b
		}
		numbers[i/16] = uint16(number)
	}
}

// addPlain is Add in plain Go: the twin of the assembly.
func (e *Entries) addPlain(sums []float64, numbers []uint16) {
	steps := e.Steps
	for i := range e.Tables {
		t := &e.Tables[i]
		entry := e.Value[int(t.From)+int(numbers[i])*int(t.Stride):][:t.Stride]
		at := 0
		for _, s := range steps[:t.Steps] {
			to := sums[s.Sums:][:8]
			for mask := s.Mask; mask != 0; mask &= mask - 1 {
				to[bits.TrailingZeros8(mask)&7] += entry[at]
				at++
			}
		}
		steps = steps[t.Steps:]
	}
}
