//go:build amd64 && !purego

package kernel

import "golang.org/x/sys/cpu"

var hasAVX2 = cpu.X86.HasAVX2

// Best returns the greatest score of an allowed cut and the lowest bin that has it; -1, -1 if no cut is allowed.
func (c *Cuts) Best() (score float64, bin int) {
	s := c.start()
	if fours := len(c.Words) / cutLanes; hasAVX2 && fours > 0 {
		l := cutting{words: &c.Words[0], fours: fours, sum: s.sum, total: c.Total, l2: c.L2, lowest: c.Lowest}
		bestCut(&l)
		s.sum, s.next = l.sum, fours*cutLanes
		for i, score := range l.best {
			if b := int(l.bin[i]); score > s.best || score == s.best && b < s.bin {
				s.best, s.bin = score, b
			}
		}
	}
	return c.tail(s)
}

const cutLanes = 4

// cutting is what the assembly works on: each lane keeps the best of every fourth bin.
type cutting struct {
	words  *int64
	fours  int
	sum    int64
	total  int64
	l2     float64
	lowest float64
	best   [cutLanes]float64
	bin    [cutLanes]int64
}

//go:noescape
func bestCut(c *cutting)
