//go:build !amd64 || purego

package kernel

// Find writes the numbers of the entries for a row of codes. Columns must be in range: nothing is
// checked again.
func (e *Entries) Find(numbers, codes []uint16) { e.findPlain(numbers, codes) }

// Add adds an entry of each table to the sums. Tables, steps and numbers must be in range: nothing
// is checked again.
func (e *Entries) Add(sums []float64, numbers []uint16) { e.addPlain(sums, numbers) }
