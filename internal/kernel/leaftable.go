package kernel

import "math"

// TableLeaves is the number of leaves of a tree whose values fit into a LeafTable.
const TableLeaves = 32

// FewForTables is the number of rows up to which SumLeaves is faster than SumTables, which takes as
// long for up to 64.
const FewForTables = 32

// LeafTable has the values of the leaves of a small tree, in two halves: the low and the high ones
// of their bits.
type LeafTable [2][TableLeaves]uint32

// Permutes reports whether SumTables and AddLanePairs have vectors that hold all that they look up.
// SumLeaves and AddLanes are faster without.
func Permutes() bool { return permutes }

// NewLeafTable returns the table of values, up to TableLeaves of them.
func NewLeafTable(values []float64) (t LeafTable) {
	for i, v := range values {
		b := math.Float64bits(v)
		t[0][i], t[1][i] = uint32(b), uint32(b>>32)
	}
	return t
}

// SumTables is SumLeaves for trees whose values are in tables. It may add anything to the sums from
// rows on; there are ScanRows of them.
func SumTables(sum []float64, leaf []uint8, tables []LeafTable, rows int) {
	sum, leaf = sum[:ScanRows], leaf[:len(tables)*ScanRows]
	if rows == 0 || len(tables) == 0 || sumTablesInVectors(sum, leaf, tables, rows) {
		return
	}
	sumTablesPlain(sum, leaf, tables, rows)
}

// sumTablesPlain is the twin of the assembly.
func sumTablesPlain(sum []float64, leaf []uint8, tables []LeafTable, rows int) {
	for i := range tables {
		t := &tables[i]
		for r, number := range leaf[i*ScanRows:][:rows] {
			sum[r] += math.Float64frombits(uint64(t[1][number])<<32 | uint64(t[0][number]))
		}
	}
}
