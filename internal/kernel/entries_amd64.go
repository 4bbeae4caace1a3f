//go:build amd64 && !purego

package kernel

// Find writes the numbers of the entries for a row of codes. Columns must be in range: nothing is
// checked again.
func (e *Entries) Find(numbers, codes []uint16) {
	if n := len(e.Column) / 32; permutes && len(codes) <= permuted && n > 0 {
		var all [permuted]uint16
		copy(all[:], codes)
		_ = numbers[2*n-1]
		findEntries(&numbers[0], &e.Column[0], &e.Low[0], &e.Width[0], n, &all)
		return
	}
	e.findPlain(numbers, codes)
}

// findEntries is Find for n pairs of tables.
//
//go:noescape
func findEntries(numbers, column, low, width *uint16, n int, codes *[permuted]uint16)

// Add adds an entry of each table to the sums. Tables, steps and numbers must be in range: nothing
// is checked again.
func (e *Entries) Add(sums []float64, numbers []uint16) {
	n := len(e.Tables)
	if !permutes || n == 0 || len(e.Steps) == 0 {
		e.addPlain(sums, numbers)
		return
	}
	_, _ = e.Tables[:n+ahead], numbers[n+ahead-1]
	addEntries(&sums[0], &e.Tables[0], n, &e.Steps[0], &e.Value[0], &numbers[0])
}

// addEntries is Add for n tables.
//
//go:noescape
func addEntries(
	sums *float64, tables *EntryTable, n int, steps *EntryStep, value *float64, numbers *uint16,
)
