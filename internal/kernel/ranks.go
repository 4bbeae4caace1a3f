package kernel

import (
	"cmp"
	"math"
	"slices"
)

// Ranks are the values of a block once more, in 16 bits each. Lists of rows compare the rank of a
// number among those of the block. It gives the same results as the number, in a fourth of its
// memory. Ranks are stored row after row, so that a list of a few hundred rows, and all lists that
// it is partitioned into, stay in the nearest cache:
//
//	X   row 0: 16 codes, row 1: 16 codes ... | row 0: 16 more codes, row 1 ...
//
//	numbers      0 missing, first   1 ... the ranks of the block's numbers   65535 missing, second
//	categories   0 ... 61 themselves   62 any that no set holds   63 missing
type Ranks struct {
	X []uint16

	// strips are the codes again, in columns of two: strip s has codes 2s and 2s+1 of all rows.
	// Lists of many rows, which are near each other, find more of them in a line of the cache
	// there.
	strips []uint16

	at     []uint16 // the value of the row that a node tests; its index is that of Descent.Place
	start  []uint32 // by value: where in X the code of row 0 is
	scale  []scale  // by column of numbers
	rows   int
	bucket []int32 // of each row
	next   []int32 // by bucket
	order  []int32 // rows by bucket
}

const (
	// MaxRanked is the number of rows up to which a block has ranks: lists hold 4 x row in 16 bits,
	// which times 8 is where it begins.
	MaxRanked = 1 << 14

	// There are ranks up to these limits. MaxRankedLevels is for the levels of a column, and
	// MaxRankedPlaces for the values of a row. MaxRankedNodes is for the nodes, and for the slots,
	// of a tree.
	MaxRankedLevels = ownLevels
	MaxRankedPlaces = 1 << 10
	MaxRankedNodes  = 1<<(32-turnBits) - 1

	panel       = 16 // codes of a row that lie together
	strip       = 2  // and in a strip
	ownLevels   = 62
	slack       = 32 // elements that vectors read and write beyond the end of a list
	lastMissing = math.MaxUint16
)

// NewRanks returns Ranks for nodes that test some columns, without rows and places.
func NewRanks(columns int) *Ranks {
	return &Ranks{at: make([]uint16, 16*columns), scale: make([]scale, columns)}
}

// Resize allocates memory for up to MaxRanked rows of some values.
func (k *Ranks) Resize(rows, values int) {
	k.rows = rows
	n := (values+panel-1)/panel*panel*rows + slack
	k.X = slices.Grow(k.X[:0], n)[:n]
	k.start = k.start[:0]
	for v := range values {
		k.start = append(k.start, uint32(v/panel*panel*rows+v%panel))
	}
}

// Place sets the value of the row, below 1<<16, that nodes test for a column and a rule.
func (k *Ranks) Place(column, rule, value int) { k.at[16*column+rule] = uint16(value) }

// PutCodes writes the codes of a column of categories.
func (k *Ranks) PutCodes(value int, x []float64) {
	to := k.X[k.start[value]:]
	for i, v := range x {
		code := uint16(ownLevels + 1)
		if v >= 0 && v < ownLevels {
			code = uint16(v)
		} else if v == v {
			code = ownLevels
		}
		to[panel*i] = code
	}
}

// CopyNumbers writes the ranks of a column again, to another value, for nodes that send missing
// ones to the first child.
func (k *Ranks) CopyNumbers(value, from int) {
	to, x := k.X[k.start[value]:], k.X[k.start[from]:]
	for i := range k.rows {
		code := x[panel*i]
		if code == lastMissing {
			code = 0
		}
		to[panel*i] = code
	}
}

// Seal makes the codes fit for use. It comes last.
func (k *Ranks) Seal() {
	values := len(k.start)
	n := (values + 1) / 2 * strip * (k.rows + slack)
	k.strips = slices.Grow(k.strips[:0], n)[:n]
	for v := range values {
		x := k.X[k.start[v]:]
		to := k.strips[k.strip(v):]
		for r := range k.rows {
			to[strip*r] = x[panel*r]
		}
	}
}

// strip returns where in strips the code of row 0 is of a value.
func (k *Ranks) strip(value int) int { return value/strip*strip*(k.rows+slack) + value%strip }

