package kernel

import (
	"math"
	"math/bits"
)

// Coder replaces the values of a column by codes of one byte: the number of split points that a
// value is above. Comparing the code gives the same results as comparing the value.
//
//	split points   0.5   2   7
//	values         0.5 and less   above 0.5   above 2   above 7
//	codes          first          first+1     first+2   first+3
//
// first is 0 for up to 127 split points, so that codes have seven bits, else -128.
//
// The split points are stored as unsigned words that have the same order, in the order of a
// breadth-first walk of a complete search tree, from word 1 on. So a step of the search is one
// comparison, whose result is added to twice the number of the word.
type Coder struct {
	keys  []uint64
	steps int
	first int8
	count int
	// where permutes is true and the high halves of all keys differ: these, in the order of keys,
	// and the keys in ascending order
	heads  []uint32
	sorted []uint64
}

const (
	// MaxCodedPoints is the largest number of split points of a Coder.
	MaxCodedPoints = 255
	// PositivePoints is the number of split points up to which no code is negative.
	PositivePoints = 127
)

// orderedKey returns a word that is ordered as the numbers are; both zeros have one word.
func orderedKey(x float64) uint64 {
	b := math.Float64bits(x + 0)
	return b ^ (uint64(int64(b)>>63) | 1<<63)
}

// NewCoder returns a Coder of at most MaxCodedPoints split points, ascending and without
// repetition.
func NewCoder(points []float64) Coder {
	c := Coder{steps: max(1, bits.Len(uint(len(points)))), count: len(points)}
	if len(points) > PositivePoints {
		c.first = -128
	}
	c.keys = searchTree(points, c.steps)
	if permutes {
		c.halve(points)
	}
	return c
}

// halve makes heads and sorted.
func (c *Coder) halve(points []float64) {
	sorted := make([]uint64, len(c.keys))
	for i := range sorted {
		sorted[i] = math.MaxUint64
	}
	for i, p := range points {
		key := orderedKey(p)
		if sorted[i] = key; i > 0 && key>>32 == orderedKey(points[i-1])>>32 {
			return
		}
	}
	c.sorted, c.heads = sorted, make([]uint32, max(16, len(c.keys)))
	for i, key := range c.keys {
		c.heads[i] = uint32(key >> 32)
	}
}

// searchTree returns the words of split points in the order of a breadth-first walk of a search
// tree of as many levels, from word 1 on.
func searchTree(points []float64, levels int) []uint64 {
	keys, at := make([]uint64, 1<<levels), 0
	var lay func(n int)
	lay = func(n int) {
		if n >= len(keys) {
			return
		}
		lay(2 * n)
		if keys[n] = math.MaxUint64; at < len(points) {
			keys[n] = orderedKey(points[at])
		}
		at++
		lay(2*n + 1)
	}
	lay(1)
	return keys
}

// NumPoints returns the number of split points.
func (c *Coder) NumPoints() int { return c.count }

// Above returns the least code of the values above one of the split points.
func (c *Coder) Above(point float64) int8 { return c.code(point) + 1 }

// Missing returns the code for missing values that go to the first child, or to the last, at every
// split point.
func (c *Coder) Missing(last bool) int8 {
	if last {
		return int8(int(c.first) + c.count)
	}
	return c.first
}

// code returns the code of a value that is not missing.
func (c *Coder) code(x float64) int8 {
	key, n := orderedKey(x), 1
	for range c.steps {
		n = 2*n + int(one(c.keys[n] < key))
	}
	return int8(n - len(c.keys) + int(c.first))
}

// Codes writes the codes of values; a missing value has the code of those that go last. It reports
// whether any value is missing. dst is as long as x, or longer.
func (c *Coder) Codes(dst []int8, x []float64) (missing bool) {
	done, missing := c.codesInVectors(dst, x)
	if missing {
		done = 0 // with codes of missing values that are not theirs
	}
	for i, v := range x[done:] {
		if math.IsNaN(v) {
			missing = true
			dst[done+i] = c.Missing(true)
			continue
		}
		dst[done+i] = c.code(v)
	}
	return missing
}

// NumBits returns the number of RowBits that Bits writes.
func (c *Coder) NumBits() int {
	return (max(1, c.count) + CodeBitsStep - 1) / CodeBitsStep * CodeBitsStep
}

// Bits writes for each split point, in order, which rows of a tile are above it, by their codes.
func (c *Coder) Bits(dst []RowBits, codes []int8) { CodeBits(dst[:c.NumBits()], codes, c.first) }

// BitOf returns the number of the split point whose Above is given.
func (c *Coder) BitOf(above int8) int { return int(above) - int(c.first) - 1 }
