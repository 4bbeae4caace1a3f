package kernel

import "math/bits"

// WideCoder is Coder with codes of two bytes. A missing value has MissingWide.
type WideCoder struct {
	keys  []uint64 // as those of Coder
	steps int
	count int
}

const (
	// MaxWidePoints is the largest number of split points of a WideCoder.
	MaxWidePoints = MissingWide - 1
	// MissingWide is greater than all codes of numbers.
	MissingWide = 1<<16 - 1
)

// NewWideCoder returns a WideCoder of at most MaxWidePoints split points, ascending and without
// repetition.
func NewWideCoder(points []float64) WideCoder {
	c := WideCoder{steps: max(1, bits.Len(uint(len(points)))), count: len(points)}
	c.keys = searchTree(points, c.steps)
	return c
}

// NumPoints returns the number of split points.
func (c *WideCoder) NumPoints() int { return c.count }

// Codes writes the codes of values. dst is as long as x, or longer.
func (c *WideCoder) Codes(dst []uint16, x []float64) {
	done, missing := c.codesInVectors(dst, x)
	c.codesPlain(dst[done:], x[done:])
	if !missing {
		return
	}
	for i, v := range x[:done] {
		if v != v {
			dst[i] = MissingWide
		}
	}
}

// codesPlain is the twin of the assembly. Four searches side by side do not wait for each other.
func (c *WideCoder) codesPlain(dst []uint16, x []float64) {
	dst = dst[:len(x)]
	i, first := 0, len(c.keys)
	for ; i+4 <= len(x); i += 4 {
		from, to := (*[4]float64)(x[i:]), (*[4]uint16)(dst[i:])
		k0, k1, k2, k3 := orderedKey(from[0]), orderedKey(from[1]), orderedKey(from[2]),
			orderedKey(from[3])
		n0, n1, n2, n3 := 1, 1, 1, 1
		for range c.steps {
			n0 = 2*n0 + int(one(c.keys[n0] < k0))
			n1 = 2*n1 + int(one(c.keys[n1] < k1))
			n2 = 2*n2 + int(one(c.keys[n2] < k2))
			n3 = 2*n3 + int(one(c.keys[n3] < k3))
		}
		to[0], to[1], to[2], to[3] = uint16(n0-first), uint16(n1-first), uint16(n2-first),
			uint16(n3-first)
	}
	for ; i < len(x); i++ {
		dst[i] = uint16(c.NumberOf(x[i]))
	}
	for i, v := range x {
		if v != v {
			dst[i] = MissingWide
		}
	}
}

// NumberOf returns the number of a split point among all in ascending order, or how many of them a
// value is above.
func (c *WideCoder) NumberOf(x float64) int {
	key, n := orderedKey(x), 1
	for range c.steps {
		n = 2*n + int(one(c.keys[n] < key))
	}
	return n - len(c.keys)
}
