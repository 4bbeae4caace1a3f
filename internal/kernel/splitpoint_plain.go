//go:build !amd64 || purego

package kernel

// Best returns the allowed split point of the greatest score, of equal ones that of the lowest bin.
// Where none scores above Above its Bin is -1.
func (c *SplitPoints) Best() SplitPoint { return c.tail(c.start()) }
