//go:build amd64 && !purego

package kernel

// partitionValuesInVectors is partitionValues for the rows up to done.
func partitionValuesInVectors(
	rows, spare []uint32, values []float64, stride int, splitPoint float64, missingFirst bool,
) (done, last int) {
	if done = len(rows) &^ 7; !hasAVX2 || done == 0 {
		return 0, 0
	}
	return done, partitionValueEights(&rows[0], &spare[0], &values[0], stride, done, splitPoint,
		allOnes(missingFirst), &order)
}

// partitionSinglesInVectors is partitionValuesInVectors of numbers of single precision.
func partitionSinglesInVectors(
	rows, spare []uint32, values []float32, stride int, splitPoint float64, missingFirst bool,
) (done, last int) {
	if done = len(rows) &^ 7; !hasAVX2 || done == 0 {
		return 0, 0
	}
	return done, partitionSingleEights(&rows[0], &spare[0], &values[0], stride, done, splitPoint,
		allOnes(missingFirst), &order)
}

// allOnes returns all ones for true, 0 for false.
func allOnes(b bool) uint64 {
	if b {
		return 1<<64 - 1
	}
	return 0
}

// partitionValueEights is partitionValues for n rows from the first one on, n a multiple of eight
// above 0. missing is all ones if rows without a value go first.
//
//go:noescape
func partitionValueEights(rows, spare *uint32, values *float64, stride, n int, splitPoint float64,
	missing uint64, order *[256][8]uint8) int

//go:noescape
func partitionSingleEights(rows, spare *uint32, values *float32, stride, n int, splitPoint float64,
	missing uint64, order *[256][8]uint8) int
