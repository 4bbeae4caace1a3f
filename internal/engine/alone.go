package engine

import (
	"math"

	"github.com/coppice-ml/coppice/internal/kernel"
)

// rowForm is the trees of a segment in a form for one row.
type rowForm interface {
	// scan writes the leaves that the row reaches in up to kernel.LaneTrees trees from one on.
	scan(c *rowScratch, lo int)
	// cost is about the nanoseconds that all trees take.
	cost() int
}

// rowCodes is the largest number of codes of a row in a rowForm.
const rowCodes = 256

// rowScratch is the memory in which one row is scanned.
type rowScratch struct {
	codes   [rowCodes]int8
	missing bool // some value is missing, so that copies of codes may differ
	leaf    [kernel.LaneTrees]uint8
}

// rowFormOf returns the faster form of a segment for one row, nil if it has too many columns or
// sets.
func rowFormOf(p *Program, s *segment, levels bool) rowForm {
	if s.slots > rowCodes || len(s.sets) > 0 {
		return nil
	}
	walked := stepsOf(p, s)
	if !kernel.UsesLanes() || s.slots > kernel.MaxLaneCodes {
		return walked
	}
	if l := lanesOf(s, levels); l.cost() <= walked.cost() {
		return l
	}
	return walked
}

// code computes the codes of a row.
func (c *rowScratch) code(s *segment, values []float64) {
	c.missing = s.coder.Codes(c.codes[:], values)
	if s.slots == len(s.columns) {
		return
	}
	for k := range s.columns {
		in := &s.columns[k]
		if in.copy < 0 {
			continue
		}
		c.codes[in.copy] = c.codes[k]
		if c.missing && math.IsNaN(values[in.position]) {
			c.codes[in.copy] = in.coder.Missing(false)
		}
	}
}

// rawAlone is Program.raw of an ensemble whose segments have a form for one row.
func (l *layout) rawAlone(p *Program, dst, values []float64, e *Early) (complete bool) {
	c := l.scratch.Get().(*rowScratch)
	defer l.scratch.Put(c)
	p.begin(dst)
	stage := 0
	for i := range l.segments {
		s := &l.segments[i]
		c.code(s, values)
		for lo := 0; lo < len(s.trees); lo += kernel.LaneTrees {
			s.row.scan(c, lo)
			hi := min(lo+kernel.LaneTrees, len(s.trees))
			if l.sums {
				s.sum(dst, lo, hi, &c.leaf)
			} else {
				s.finish(p, dst, lo, hi, c, values)
			}
			if e != nil && e.stops(p, dst, stage) {
				return false
			}
			stage++
		}
	}
	p.end(dst)
	return true
}

// finish adds what the leaves that a row reaches in the trees from lo to hi hold.
func (s *segment) finish(p *Program, dst []float64, lo, hi int, c *rowScratch, values []float64) {
	for t := lo; t < hi; t++ {
		tree := s.trees[t]
		p.plans[tree].finish(dst, s.numbers[t][c.leaf[t-lo]], p.scale[tree], row{values, p.place})
	}
}

// sum adds the values of the leaves that a row reaches in the trees from lo to hi to its outputs.
func (s *segment) sum(dst []float64, lo, hi int, leaf *[kernel.LaneTrees]uint8) {
	for t := lo; t < hi; {
		output, from := s.output[t], t
		for t++; t < hi && s.output[t] == output; {
			t++
		}
		dst[output] = kernel.SumRow(dst[output], leaf[from-lo:t-lo], s.value, s.valueAt[from:t])
	}
}

// leavesAlone is Leaves of such an ensemble.
func (l *layout) leavesAlone(dst, values []float64) {
	c := l.scratch.Get().(*rowScratch)
	for i := range l.segments {
		s := &l.segments[i]
		c.code(s, values)
		for lo := 0; lo < len(s.trees); lo += kernel.LaneTrees {
			s.row.scan(c, lo)
			for t := lo; t < min(lo+kernel.LaneTrees, len(s.trees)); t++ {
				dst[s.trees[t]] = float64(s.numbers[t][c.leaf[t-lo]])
			}
		}
	}
	l.scratch.Put(c)
}
