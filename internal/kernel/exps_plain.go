//go:build !amd64 || purego

package kernel

// exps leaves all numbers to Exps.
func exps(_, _ []float64) int { return 0 }

// logistic leaves all rows to Logistic.
func logistic(_, _, _, _ []float64) int { return 0 }
