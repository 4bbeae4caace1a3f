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
// It is computed as sum_k w_k log2(W / w_k): all terms are of one sign, so a nearly pure set loses
// no digits.
type entropy struct{}

func newEntropy(int) Criterion { return entropy{} }

func (entropy) Impurity(dst, stats, _ []float64) {
	k := width(dst, stats)
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

// countLogs holds n log2 n for integers n, in fixed point. So sums of differences are exact, and
// the gain of a candidate depends on its counts alone, not on the order of the sums.
type countLogs struct {
	value []int64
	scale float64 // value = n log2 n x scale
}

// logs holds one table per power of two. All scans use them; one that is made twice at a time is
// the same twice.
var logs [bits.UintSize + 1]atomic.Pointer[countLogs]

// logsUpTo returns a table that reaches n. The scale depends on n alone.
func logsUpTo(n int) *countLogs {
	power := bits.Len(uint(n))
	if t := logs[power].Load(); t != nil {
		return t
	}
	size := 1 << power
	// The largest value, size x log2(size), takes at most 2 x bits.Len(size) - 1 bits; sums of four
	// stay below 2^62.
	t := &countLogs{value: make([]int64, size+1),
		scale: math.Ldexp(1, 60-bits.Len(uint(size))-bits.Len(uint(bits.Len(uint(size)))))}
	for i := 2; i <= size; i++ {
		x := float64(i)
		t.value[i] = int64(math.RoundToEven(float64(float64(x*kernel.Log2(x)) * t.scale)))
	}
	logs[power].Store(t)
	return t
}

// spread returns the sum of n log2 n over the classes of both sides.
func (l *countLogs) spread(c *Column, side []classCounts) int64 {
	sum := int64(0)
	for j := range c.Total {
		t := &side[c.class(j)]
		sum += l.value[t.first] + l.value[t.all-t.first]
	}
	return sum
}

// scan calls offer at every split point with the sum of n log2 n over the classes of both sides. A
// row changes it by the two differences of its class.
func (l *countLogs) scan(
	c *Column, side []classCounts, from, to int, offer func(at, rows int, sum int64),
) {
	sum, f := l.spread(c, side), l.value
	mask := uint32(1)<<c.Shift - 1
	rows, e := c.Rows, c.Known[0]
	for i, next := range c.Known[1:] {
		k, t := c.count(e), &side[e.Key&mask]
		n, m := t.first, t.all-t.first
		sum += f[n+k] - f[n] + f[m-k] - f[m]
		t.first = n + k
		if rows += int(k); rows > to {
			return
		}
		if e.Key>>c.Shift != next.Key>>c.Shift && rows >= from {
			offer(i+1, rows, sum)
		}
		e = next
	}
}

// Scan minimises n log2 n - sum_k n_k log2 n_k, summed over both sides.
func (entropy) Scan(c *Column, b *Best) {
	from, to := c.window()
	if b.At = 0; to < from {
		return
	}
	best, logs := newSearcher(), logsUpTo(c.Node)
	f, tie := logs.value, float64(c.Tie*logs.scale)
	logs.scan(c, b.begin(c), from, to, func(at, n int, sum int64) {
		if worth := float64(sum - f[n] - f[c.Node-n]); best.better(worth, 1) {
			best.take(at, worth, 1, tie)
		}
	})
	b.end(c, best.at)
}
