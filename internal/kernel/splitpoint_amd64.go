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
	all, least := uint32(c.total), math.Ceil(c.lowest)
	if 2*least > float64(all) {
		return s.best // one of the children has too little
	}
	l := splitSearch{words: &c.Words[0], fours: fours, sum: s.sum, total: c.total, l2: c.l2,
		lowest: c.lowest, sieve: c.sieve, least: uint32(least), most: all - uint32(least)}
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

	sieve sieve

	best  [searchLanes]float64
	bin   [searchLanes]int64
	first [searchLanes]int64
}

//go:noescape
func bestSplitPoint(c *splitSearch)
