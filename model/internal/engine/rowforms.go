package engine

import (
	"math"

	"github.com/coppice-ml/coppice/internal/kernel"
)

// rowForm is the trees of a segment in a form for one row, or for a few.
type rowForm interface {
	// scan writes the leaves that the row reaches in up to kernel.LaneTrees trees from one on.
	scan(c *rowScratch, lo int)
	// cost is about the nanoseconds that all trees take.
	cost() int
	// scanRows is scan for the rows of a tile. begin is called first, once for all trees. copies
	// reports whether copies of codes may differ from those.
	begin(c *scanner, rows int, copies bool)
	scanRows(c *scanner, lo, rows int, copies bool)
	// rowsCost is the cost of as many rows, as kernel.ScanCost has it.
	rowsCost(rows int, copies bool) int
}

// rowCodes is the largest number of codes of a row in a rowForm.
const rowCodes = 256

// rowScratch is the memory in which one row is scanned.
type rowScratch struct {
	codes   [rowCodes]int8
	missing bool // some value is missing, so that copies of codes may differ
	leaf    [kernel.LaneTrees]uint8
	ends    [kernel.LaneTrees]int32 // of trees that are walked in place
}

// rowFormOf returns the fastest form of a segment for one row, nil if it has too many columns.
func rowFormOf(p *Program, s *segment, levels bool) rowForm {
	if s.slots > rowCodes {
		return nil
	}
	sets := setStepsOf(p, s)
	if sets == nil && len(s.sets) > 0 {
		return nil
	}
	if sets != nil && len(sets.trees)+len(s.inPlace) == len(s.trees) {
		return sets
	}
	form := p.comparisons(s, levels)
	if sets != nil {
		return &withSets{form, sets}
	}
	return form
}

// comparisons returns the fastest form of the trees without sets.
func (p *Program) comparisons(s *segment, levels bool) rowForm {
	w := stepsOf(p, s)
	if p.machine.Vectors && s.slots <= kernel.MaxLaneCodes {
		if l := lanesOf(s, levels, p.machine); l.cost() <= w.cost() {
			return l
		}
	}
	w.fill(p, s)
	return w
}

// code computes the codes of a row.
func (c *rowScratch) code(s *segment, values []float64) {
	c.missing = s.coder.Codes(c.codes[:], values)
	if s.slots == len(s.columns) && len(s.sets) == 0 {
		return
	}
	for k := range s.columns {
		in := &s.columns[k]
		if in.levels >= 0 {
			in.categories(c.codes[k:k+1], values[in.position:])
		}
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
		if s.adds != nil && e == nil {
			output := s.output[0]
			dst[output] = s.adds.add(c, s, dst[output])
			continue
		}
		others := s.inPlace
		for lo := 0; lo < len(s.trees); lo += kernel.LaneTrees {
			s.row.scan(c, lo)
			hi := min(lo+kernel.LaneTrees, len(s.trees))
			walked := s.walked(lo, hi)
			c.walk(others[:walked], row{values, p.place})
			l.add(p, s, dst, lo, hi, c, others[:walked], row{values, p.place})
			others = others[walked:]
			if e != nil && e.stops(p, dst, stage) {
				return false
			}
			stage++
		}
	}
	p.end(dst)
	return true
}

// walked returns how many of the trees from lo to hi are walked in place.
func (s *segment) walked(lo, hi int) int {
	n := 0
	if len(s.inPlace) > 0 {
		for _, numbers := range s.numbers[lo:hi] {
			n += int(one(numbers == nil))
		}
	}
	return n
}

// walk finds where a row ends in up to kernel.LaneTrees trees.
func (c *rowScratch) walk(plans []plan, r row) {
	for i := 0; i < len(plans); i += group {
		descend((*[group]int32)(c.ends[i:]), plans[i:min(i+group, len(plans))], r)
	}
}

// add adds what the leaves that a row reaches in the trees from lo to hi hold, of which some are
// walked in place.
func (l *layout) add(
	p *Program, s *segment, dst []float64, lo, hi int, c *rowScratch, others []plan, r row,
) {
	ends := c.ends[:]
	for t := lo; t < hi; {
		from, number := t, s.trees[t]
		switch {
		case s.numbers[t] == nil:
			others[0].finish(dst, ends[0], p.scale[number], r)
			others, ends = others[1:], ends[1:]
			t++
		case l.sums:
			t = s.alike(from, hi)
			output := s.output[from]
			dst[output] = kernel.SumRow(dst[output], c.leaf[from-lo:t-lo], s.value, s.valueAt[from:t])
		default:
			s.accumulate(p, dst, t, c.leaf[t-lo], r)
			t++
		}
	}
}

// accumulate adds what a leaf of a tree of the segment holds to the outputs of a row.
func (s *segment) accumulate(p *Program, dst []float64, t int, leaf uint8, r row) {
	number := s.trees[t]
	in := &p.plans[number]
	if in.Leaf.Linear != nil {
		in.finish(dst, s.numbers[t][leaf], p.scale[number], r)
		return
	}
	slot := s.ends[t][leaf]
	if in.Leaf.Slot != nil {
		slot = in.Leaf.Slot[slot]
	}
	in.accumulate(dst, slot, p.scale[number])
}

// leavesAlone is Leaves of such an ensemble.
func (l *layout) leavesAlone(p *Program, dst, values []float64) {
	c := l.scratch.Get().(*rowScratch)
	r := row{values, p.place}
	for i := range l.segments {
		s := &l.segments[i]
		c.code(s, values)
		others := s.inPlace
		for lo := 0; lo < len(s.trees); lo += kernel.LaneTrees {
			s.row.scan(c, lo)
			hi := min(lo+kernel.LaneTrees, len(s.trees))
			walked := others[:s.walked(lo, hi)]
			others = others[len(walked):]
			c.walk(walked, r)
			ends := c.ends[:]
			for t := lo; t < hi; t++ {
				if s.numbers[t] != nil {
					dst[s.trees[t]] = float64(s.numbers[t][c.leaf[t-lo]])
					continue
				}
				dst[s.trees[t]] = float64(walked[0].leaf(ends[0], r))
				walked, ends = walked[1:], ends[1:]
			}
		}
	}
	l.scratch.Put(c)
}
