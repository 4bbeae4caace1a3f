package hist

import (
	"cmp"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/internal/bins"
	"github.com/coppice-ml/coppice/internal/rng"
)

// vectorScanner finds the best split of a leaf for all outputs, by one column after the other. Each
// worker has its own.
type vectorScanner struct {
	v *VectorGrower

	// Of the column that is looked at.
	sum     []pair    // of each bin and output, bin-major, in the caller's units
	mean    []float64 // of each bin: the mean hessian sum of the outputs
	rows    []int32   // of each bin; nil: not counted
	scratch []int32   // memory of rows
	g, h    []float64

	l     *open
	terms terms
	whole float64 // mean hessian sum of the leaf
	base  float64 // score of the leaf itself
	left  []pair  // by output, of the split that is tried
	order []int32
}

func newVectorScanner(v *VectorGrower) *vectorScanner {
	return &vectorScanner{v: v, left: make([]pair, v.outputs)}
}

// begin prepares for a leaf.
func (s *vectorScanner) begin(l *open) {
	s.l, s.terms = l, s.v.terms()
	s.whole, s.base = 0, 0
	for k, t := range l.several.sum {
		s.whole += t.h
		s.base += s.terms.best(t, free(), float64(l.len()), l.several.value[k])
	}
	s.whole /= float64(s.v.outputs)
}

// load reads the sums of a column.
func (s *vectorScanner) load(c *bins.Column) {
	v := s.v
	n, outputs := c.Bins(), v.outputs
	s.g, s.h = resize(s.g, n), resize(s.h, n)
	s.sum, s.mean = resize(s.sum, n*outputs), resize(s.mean, n)
	clear(s.mean)
	for k := range outputs {
		u := &v.sums[k]
		t := s.l.several.sum[k]
		s.l.several.hist[k].column(c, v.r.lay.at[c.Group], pair{t.g / u.unitG, t.h / u.unitH}, s.g, s.h)
		for b := range n {
			p := pair{float64(s.g[b] * u.unitG), float64(s.h[b] * u.unitH)}
			s.sum[b*outputs+k] = p
			s.mean[b] += p.h
		}
	}
	for b := range s.mean {
		s.mean[b] /= float64(outputs)
	}
}

// scan returns the best split by a column. Rows are counted where MinRows may forbid it.
func (s *vectorScanner) scan(column int) split {
	c := &s.v.r.m.Columns[column]
	s.load(c)
	s.rows = nil
	found := s.find(column, c)
	few := s.v.r.c.MinLeaf
	grouped := c.Nominal() && s.v.r.c.MinGroup > 1
	if found.column < 0 || !grouped && (few <= 1 || min(found.first.h, s.whole-found.first.h) > float64(float64(few-1)*s.v.most)*(1+1e-9)) {
		return found
	}
	s.count(c)
	return s.find(column, c)
}

// count counts the rows of the leaf in each bin of a column.
func (s *vectorScanner) count(c *bins.Column) {
	s.scratch = resize(s.scratch, c.Bins())
	s.rows = s.scratch
	clear(s.rows)
	r := s.v.r
	group := &r.m.Groups[c.Group]
	for _, row := range r.order[s.l.begin:s.l.end] {
		s.rows[c.Bin(group.Code(row))]++
	}
}

func (s *vectorScanner) find(column int, c *bins.Column) split {
	best := none()
	if c.Nominal() {
		s.findNominal(column, c, &best)
	} else {
		s.findOrdered(column, c, &best)
	}
	if best.column < 0 || !(best.gain > math.Abs(s.base)*1e-12) {
		return none()
	}
	if w := s.v.r.c.ColumnWeight; w != nil {
		best.gain *= w[column]
	}
	if !(best.gain > 0) || best.gain < s.v.r.least {
		return none()
	}
	return best
}

// findOrdered tries every split point between the bins of a numeric column, with missing values on
// either side.
func (s *vectorScanner) findOrdered(column int, c *bins.Column, best *split) {
	values := c.Values
	has := s.mean[values] >= s.v.floor
	from, to := 0, values-1
	if has {
		to = values // also known against missing
	}
	if s.v.r.c.ExtraRandom {
		from, to = s.draw(column, values, to)
	}
	for _, missing := range []bool{false, true} {
		side := split{column: column, missing: missing}
		clear(s.left)
		if missing {
			if !has {
				break
			}
			to = min(to, values-1)
			s.add(values, &side)
		}
		for b := 0; b < to; b++ {
			s.add(b, &side)
			if side.bin = b; b >= from {
				s.try(&side, best)
			}
		}
	}
	if !has && best.column >= 0 {
		best.missing = best.first.h > s.whole-best.first.h
	}
}

// draw is scanner.draw for several outputs.
func (s *vectorScanner) draw(column, values, to int) (int, int) {
	first, last := 0, values-1
	for first < last && s.mean[first] < s.v.floor {
		first++
	}
	for last > first && s.mean[last] < s.v.floor {
		last--
	}
	if first == last {
		return to - 1, to
	}
	b := first + rng.New(s.v.r.seed, forSplitPoint, s.l.key, uint64(column)).Intn(last-first)
	return b, b + 1
}

