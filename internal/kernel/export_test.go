package kernel

// The tables, for the test that computes them anew.
var (
	ExpTable  = expTable
	LogTable  = logTable
	Log2Table = log2Table
)
