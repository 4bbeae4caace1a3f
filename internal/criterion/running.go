package criterion

// Running judges growing sets of rows by their values.
type Running interface {
	// Prefixes writes the impurity of base and the first i of rows together to dst[i], 0 <= i <=
	// len(rows). Rows are indices into the sample, whose Y ascends; no row occurs twice.
	Prefixes(dst []float64, s Sample, base, rows []uint32)
}