// add gives a bin to the first child.
func (s *vectorScanner) add(b int, side *split) {
	outputs := s.v.outputs
	for k, p := range s.sum[b*outputs : (b+1)*outputs] {
		s.left[k] = s.left[k].plus(p)
	}
	side.first.h += s.mean[b]
	if s.rows != nil {
		side.rows += s.rows[b]
	}
}

// try compares the split that gives left to the first child with the best so far.
func (s *vectorScanner) try(side, best *split) bool {
	c := &s.v.r.c
	first, last := side.first.h, s.whole-side.first.h
	if lowest := max(c.MinChildWeight, s.v.floor); first < lowest || last < lowest {
		return false
	}
	few := c.MinLeaf
	if s.rows != nil {
		if int(side.rows) < few || s.l.len()-int(side.rows) < few {
			return false
		}
	} else if few > 1 && min(first, last) < float64(float64(few)*s.v.least)*(1-1e-9) {
		return false
	}
	all := float64(s.l.len())
	fraction := first / s.whole
	gain := 0.0
	for k, total := range s.l.several.sum {
		left, parent := s.left[k], s.l.several.value[k]
		gain += s.terms.best(left, free(), float64(all*fraction), parent) + s.terms.best(total.minus(left), free(), float64(all*(1-fraction)), parent)
	}
	if gain -= s.base; gain > best.gain {
		*best = *side
		best.gain = gain
		return true
	}
	return false
}

// findNominal tries sets of categories: one against the rest where there are few, else prefixes of
// the orders of gradient over hessian of each output, from both ends. Missing values stay with the
// rest.
func (s *vectorScanner) findNominal(column int, c *bins.Column, best *split) {
	config := &s.v.r.c
	present := s.order[:0]
	for b := range c.Values {
		if s.mean[b] >= s.v.floor {
			present = append(present, int32(b))
		}
	}
	s.order = present
	if config.Order != nil {
		s.prefixes(column, config.Order[column], best)
		return
	}
	if c.Values <= config.OneHot {
		for i, b := range present {
			side := split{column: column, bin: int(b)}
			clear(s.left)
			s.add(int(b), &side)
			if s.try(&side, best) {
				best.set = present[i : i+1]
			}
		}
		best.set = slices.Clone(best.set)
		return
	}
	if few := config.MinCategory; few > 0 {
		present = slices.DeleteFunc(present, func(b int32) bool { return s.mean[b] < few })
	}
	terms := s.terms
	s.terms.l2 += config.CatL2
	for k := range s.v.outputs {
		s.sort(present, k)
		s.prefixes(column, present, best)
	}
	s.terms = terms
}

// sort orders categories by what an output's gradients say of them.
func (s *vectorScanner) sort(present []int32, output int) {
	smooth := s.v.r.c.CatSmooth
	ratio := func(b int32) float64 {
		p := s.sum[int(b)*s.v.outputs+output]
		if !(p.h+smooth > 0) {
			return 0
		}
		return p.g / (p.h + smooth)
	}
	slices.SortFunc(present, func(a, b int32) int {
		if d := cmp.Compare(ratio(a), ratio(b)); d != 0 {
			return d
		}
		return cmp.Compare(a, b)
	})
}

// prefixes tries the first and the last categories of an order, up to MaxCategories, as the set.
func (s *vectorScanner) prefixes(column int, present []int32, best *split) {
	many := len(present)
	if most := s.v.r.c.MaxCategories; most > 0 {
		many = min(many, most)
	}
	for _, down := range []bool{false, true} {
		side, before := split{column: column}, int32(0)
		clear(s.left)
		for i := range many {
			set := present[:i+1]
			if down {
				set = present[len(present)-1-i:]
			}
			b := set[i]
			if down {
				b = set[0]
			}
			side.bin = int(b)
			s.add(int(b), &side)
			if s.rows != nil && !s.v.r.c.tryGroup(side.rows, &before, s.l.len()) {
				continue
			}
			if s.try(&side, best) {
				best.set = slices.Clone(set)
			}
		}
	}
}

// sumsOf returns the sums of the first child of a leaf that is split.
func (s *vectorScanner) sumsOf(l *open) []pair {
	c := &s.v.r.m.Columns[l.split.column]
	s.l, s.rows = l, nil
	s.load(c)
	clear(s.left)
	var side split
	for b := range c.Bins() {
		if l.split.toFirst(c, b) {
			s.add(b, &side)
		}
	}
	return slices.Clone(s.left)
}

// toFirst reports whether a bin goes to the first child.
func (a *split) toFirst(c *bins.Column, b int) bool {
	switch {
	case b == c.Values:
		return a.missing
	case a.set != nil:
		return slices.Contains(a.set, int32(b))
	}
	return b <= a.bin
}
