package kernel

// PartitionBySplitPoint writes the rows whose value is not above a split point to the beginning of
// a list. The others go to its end, in reverse. It returns how many the former are. Rows without a
// value go with the former if missingFirst is set. Values has one for each row: nothing is checked
// again.
func PartitionBySplitPoint(
	to, rows []int32, values []float64, splitPoint float64, missingFirst bool,
) int {
	n, done := partitionBySplitPointInVectors(to, rows, values, splitPoint, missingFirst)
	return n + partitionRows(to[n:], rows[done:], values, splitPoint, missingFirst)
}

// partitionRows is PartitionBySplitPoint in plain Go: the twin of the assembly. Each row is written
// to both ends, of which one moves on.
func partitionRows(to, rows []int32, values []float64, splitPoint float64, missingFirst bool) int {
	to = to[:len(rows)]
	missing := one(missingFirst)
	n := int32(0)
	for i, r := range rows {
		x := values[r]
		to[n] = r
		to[len(rows)-1-i+int(n)] = r
		first := one(x <= splitPoint)
		if x != x {
			first = missing
		}
		n += first
	}
	return int(n)
}

// Sides are the codes of rows that go to the first child, a bit each: bit 0 is that of an unseen
// code, 1 that of a missing one, 2 + c that of code c; the last is that of all beyond.
type Sides [2]uint64

// The codes of package data for missing values and unseen categories come before code 0 by these
// steps.
const (
	sideShift = 2
	lastSide  = 127
)

// PartitionBySet is PartitionBySplitPoint by the sides of codes.
func PartitionBySet(to, rows []int32, codes []uint32, sides *Sides) int {
	n, done := partitionBySetInVectors(to, rows, codes, sides)
	return n + partitionRowsBySet(to[n:], rows[done:], codes, sides)
}

// partitionRowsBySet is PartitionBySet in plain Go.
func partitionRowsBySet(to, rows []int32, codes []uint32, sides *Sides) int {
	to = to[:len(rows)]
	n := 0
	for i, r := range rows {
		to[n] = r
		to[len(rows)-1-i+n] = r
		c := min(codes[r]+sideShift, lastSide)
		n += int(sides[c>>6] >> (c & 63) & 1)
	}
	return n
}
