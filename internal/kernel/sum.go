package kernel

// Number is what Sum adds up.
type Number interface {
	~int | ~int64 | ~uint32 | ~float64
}

// Sum adds up numbers in their order, so that the sum has the same bits on every machine.
func Sum[T Number](values []T) (sum T) {
	for _, v := range values {
		sum += v
	}
	return sum
}
