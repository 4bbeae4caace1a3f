package criterion

import (
	"math"
	"math/bits"
	"sync/atomic"

	"github.com/coppice-ml/coppice/internal/kernel"
)

// entropy is the Shannon entropy in bits: with class weights w_k and W = sum of w_k,
//
//	I = -W sum_k p_k log2 p_k = W log2 W - sum_k w_k log2 w_k
//
// It is computed as sum_k w_k log2(W / w_k): all terms are of one sign, so a nearly pure set loses no digits.
type entropy struct{ classes int }

func newEntropy(classes int) Criterion { return entropy{classes} }

func (e entropy) Impurity(dst, stats, _ []float64) {
	k := e.classes
	for i := range dst {
		set := stats[i*k : (i+1)*k]
		w := 0.0
		for _, c := range set {
			w += c
		}
		sum := 0.0
		for _, c := range set {
			if c > 0 && c < w {
				sum += float64(c * kernel.Log2(w/c))
			}
		}
		dst[i] = sum
	}
}

// countLogs holds n log2 n for integers n, in fixed point so that sums of differences are exact and a candidate's
// worth depends on its counts alone, not on the way the sums took.
type countLogs struct {
	value []int64
	scale float64 // value = n log2 n x scale
}

// logs is the table of the largest node seen so far. Scans share it; a larger one replaces it.
var logs atomic.Pointer[countLogs]

// logsUpTo returns a table that reaches n. The scale depends on n alone.
func logsUpTo(n int) *countLogs {
	size := 1 << bits.Len(uint(n))
	if t := logs.Load(); t != nil && len(t.value) == size+1 {
		return t
	}
	// The largest value, size x log2(size), takes at most 2 x bits.Len(size) - 1 bits; sums of four stay below 2^62.
	t := &countLogs{value: make([]int64, size+1), scale: math.Ldexp(1, 60-bits.Len(uint(size))-bits.Len(uint(bits.Len(uint(size)))))}
	for i := 2; i <= size; i++ {
		x := float64(i)
		t.value[i] = int64(math.RoundToEven(float64(float64(x*kernel.Log2(x)) * t.scale)))
	}
	logs.Store(t)
	return t
}

// entropyScan keeps the sum of n log2 n over the classes of both sides while rows move from the last to the first.
type entropyScan struct {
	logs        *countLogs
	first, last []int32
	sum         int64
}

func newEntropyScan(c *Column, b *Best) entropyScan {
	s := entropyScan{logs: logsUpTo(c.Node)}
	s.first, s.last = b.sides(c)
	for j := range s.first {
		s.sum += s.logs.value[s.first[j]] + s.logs.value[s.last[j]]
	}
	return s
}

func (s *entropyScan) move(class uint32) {
	f := s.logs.value
	l, r := s.first[class], s.last[class]
	s.sum += f[l+1] - f[l] + f[r-1] - f[r]
	s.first[class], s.last[class] = l+1, r-1
}

// Scan minimises n log2 n - sum_k n_k log2 n_k, summed over both sides.
func (entropy) Scan(c *Column, b *Best) {
	from, to := c.window()
	best := newSearcher()
	s := newEntropyScan(c, b)
	f := s.logs.value
	mask := uint32(1)<<c.Shift - 1
	known, tie := c.Known, float64(c.Tie*s.logs.scale)
	for i := 0; i < to; i++ {
		key := known[i].Key
		s.move(key & mask)
		if key>>c.Shift == known[i+1].Key>>c.Shift || i+1 < from {
			continue
		}
		n := c.Rows + i + 1
		if worth := float64(s.sum - f[n] - f[c.Node-n]); best.better(worth, 1) {
			best.take(i+1, worth, 1, tie)
		}
	}
	b.At = best.at
	b.count(c)
}
