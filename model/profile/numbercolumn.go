package profile

import (
	"math"
	"math/bits"
	"slices"
)

// numbers are what the profile of a column of numbers is made of. Numbers that are not 0 are
// counted while few differ, and then added up.
type numbers struct {
	countsOnly bool
	whole      bool // the sample is all numbers

	missing, infinite, empty int
	finite                   int
	distinct                 distinct
	min, max                 float64 // of those that were added up
	sum                      sum
	sample                   []float64 // if it is whole without those that are counted
}

func newNumbers(most int) numbers {
	return numbers{distinct: distinct{most: most}, min: math.Inf(1), max: math.Inf(-1)}
}

// add takes numbers. Sums of them may be left in powers.
func (c *numbers) add(values []float64, p *powers) {
	n := c.missing + c.infinite
	switch {
	case c.countsOnly:
		for _, v := range values {
			c.special(v)
		}
	case c.distinct.more:
		c.addUp(values, p)
	default:
		c.addUp(c.count(values), p)
	}
	c.finite += len(values) - (c.missing + c.infinite - n)
}

// usual reports whether the bits of a number are those of one that is finite, not 0 and not
// subnormal.
func usual(word uint64) bool { return word>>52&0x7ff-1 < 0x7fe }

// special counts a number that is missing, infinite or 0, and reports whether v is one.
func (c *numbers) special(v float64) bool {
	switch {
	case v != v:
		c.missing++
	case v-v != 0:
		c.infinite++
	case v == 0:
		c.empty++
	default:
		return false
	}
	return true
}

// count counts numbers up to the one that is a different one too many, and returns the others.
func (c *numbers) count(values []float64) []float64 {
	end := c.distinct.count(values, c.special)
	if end < len(values) {
		c.distinct.more = true
		c.addCounted()
	}
	return values[end:]
}

// addCounted adds up the numbers that were counted.
func (c *numbers) addCounted() {
	for i, key := range c.distinct.keys {
		if key == 0 {
			continue
		}
		v, n := math.Float64frombits(key), int(c.distinct.times[i])
		c.min, c.max = min(c.min, v), max(c.max, v)
		c.sum.add(v, n)
		for range n {
			if c.whole {
				c.sample = append(c.sample, v)
			}
		}
	}
	c.distinct.keys, c.distinct.times = nil, nil
}

// addUp adds up numbers, of which there are no more than a worker has memory for.
func (c *numbers) addUp(values []float64, p *powers) {
	if p.n += len(values); p.n > mostTogether {
		p.take(&c.sum)
		p.n = len(values)
	}
	low, high := c.min, c.max
	others := c.missing + c.infinite + c.empty
	for _, v := range values {
		word := math.Float64bits(v)
		signed := word >> 52
		switch {
		case usual(word):
			m := word&fraction | 1<<52
			one, carry := &p.of[signed], uint64(0)
			one.low, carry = bits.Add64(one.low, m, 0)
			one.high += carry
			h, l := bits.Mul64(m, m)
			one.squareLow, carry = bits.Add64(one.squareLow, l, 0)
			one.squareHigh += h + carry
		case c.special(v):
			continue
		default:
			c.sum.add(v, 1)
		}
		if v < low {
			low = v
		}
		if v > high {
			high = v
		}
	}
	c.min, c.max = low, high
	switch {
	case !c.whole:
	case others == c.missing+c.infinite+c.empty:
		c.sample = append(c.sample, values...)
	default:
		for _, v := range values {
			if v-v == 0 && v != 0 {
				c.sample = append(c.sample, v)
			}
		}
	}
}

// addSample takes numbers of a sample that is not whole.
func (c *numbers) addSample(values []float64) {
	for _, v := range values {
		if v-v == 0 {
			c.sample = append(c.sample, v)
		}
	}
}

// end completes the sums, the extremes and the sample.
func (c *numbers) end() {
	c.addCounted()
	if c.empty == 0 {
		return
	}
	c.min, c.max = min(c.min, 0), max(c.max, 0)
	if c.whole {
		c.sample = append(c.sample, slices.Repeat([]float64{0}, c.empty)...)
	}
}

// different returns how many numbers differ, and whether there are more.
func (c *numbers) different() (n int, more bool) {
	if n = c.distinct.n; c.empty > 0 {
		n++
	}
	if more = c.distinct.more || n > c.distinct.most; more {
		n = c.distinct.most
	}
	return n, more
}
