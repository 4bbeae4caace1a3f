//go:build amd64 && !purego

package kernel

// partitionBySplitPointInVectors is PartitionBySplitPoint for the rows up to done; n of these go
// first.
func partitionBySplitPointInVectors(
	to, rows []int32, values []float64, splitPoint float64, missingFirst bool,
) (n, done int) {
	if done = inVectors(len(rows)); done == 0 {
		return 0, 0
	}
	missing := uint64(0)
	if missingFirst {
		missing = 1<<64 - 1
	}
	return vectorsOfRows(&to[0], &rows[0], len(rows), &values[0], splitPoint, missing, &order), done
}

// order is packing by rows: which of eight makes each place of a vector.
var order = newOrder()

func newOrder() (o [256][8]uint8) {
	for m := range o {
		for i := range o[m] {
			o[m][i] = packing[m][2*i] / 2
		}
	}
	return o
}

// vectorsOfRows partitions the rows up to inVectors(n) of a list of n, and returns how many of them
// go first. missing is all ones if those without a value do.
//
//go:noescape
func vectorsOfRows(to, rows *int32, n int, values *float64, splitPoint float64, missing uint64,
	order *[256][8]uint8) int

// partitionBySetInVectors is PartitionBySet for the rows up to done; n of these go first.
func partitionBySetInVectors(to, rows []int32, codes []uint32, sides *Sides) (n, done int) {
	if done = inVectors(len(rows)); done == 0 {
		return 0, 0
	}
	return vectorsOfCodes(&to[0], &rows[0], len(rows), &codes[0], sides, &order), done
}

// vectorsOfCodes is vectorsOfRows by the sides of codes.
//
//go:noescape
func vectorsOfCodes(to, rows *int32, n int, codes *uint32, sides *Sides, order *[256][8]uint8) int
