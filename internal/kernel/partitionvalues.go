package kernel

// PartitionByValue puts the rows whose value is not above a split point before the others, both in
// their order, and returns how many the former are. Rows without a value go with the former if
// missingFirst is set. The value of a row stands at stride times the row. Spare is at least as long
// as rows; every row has a value: nothing is checked again.
func PartitionByValue[T float32 | float64](
	rows, spare []uint32, values []T, stride int, splitPoint float64, missingFirst bool,
) int {
	spare = spare[:len(rows)]
	done, last := 0, 0
	switch values := any(values).(type) {
	case []float64:
		done, last = partitionValuesInVectors(rows, spare, values, stride, splitPoint,
			missingFirst)
	case []float32:
		done, last = partitionSinglesInVectors(rows, spare, values, stride, splitPoint,
			missingFirst)
	}
	last = partitionValues(rows, spare, values, stride, splitPoint, missingFirst, done, last)
	copy(rows[len(rows)-last:], spare[:last])
	return len(rows) - last
}

// partitionValues is the twin of the assembly. It writes the rows that go last to spare and returns
// how many they are; the others stay, moved to the beginning. The rows before from are done, last
// of them are in spare.
func partitionValues[T float32 | float64](
	rows, spare []uint32, values []T, stride int, splitPoint float64, missingFirst bool,
	from, last int,
) int {
	missing, first := int(one(missingFirst)), from-last
	for _, r := range rows[from:] {
		x := float64(values[stride*int(r)])
		rows[first], spare[last] = r, r
		n := int(one(x <= splitPoint))
		if x != x {
			n = missing
		}
		first += n
		last += 1 - n
	}
	return last
}
