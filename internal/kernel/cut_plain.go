//go:build !amd64 || purego

package kernel

// Best returns the greatest score of an allowed cut and the lowest bin that has it; -1, -1 if no cut is allowed.
func (c *Cuts) Best() (score float64, bin int) { return c.tail(c.start()) }