// scale is the numbers of a column, each once, ascending. Buckets of equal width give the start of
// the search for one:
//
//	value    1 2   3.5   7 9       bucket of x: (x - low) x rate, rounded down
//	start    0     2     3     5
type scale struct {
	value     []float64 // and NaN
	start     []int32
	low, rate float64
	step      int32 // a power of two from evenStep on; no bucket has more than 2 step - 1 values
}

// evenStep is what most columns begin with, so that the number of steps can be predicted.
const evenStep = 16

// bucketOf returns the bucket of a number. Of two numbers the greater is in no lower one.
func (s *scale) bucketOf(x float64) int32 {
	at := (x - s.low) * s.rate
	last := int32(len(s.start) - 2)
	switch {
	case !(at > 0): // also where it is no number
		return 0
	case at >= float64(last):
		return last
	}
	return int32(at)
}

// upTo returns how many of the values are not above a split point. Values behind its bucket are
// above it, and NaN, which follows all values, compares false. So the search needs no check for the
// end of the bucket.
func (s *scale) upTo(threshold float64) int32 {
	at := s.start[s.bucketOf(threshold)]
	for step := s.step; step > 0; step >>= 1 {
		at += step * one(s.value[at+step-1] <= threshold)
	}
	return at
}

// PutNumbers writes the ranks of a column of numbers, NaN for missing ones.
func (k *Ranks) PutNumbers(column, value int, x []float64) {
	s, to := &k.scale[column], k.X[k.start[value]:]
	s.fit(x)
	buckets := len(s.start) - 1
	k.bucket = slices.Grow(k.bucket[:0], len(x))[:len(x)]
	k.order = slices.Grow(k.order[:0], len(x))[:len(x)]
	k.next = slices.Grow(k.next[:0], buckets+1)[:buckets+1]
	clear(k.next)
	for i, v := range x {
		b := int32(-1)
		if v == v {
			b = s.bucketOf(v)
		}
		k.bucket[i] = b
		k.next[b+1]++
	}
	k.next[0] = 0 // missing values have no place in the order
	for b := range buckets {
		k.next[b+1] += k.next[b]
	}
	for i, b := range k.bucket {
		if b < 0 {
			to[panel*i] = lastMissing
			continue
		}
		k.order[k.next[b]] = int32(i)
		k.next[b]++ // at last where the next bucket begins
	}
	from, most := int32(0), int32(1)
	s.value = s.value[:0]
	for b := range buckets {
		rows := k.order[from:k.next[b]]
		from = k.next[b]
		s.start[b] = int32(len(s.value))
		s.rank(rows, x, to)
		most = max(most, int32(len(s.value))-s.start[b])
	}
	s.start[buckets] = int32(len(s.value))
	for s.step = evenStep; 2*s.step-1 < most; {
		s.step *= 2
	}
	for range 2 * s.step {
		s.value = append(s.value, math.NaN())
	}
}

// fit finds low and rate for the buckets of some numbers.
func (s *scale) fit(x []float64) {
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range x {
		if v < low && v >= -math.MaxFloat64 {
			low = v
		}
		if v > high && v <= math.MaxFloat64 {
			high = v
		}
	}
	buckets := 64
	for buckets < len(x)/2 {
		buckets *= 2
	}
	s.start = slices.Grow(s.start[:0], buckets+1)[:buckets+1]
	s.low, s.rate = low, float64(buckets)/(high-low)
	if !(high > low) || s.rate > math.MaxFloat64 {
		s.low, s.rate = 0, 0 // all are in the first bucket
	}
}

// rank appends the values of a bucket's rows, and writes the ranks of these.
func (s *scale) rank(rows []int32, x []float64, to []uint16) {
	if len(rows) == 0 {
		return
	}
	if len(rows) <= 16 {
		for i, r := range rows[1:] {
			for ; i >= 0 && x[rows[i]] > x[r]; i-- {
				rows[i+1] = rows[i]
			}
			rows[i+1] = r
		}
	} else if slices.ContainsFunc(rows, func(r int32) bool { return x[r] != x[rows[0]] }) {
		slices.SortFunc(rows, func(a, b int32) int { return cmp.Compare(x[a], x[b]) })
	}
	for _, r := range rows {
		if v := x[r]; len(s.value) == 0 || v != s.value[len(s.value)-1] {
			s.value = append(s.value, v)
		}
		to[panel*r] = uint16(len(s.value))
	}
}
