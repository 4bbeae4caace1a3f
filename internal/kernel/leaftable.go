package kernel

import "math"

// TableLeaves is the largest number of leaves of a tree whose values fit into LeafTables.
const TableLeaves = 64

// FewForTables is the number of rows up to which SumLeaves is faster than SumTables, which takes as
// long for up to 64.
const FewForTables = 32

// LeafTables has the values of the leaves of small trees, in parts of their bits: for up to 32
// leaves in halves, else in quarters. The lowest parts of all leaves of a tree come first.
type LeafTables struct {
	leaves int // 32 or 64, for all trees
	words  []uint16
}

// wordOf returns the place of a quarter of a value in the table of a tree.
func wordOf(leaves, quarter, leaf int) int {
	if leaves == 32 {
		return 64*(quarter/2) + 2*leaf + quarter%2
	}
	return leaves*quarter + leaf
}

// NewLeafTables returns empty tables of trees that have up to as many leaves.
func NewLeafTables(trees, leaves int) *LeafTables {
	if leaves > TableLeaves {
		panic("kernel: leaves do not fit into tables")
	}
	capacity := 32
	if leaves > capacity {
		capacity = TableLeaves
	}
	return &LeafTables{capacity, make([]uint16, 4*capacity*trees)}
}

// Set makes the table of a tree, of its values.
func (t *LeafTables) Set(tree int, values []float64) {
	own := t.words[4*t.leaves*tree:][:4*t.leaves]
	for i, v := range values {
		for quarter := range 4 {
			own[wordOf(t.leaves, quarter, i)] = uint16(math.Float64bits(v) >> (16 * quarter))
		}
	}
}

// SumTables is SumLeaves for some trees whose values are in tables, from one up to another. It may
// add anything to the sums from rows on; there are ScanRows of them.
func SumTables(sum []float64, leaf []uint8, tables *LeafTables, from, to, rows int) {
	sum, leaf = sum[:ScanRows], leaf[:(to-from)*ScanRows]
	words := tables.words[4*tables.leaves*from : 4*tables.leaves*to]
	if rows == 0 || len(words) == 0 || sumTablesInVectors(sum, leaf, words, tables.leaves, rows) {
		return
	}
	sumTablesPlain(sum, leaf, words, tables.leaves, rows)
}

// sumTablesPlain is the twin of the assembly.
func sumTablesPlain(sum []float64, leaf []uint8, words []uint16, leaves, rows int) {
	for ; len(words) > 0; words, leaf = words[4*leaves:], leaf[ScanRows:] {
		for r, number := range leaf[:rows] {
			bits := uint64(0)
			for quarter := range 4 {
				bits |= uint64(words[wordOf(leaves, quarter, int(number))]) << (16 * quarter)
			}
			sum[r] += math.Float64frombits(bits)
		}
	}
}
