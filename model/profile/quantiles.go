package profile

import (
	"math"
	"math/bits"
	"slices"

	"github.com/coppice-ml/coppice/model"
)

// quantilePlaces returns the places of quantiles among n numbers in order.
func quantilePlaces(n int, noExtremes bool) []int {
	places := make([]int, model.ProfileQuantiles)
	for i := range places {
		at := int64(n-1) * int64(i) / int64(len(places)-1)
		if noExtremes {
			at = int64(n-1) * (32 + 98*int64(i)) / 3200
		}
		places[i] = int(at)
	}
	return places
}

// choice is memory of a worker that looks for numbers by their places in order.
type choice struct {
	spare  []float64
	bucket []uint16
	next   []uint32
	step   []uint8
}

// fewValues is up to how many values are sorted as a whole, and mostBits how many buckets others
// are put in, as a power of two.
const (
	fewValues = 64
	mostBits  = 14
)

// quantiles returns the quantiles of numbers, whose order it changes, and how many numbers are at
// most each; nil if there are none.
func (c *choice) quantiles(values []float64, noExtremes bool) (q []float64, atMost []int) {
	if len(values) == 0 {
		return nil, nil
	}
	if cap(c.spare) < len(values) {
		c.spare, c.bucket = make([]float64, len(values)), make([]uint16, len(values))
	}
	if c.next == nil {
		c.next, c.step = make([]uint32, 1<<mostBits), make([]uint8, 1<<mostBits)
	}
	found := &places{at: quantilePlaces(len(values), noExtremes), q: make([]float64, model.ProfileQuantiles),
		atMost: make([]int, model.ProfileQuantiles)}
	c.find(part{values: values, to: len(found.at)}, c.spare[:len(values)], found, 0)
	return found.q, found.atMost
}

// places are what is looked for: values at ascending places, and how many are at most each.
type places struct {
	at     []int
	q      []float64
	atMost []int
}

// part is values that follow so many lesser ones, and from which to which place they have.
type part struct {
	values   []float64
	lesser   int
	from, to int
}

// find looks for some places. It puts values in buckets of equal width, and looks on in those that
// have a place. Some values far from the others leave few buckets for these: then so do their
// buckets, until it gives up and sorts them. spare is memory for as many values.
func (c *choice) find(v part, spare []float64, found *places, depth int) {
	low, high := extremes(v.values)
	width := min(bits.Len(uint(len(v.values)))-4, mostBits)
	scale := float64(int(1)<<max(width, 0)-1) / (high - low)
	if len(v.values) <= fewValues || depth > 4 || scale == 0 || scale > math.MaxFloat64 {
		slices.Sort(v.values)
		for i, at := range found.at[v.from:v.to] {
			q := v.values[at-v.lesser] + 0 // -0 is 0
			above, _ := slices.BinarySearch(v.values, math.Nextafter(q, math.Inf(1)))
			found.q[v.from+i], found.atMost[v.from+i] = q, v.lesser+above
		}
		return
	}
	bucket, next, step := c.bucket[:len(v.values)], c.next[:1<<width], c.step[:1<<width]
	clear(next)
	for i, x := range v.values {
		b := uint16((x - low) * scale)
		bucket[i] = b
		next[b]++
	}
	kept := v.kept(next, step, spare, found)
	for i, x := range v.values {
		b := bucket[i]
		spare[next[b]] = x
		next[b] += uint32(step[b])
	}
	for _, k := range kept {
		c.find(k, v.values[:len(k.values)], found, depth+1)
	}
}

// kept returns the buckets of values that have a place. It turns the counts of all buckets into
// where the values of each go in memory: one after another, and those of others to the last place,
// which is not taken then.
func (v *part) kept(next []uint32, step []uint8, memory []float64, found *places) []part {
	var all []part
	used, k := 0, part{lesser: v.lesser, to: v.from}
	for b, count := range next {
		n := int(count)
		for k.from = k.to; k.to < v.to && found.at[k.to] < k.lesser+n; k.to++ {
		}
		if next[b], step[b] = uint32(len(v.values)-1), 0; k.to > k.from {
			next[b], step[b] = uint32(used), 1
			k.values = memory[used:][:n]
			all, used = append(all, k), used+n
		}
		k.lesser += n
	}
	return all
}

func extremes(values []float64) (low, high float64) {
	low, high = values[0], values[0]
	for _, v := range values {
		if v < low {
			low = v
		}
		if v > high {
			high = v
		}
	}
	return low, high
}

// rankError returns the bound of Massart (1990, "The tight constant in the Dvoretzky-Kiefer-
// Wolfowitz inequality") for a sample of n rows and a probability of 99 %.
func rankError(n int) float64 {
	const log200 = 5.298317366548036
	return math.Sqrt(log200 / 2 / float64(n))
}
