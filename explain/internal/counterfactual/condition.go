package counterfactual

// condition is the choices of a column that reach a leaf.
type condition struct {
	low, high int32 // of numbers; both 0 of levels
	missing   bool
	levels    []uint64 // of levels and the missing one: bits
}

// meets reports whether some choice from low up to high fulfils the condition. numbers is the
// number of those before the missing one.
func (c *condition) meets(low, high, numbers int32) bool {
	if c.levels == nil {
		return max(c.low, low) < min(c.high, high) || c.missing && low <= numbers && numbers < high
	}
	for i := low; i < high; {
		w := c.levels[i/64] >> (i % 64)
		n := min(64-i%64, high-i)
		if w<<(64-n) != 0 {
			return true
		}
		i += n
	}
	return false
}

// some reports whether some choice fulfils a condition.
func (c *condition) some() bool {
	for _, w := range c.levels {
		if w != 0 {
			return true
		}
	}
	return c.low < c.high || c.missing
}
