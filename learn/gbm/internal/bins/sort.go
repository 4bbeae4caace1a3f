package bins

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/coppice-ml/coppice/internal/hugepage"
)

const (
	radixFrom  = 1024 // the length from which a radix sort beats a comparison sort
	digitBits  = 11
	firstBits  = 3 * digitBits // the highest bits that differ, by which keys are sorted first
	settleCost = 4             // moves per key after which settling is given up
)

// sortKeys sorts keys in ascending order. It works in spare, or in new memory, and returns where
// the sorted keys are and the memory that is left over.
//
// Keys of numbers that are not chosen to be close are nearly in order once their 33 highest bits
// that differ are: a radix sort by those takes half as many passes as by all, and an insertion sort
// does the rest. Where it has much to do, all bits are sorted by.
func sortKeys(keys, spare []uint64) (sorted, other []uint64) {
	if len(keys) < radixFrom {
		slices.Sort(keys)
		return keys, spare
	}
	some, differ := keys[0], uint64(0)
	for _, k := range keys {
		differ |= k ^ some
	}
	return radixSort(keys, resized(spare, len(keys)), differ, keyPass, settleKeys)
}

// sortKeyed is sortKeys for keys with weights. Equal keys keep their order, so that sums over them
// are the same everywhere.
func sortKeyed(keys, spare []keyed) (sorted, other []keyed) {
	if len(keys) < radixFrom {
		slices.SortStableFunc(keys, func(a, b keyed) int { return cmp.Compare(a.key, b.key) })
		return keys, spare
	}
	some, differ := keys[0].key, uint64(0)
	for i := range keys {
		differ |= keys[i].key ^ some
	}
	return radixSort(keys, resized(spare, len(keys)), differ, keyedPass, settleKeyed)
}

// resized returns memory for n keys: s, or new memory. That is taken at once and in large pages.
// Piece by piece, or by slices.Grow, workers would spend their time in being given pages, and each
// collection of the garbage would wait for them.
func resized[T any](s []T, n int) []T {
	if cap(s) < n {
		return hugepage.Slice[T](n)
	}
	return s[:n]
}

// radixSort sorts from, with to as memory, by the bits that differ. A pass puts from in the order
// of one digit into to; settle ends the work, or returns false.
func radixSort[T any](
	from, to []T, differ uint64, pass func(from, to []T, shift int), settle func([]T) bool,
) (sorted, other []T) {
	low, high := bits.TrailingZeros64(differ), bits.Len64(differ)
	for shift := max(low, high-firstBits); shift < high; shift += digitBits {
		pass(from, to, shift)
		from, to = to, from
	}
	if high-firstBits <= low || settle(from) {
		return from, to
	}
	for shift := low; shift < high; shift += digitBits {
		pass(from, to, shift)
		from, to = to, from
	}
	return from, to
}

// places are where the next key of each value of a digit goes.
type places [1 << digitBits]uint32

// start turns counts into the places of first keys.
func (p *places) start() {
	at := uint32(0)
	for i, n := range p {
		p[i] = at
		at += n
	}
}

func keyPass(from, to []uint64, shift int) {
	var p places
	for _, k := range from {
		p[k>>(shift&63)%(1<<digitBits)]++
	}
	p.start()
	for _, k := range from {
		b := k >> (shift & 63) % (1 << digitBits)
		to[p[b]] = k
		p[b]++
	}
}

func keyedPass(from, to []keyed, shift int) {
	var p places
	for i := range from {
		p[from[i].key>>(shift&63)%(1<<digitBits)]++
	}
	p.start()
	for _, k := range from {
		b := k.key >> (shift & 63) % (1 << digitBits)
		to[p[b]] = k
		p[b]++
	}
}

// settleKeys is an insertion sort that gives up, leaving the keys in some order, where it has to
// move too many.
func settleKeys(keys []uint64) bool {
	moves := settleCost * len(keys)
	for i := 1; i < len(keys); i++ {
		k, j := keys[i], i
		for ; j > 0 && keys[j-1] > k; j-- {
			keys[j] = keys[j-1]
		}
		keys[j] = k
		if moves -= i - j; moves < 0 {
			return false
		}
	}
	return true
}

// settleKeyed is settleKeys for keys with weights.
func settleKeyed(keys []keyed) bool {
	moves := settleCost * len(keys)
	for i := 1; i < len(keys); i++ {
		k, j := keys[i], i
		for ; j > 0 && keys[j-1].key > k.key; j-- {
			keys[j] = keys[j-1]
		}
		keys[j] = k
		if moves -= i - j; moves < 0 {
			return false
		}
	}
	return true
}
