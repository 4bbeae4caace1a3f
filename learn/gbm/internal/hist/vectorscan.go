package hist

import (
	"cmp"
	"slices"
)

// vectorScanner finds the splits of a leaf of several outputs, in the caller's units.
type vectorScanner struct {
	columnScan
	score vectorScore

	side  vectorSide
	g, h  []float64 // memory
	order []int32   // memory
}

// vectorScore is what the splits of a leaf of several outputs are scored by.
type vectorScore struct {
	c       *Config
	rows    int32
	terms   terms
	totals  []pair // by output
	outputs []stat
	whole   float64 // mean hessian sum of the leaf
	base    float64 // score of the leaf itself
	floor   float64 // the least mean hessian sum that is not none at all
	lowest  float64 // least mean hessian sum of a child
	enough  float64 // least mean hessian sum of MinLeaf rows
	most    float64 // greatest mean hessian of a row
	signed  bool    // some hessian of a row is below 0
}

// vectorSide is the side of a leaf of several outputs.
type vectorSide struct {
	score  *vectorScore
	column int
	sum    []pair    // of each bin and output, bin-major
	mean   []float64 // of each bin: the mean hessian sum of the outputs
	counts []int32   // rows by bin; nil: they are not counted

	left   []pair // by output, of the bins so far
	weight float64
	rows   int32
	best   split
}

// newVectorScanner returns the finder of a worker.
func newVectorScanner(of columnScan) finder {
	s, outputs := &vectorScanner{columnScan: of}, len(of.sums)
	s.score.totals, s.side.left, s.side.score = make([]pair, outputs), make([]pair, outputs),
		&s.score
	return s
}

func (s *vectorScanner) begin(l *open) {
	s.leaf = l
	f, c := &s.score, &s.c
	mean := 1 / float64(len(s.sums))
	f.c, f.rows, f.outputs = c, int32(l.len()), l.outputs
	f.terms = c.terms(0)
	f.whole, f.base, f.floor, f.most, f.signed = 0, 0, 0, 0, false
	least := 0.0
	for k := range s.sums {
		u, out := &s.sums[k], &l.outputs[k]
		f.totals[k] = pair{float64(out.sum.g * u.unitG), float64(out.sum.h * u.unitH)}
		f.whole += f.totals[k].h
		f.base += f.terms.best(f.totals[k], free(), float64(f.rows), out.value)
		f.floor += float64(u.floor() * u.unitH * mean)
		least += float64(u.least * u.unitH * mean)
		f.most += float64(u.most * u.unitH * mean)
		f.signed = f.signed || u.least < 0
	}
	f.whole /= float64(len(s.sums))
	f.lowest, f.enough = max(c.MinChildWeight, f.floor), c.enough(least)
}

// load reads the sums of a column.
func (s *vectorScanner) load(column int) {
	s.bins = &s.tables.m.Columns[column]
	n, outputs := s.bins.Bins(), len(s.sums)
	t := &s.side
	t.column, t.counts = column, nil
	s.g, s.h = resize(s.g, n), resize(s.h, n)
	t.sum, t.mean = resize(t.sum, n*outputs), resize(t.mean, n)
	clear(t.mean)
	at := s.leaf.hist.at(&s.tables.lay, s.bins)
	for k := range outputs {
		u := &s.sums[k]
		s.leaf.hist.column(s.bins, k, at, s.leaf.outputs[k].sum, s.g, s.h)
		for b := range n {
			p := pair{float64(s.g[b] * u.unitG), float64(s.h[b] * u.unitH)}
			t.sum[b*outputs+k] = p
			t.mean[b] += p.h
		}
	}
	for b := range t.mean {
		t.mean[b] /= float64(outputs)
	}
}

// scan returns the best split by a column. Rows are counted where MinLeaf may forbid it.
func (s *vectorScanner) scan(column int, _ *split) *split {
	s.load(column)
	s.scanSums()
	found := &s.side.best
	grouped := s.bins.Nominal() && s.c.MinGroup > 1
	if found.column < 0 ||
		!grouped && !s.c.doubtful(min(found.first.h, s.score.whole-found.first.h), s.score.most) {
		return found
	}
	s.side.counts = s.count(column)
	s.scanSums()
	return found
}

// scanSums finds the best split by the column, whose sums are loaded.
func (s *vectorScanner) scanSums() {
	s.side.best = none()
	if s.bins.Nominal() {
		s.scanNominal()
	} else {
		s.scanOrdered(&s.side, s.side.column, s.side.mean, s.score.floor, s.score.whole)
	}
	s.judge(&s.side.best, s.score.base, 1)
}

