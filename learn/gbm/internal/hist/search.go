package hist

import (
	"slices"

	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
)

// side accumulates the bins of a column that go to the first child, and keeps the best split. The
// ways to search for a split are written on it, for one output and for several.
type side interface {
	// clear takes all bins away.
	clear()
	add(bin int)
	// try compares the split that gives the bins so far to the first child with the best one, and
	// reports whether it is better. at is its bin.
	try(at int, missing bool) bool
	// found is the best split so far; its column is -1 while there is none.
	found() *split
	// mayBeGroup reports whether the bins so far are to be tried as a set; see tryGroup.
	mayBeGroup(before *int32) bool
}

// pointsOf is the split points of a numeric column that are tried: those after the bins from ...
// to-1.
type pointsOf struct {
	values   int // bins of present values
	from, to int
	missing  bool // whether a row of the leaf has a missing value
}

// allPoints returns all split points. Where values are missing there is one more, of known values
// against missing ones.
func allPoints(values int, missing bool) pointsOf {
	p := pointsOf{values: values, to: values - 1, missing: missing}
	if missing {
		p.to = values
	}
	return p
}

// randomPoint chooses one split point at random: of those between the least and the greatest bin
// that rows of the leaf are in, whose sums of hessians are at least floor.
func (p *pointsOf) randomPoint(hessians []float64, floor float64, s *rng.Stream) {
	first, last := 0, p.values-1
	for first < last && hessians[first] < floor {
		first++
	}
	for last > first && hessians[last] < floor {
		last--
	}
	if first == last {
		p.from = p.to - 1 // nothing but known against missing
		return
	}
	p.from = first + s.Intn(last-first)
	p.to = p.from + 1
}

// search tries the split points, with missing values on either side. whole is the sum of hessians
// of the leaf: where no value is missing, later ones go to the child that has more of it.
func (p *pointsOf) search(s side, whole float64) {
	p.tryAll(s, p.to, false)
	if p.missing {
		p.tryAll(s, min(p.to, p.values-1), true)
	} else if best := s.found(); best.column >= 0 {
		best.missing = best.first.h > whole-best.first.h
	}
}

func (p *pointsOf) tryAll(s side, to int, missing bool) {
	s.clear()
	if missing {
		s.add(p.values)
	}
	for b := range to {
		s.add(b)
		if b >= p.from {
			s.try(b, missing)
		}
	}
}

// oneAgainstRest tries each of some categories as the set, with missing values on the other side
// and, if bothSides, with it.
func oneAgainstRest(s side, categories []int32, values int, bothSides bool) {
	best := s.found()
	for _, b := range categories {
		s.clear()
		s.add(int(b))
		if s.try(int(b), false) {
			best.set = alone(b)
		}
		if !bothSides {
			continue
		}
		s.add(values)
		if s.try(int(b), true) {
			best.set = alone(b)
		}
	}
}

// ordinals are the first categories.
var ordinals = func() (all [256]int32) {
	for b := range all {
		all[b] = int32(b)
	}
	return all
}()

// alone returns the set of one category, which nobody changes.
func alone(b int32) []int32 {
	if int(b) < len(ordinals) {
		return ordinals[b : b+1 : b+1]
	}
	return []int32{b}
}

// prefixes tries the first and the last categories of an order, up to so many, as the set.
func prefixes(s side, order []int32, most int) {
	best := s.found()
	for _, down := range []bool{false, true} {
		s.clear()
		before := int32(0)
		for i := range most {
			set := order[:i+1]
			b := order[i]
			if down {
				set = order[len(order)-1-i:]
				b = set[0]
			}
			s.add(int(b))
			if s.mayBeGroup(&before) && s.try(int(b), false) {
				best.set = set
			}
		}
	}
	best.set = slices.Clone(best.set)
}

// eachSplitPoint calls f for every split by a column that is allowed: between bins in their order,
// or in order if that is not nil, or of one category against the rest. Gains are as they were
// tried.
func eachSplitPoint(s side, c *bins.Column, order []int32, f func(found *split)) {
	best := s.found()
	for _, missing := range []bool{false, true} {
		if missing && (c.Nominal() || !c.Missing) {
			break
		}
		s.clear()
		if missing {
			s.add(c.Values)
		}
		values := c.Values
		if order != nil {
			values = len(order)
		}
		for i := range values {
			b := i
			switch {
			case order != nil:
				b = int(order[i])
			case c.Nominal():
				s.clear()
			}
			s.add(b)
			*best = none()
			if !s.try(i, missing) {
				continue
			}
			switch {
			case order != nil:
				best.set = order[:i+1]
			case c.Nominal():
				best.set = []int32{int32(i)}
			}
			f(best)
		}
	}
}

// splitAt returns the one of some splits that is at a place, none where there is none. each calls f
// for all of them.
func splitAt(bin int, missing bool, each func(f func(found *split))) split {
	at := none()
	each(func(found *split) {
		if found.bin == bin && found.missing == missing {
			at = *found
		}
	})
	return at
}

// tryGroup reports whether a set of so many of all rows is to be tried by Categories.MinGroup.
// before is those of the last set that was.
func (c *Config) tryGroup(rows int32, before *int32, all int32) bool {
	least := int32(c.MinGroup)
	if least <= 1 {
		return true
	}
	if rows < int32(c.MinLeaf) || all-rows < least || rows-*before < least {
		return false
	}
	*before = rows
	return true
}

// orderOf returns the order of the categories of a column, nil if it has none.
func (c *Config) orderOf(column int, of *bins.Column) []int32 {
	if c.Order == nil || !of.Nominal() {
		return nil
	}
	return c.Order[column]
}

// weigh multiplies a gain by the weight of its column.
func (c *Config) weigh(s *split) {
	s.gain *= c.weight(s.column)
}

// weight returns the weight of a column.
func (c *Config) weight(column int) float64 {
	if c.ColumnWeight == nil {
		return 1
	}
	return c.ColumnWeight[column]
}

// Whether a child has MinLeaf rows mostly follows from its sum of hessians, given those of the row
// that has least and of the row that has most. Rows are counted only where it does not.

// enough returns the least sum of hessians that MinLeaf rows may have: less is too few rows.
func (c *Config) enough(least float64) float64 {
	if c.MinLeaf > 1 {
		return float64(float64(c.MinLeaf)*least) * (1 - 1e-9)
	}
	return 0
}

// doubtful reports whether a child of a sum of hessians may have fewer rows than MinLeaf. Where all
// rows have the same hessian, they are counted.
func (c *Config) doubtful(hessians, most float64) bool {
	return c.MinLeaf > 1 && hessians <= float64(float64(c.MinLeaf-1)*most)*(1+1e-9)
}
