//go:build amd64 && !purego

package kernel

import (
	"math"

	"golang.org/x/sys/cpu"
)

var (
	hasAVX2 = cpu.X86.HasAVX2
	hasFMA  = cpu.X86.HasFMA
)

// Best returns the allowed split point of the greatest score, of equal ones that of the lowest bin.
// Where none scores above Above its Bin is -1.
func (c *SplitPoints) Best() SplitPoint {
	s := c.start()
	fours := len(c.Words) / searchLanes
	if !hasAVX2 || !hasFMA || fours == 0 {
		return c.tail(s)
	}
	all, least := uint32(c.Total), math.Ceil(c.Lowest)
	if 2*least > float64(all) {
		return s.best // one of the children has too little
	}
	l := splitSearch{words: &c.Words[0], fours: fours, sum: s.sum, total: c.Total, l2: c.L2,
		lowest: c.Lowest, least: uint32(least), most: all - uint32(least)}
	l.sieve(c.Total)
	for i := range l.best {
		l.best[i], l.bin[i] = c.Above, -1
	}
	bestSplitPoint(&l)
	s.sum, s.next = l.sum, fours*searchLanes
	for i, b := range l.bin {
		if score := l.best[i]; b >= 0 &&
			(score > s.best.Score || score == s.best.Score && int(b) < s.best.Bin) {
			s.best = SplitPoint{score, int(b), l.first[i]}
		}
	}
	if uint32(l.sum) > l.most {
		return s.best
	}
	return c.tail(s)
}

const searchLanes = 4

// splitSearch is what the assembly works on: each lane keeps the best of every fourth bin.
type splitSearch struct {
	words  *int64
	fours  int
	sum    int64
	total  int64
	l2     float64
	lowest float64

	least, most uint32 // h of the first child that leaves both enough

	// Of the sieve.
	twice   float64 // 2 G/D
	perBest float64 // 1/D
	base    float64 // G^2/D
	fixed   float64 // what rounding may change, negative, and
	slack   float64 // its fraction that is for each unit of the best score

	best  [searchLanes]float64
	bin   [searchLanes]int64
	first [searchLanes]int64
}

// sieve prepares the test that spares most bins their score. With x = g1, y = h1 + L2, both
// children's g as G and their denominators as D, a score is above a best one B where
//
//	x^2 (D - y) + (G - x)^2 y > B y (D - y)
//
// which, divided by D, is
//
//	x^2 + y (B/D y - 2 G/D x - (B - G^2/D)) > 0
//
// Neither side's terms are greater than (|x| + |G|)^2 + 2 B D, with |x| and |G| up to 2^31. What
// rounding can change is less than 1e-14 of that: so much less than 0 must the left side be for the
// bin to be passed over.
func (l *splitSearch) sieve(total int64) {
	g, d := float64(total>>32), float64(uint32(total))+l.l2+l.l2
	l.twice, l.base = 2*g/d, g*g/d
	l.perBest = 1 / d
	l.fixed, l.slack = -1e-14*(1<<64), -2e-14*d
}

//go:noescape
func bestSplitPoint(c *splitSearch)
