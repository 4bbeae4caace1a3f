package kernel

// SubtractWords takes the words of b from those of a. b is at least as long.
func SubtractWords(a, b []int64) {
	b = b[:len(a)]
	for i := subtractInVectors(a, b); i < len(a); i++ {
		a[i] -= b[i]
	}
}

// AddWords adds the words of b to those of a. b is at least as long.
func AddWords(a, b []int64) {
	b = b[:len(a)]
	for i := addInVectors(a, b); i < len(a); i++ {
		a[i] += b[i]
	}
}

// SubtractPairs takes the numbers of b from those of a. b is at least as long.
func SubtractPairs(a, b []float64) {
	b = b[:len(a)]
	for i := range a {
		a[i] -= b[i]
	}
}