// scanNominal tries sets of categories: one against the rest where there are few, else prefixes of
// the orders of gradient over hessian of each output, from both ends. Missing values stay with the
// rest.
func (s *vectorScanner) scanNominal() {
	c := &s.c
	present := s.order[:0]
	for b := range s.bins.Values {
		if s.side.mean[b] >= s.score.floor {
			present = append(present, int32(b))
		}
	}
	s.order = present
	switch {
	case c.Order != nil:
		order := c.Order[s.side.column]
		prefixes(&s.side, order, len(order))
	case s.bins.Values <= c.OneHot:
		oneAgainstRest(&s.side, present, s.bins.Values, false)
	default:
		if few := c.MinCategory; few > 0 {
			present = slices.DeleteFunc(present, func(b int32) bool { return s.side.mean[b] < few })
		}
		terms := s.score.terms
		s.score.terms.l2 += c.CatL2
		most := len(present)
		if limit := c.MaxCategories; limit > 0 {
			most = min(most, limit)
		}
		for k := range s.sums {
			s.sort(present, k)
			prefixes(&s.side, present, most)
		}
		s.score.terms = terms
	}
}

// sort orders categories by gradient over hessian of an output.
func (s *vectorScanner) sort(present []int32, output int) {
	smooth := s.c.CatSmooth
	ratio := func(b int32) float64 {
		p := s.side.sum[int(b)*len(s.sums)+output]
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

func (s *vectorScanner) addPoints(column int, to *pointScores) { s.eachSplitPoint(column, to.add) }

func (s *vectorScanner) splitAt(column, bin int, missing bool) split {
	return splitAt(bin, missing, func(f func(*split)) { s.eachSplitPoint(column, f) })
}

// eachSplitPoint calls f for every split by a column that the leaf allows.
func (s *vectorScanner) eachSplitPoint(column int, f func(found *split)) {
	s.load(column)
	if s.c.MinLeaf > 1 {
		s.side.counts = s.count(column)
	}
	eachSplitPoint(&s.side, s.bins, s.c.orderOf(column, s.bins), func(found *split) {
		s.c.weigh(found)
		f(found)
	})
}

func (s *vectorScanner) sumsOfFirst(l *open) []pair {
	s.leaf = l
	s.load(l.split.column)
	s.side.clear()
	for b := range s.bins.Bins() {
		if l.split.toFirst(s.bins, b) {
			s.side.add(b)
		}
	}
	first := make([]pair, len(s.sums))
	for k, p := range s.side.left {
		u := &s.sums[k]
		first[k] = pair{p.g / u.unitG, p.h / u.unitH}
	}
	return first
}

func (s *vectorScanner) readsHistogram() bool { return true }

func (s *vectorSide) found() *split { return &s.best }

func (s *vectorSide) clear() {
	clear(s.left)
	s.weight, s.rows = 0, 0
}

func (s *vectorSide) add(b int) {
	outputs := len(s.left)
	for k, p := range s.sum[b*outputs : (b+1)*outputs] {
		s.left[k] = s.left[k].plus(p)
	}
	s.weight += s.mean[b]
	if s.counts != nil {
		s.rows += s.counts[b]
	}
}

func (s *vectorSide) try(at int, missing bool) bool {
	f := s.score
	first, last := s.weight, f.whole-s.weight
	if first < f.lowest || last < f.lowest {
		return false
	}
	if s.counts != nil {
		if few := int32(f.c.MinLeaf); s.rows < few || f.rows-s.rows < few {
			return false
		}
	} else if min(first, last) < f.enough {
		return false
	}
	if f.signed && !s.curved() {
		return false
	}
	gain := s.gain(first / f.whole)
	if !(gain > s.best.gain) {
		return false
	}
	s.best = split{column: s.column, bin: at, missing: missing, gain: gain, first: pair{h: first}}
	return true
}

// curved reports whether each output has a sum of hessians above 0 on both sides, with the penalty.
func (s *vectorSide) curved() bool {
	for k, total := range s.score.totals {
		left := s.left[k].h
		if !(left+s.score.terms.l2 > 0) || !(total.h-left+s.score.terms.l2 > 0) {
			return false
		}
	}
	return true
}

// gain returns what the split gains for all outputs, given the fraction of the leaf's hessians that
// goes to the first child.
func (s *vectorSide) gain(fraction float64) float64 {
	f := s.score
	all, gain := float64(f.rows), 0.0
	for k, total := range f.totals {
		left, parent := s.left[k], f.outputs[k].value
		gain += f.terms.best(left, free(), float64(all*fraction), parent) +
			f.terms.best(total.minus(left), free(), float64(all*(1-fraction)), parent)
	}
	return gain - f.base
}

func (s *vectorSide) mayBeGroup(before *int32) bool {
	return s.counts == nil || !(s.weight < s.score.lowest) &&
		s.score.c.tryGroup(s.rows, before, s.score.rows)
}
