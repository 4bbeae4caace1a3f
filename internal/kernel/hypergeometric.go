package kernel

import "math"

// HypergeometricTail returns the probability that at least k of m rows have something that k + j of
// n + m rows have, where they are drawn at random: Fisher's exact test on one side. Below the mean,
// where it is not less than about half, it is 1.
//
// Of n old and m new rows in a random order it is the probability that at least k new ones follow
// the old row number j + 1 from the end, and that as many lie beyond the first and the last old row
// together if j is 1: at most j of the last k + j rows are old.
func HypergeometricTail(j, n, k, m int) float64 {
	all := k + j
	switch {
	case k <= 0 || j >= n:
		return 1
	case k > m:
		return 0
	case float64(k) <= float64(all)*(float64(m)/float64(n+m)):
		return 1
	}
	term := Exp(logChoose(m, k) + logChoose(n, j) - logChoose(n+m, all))
	sum := term
	for at := k; at < min(m, all) && term > sum*0x1p-60; at++ {
		term = float64(term * (float64(m-at) / float64(at+1)) * (float64(all-at) / float64(n-all+at+1)))
		sum += term
	}
	return min(1, sum)
}

// logChoose returns the logarithm of the number of sets of k of n.
func logChoose(n, k int) float64 {
	return logFactorial(n) - logFactorial(k) - logFactorial(n-k)
}

func logFactorial(n int) float64 {
	v, _ := math.Lgamma(float64(n) + 1)
	return v
}
