package hist

import (
	"cmp"
	"slices"

	"github.com/coppice-ml/coppice/internal/invariant"
)

// splitter makes the children of leaves: it partitions their rows, and gives them their sums,
// values, limits and histograms.
type splitter struct {
	*inputs
	rows *rowOrder
	hist *builder
	find *searcher
}

// split splits a leaf, on a worker or on all of them, nil: it partitions its rows and makes its
// children. They get histograms, by fill, if one of them may be split, as it reports.
func (p *splitter) split(l *open, w *worker, fill filler) bool {
	first, mid := p.partition(l, w, fill)
	return p.children(l, mid, first, fill)
}

// splitTogether is split on all workers.
func (p *splitter) splitTogether(l *open) bool { return p.split(l, nil, p.hist.fillTogether) }

// partition partitions the rows of a leaf, on a worker or on all of them, nil. It returns the sums
// of the first child and the first row of the last one.
func (p *splitter) partition(l *open, w *worker, fill filler) (first []pair, mid int32) {
	first = p.sumsOfFirst(l, cmp.Or(w, p.team[0]), fill)
	if w == nil && p.tables.m.Columns[l.split.column].Listed { // which moves few rows
		w = p.team[0]
	}
	if w == nil {
		return first, p.rows.partitionTogether(l, p.tables.m, p.team)
	}
	return first, p.rows.partition(l, p.tables.m, w)
}

// sumsOfFirst returns the sums of the first child of a leaf that has a split, by output. If they
// are read from its histogram, and that was not kept, fill makes it.
func (p *splitter) sumsOfFirst(l *open, w *worker, fill filler) []pair {
	by := p.find.seekers[w.number]
	if by.readsHistogram() && l.hist == nil {
		l.hist = p.hist.take()
		fill(l.hist, p.rows.of(l))
	}
	return by.sumsOfFirst(l)
}

// children makes the children of a leaf whose rows were partitioned at mid.
func (p *splitter) children(l *open, mid int32, first []pair, fill filler) bool {
	rows := [1]int32{mid - l.begin}
	p.ranks.counts(rows[:])
	if !p.descend(l, mid, rows[0], first) {
		return false
	}
	small, _ := l.bySize()
	p.hist.fillChildren(l, p.c.mayBeSplit(small), fill)
	return true
}

// descend is children without their histograms. The first child has so many rows, of all ranks. It
// reports whether the children need histograms.
func (p *splitter) descend(l *open, mid, rows int32, first []pair) bool {
	l.makeChildren(p.memory, mid, rows, first)
	if invariant.On {
		p.checkChildren(l)
	}
	p.noteSeen(l)
	a, b := l.first, l.last
	a.l2 = p.l2Below(&l.split)
	b.l2 = a.l2
	if p.c.Interactions != nil {
		a.path = withColumn(l.path, l.split.column)
		b.path = a.path
	}
	if l.split.inName && p.c.Conventions != CatBoost {
		p.keep(l, a, b)
	} else {
		p.bound(l, a, b)
	}
	if l.final || !p.c.mayBeSplit(a) && !p.c.mayBeSplit(b) {
		p.hist.release(l)
		a.split, b.split = none(), none()
		return false
	}
	l.grows = true
	return true
}

// setValues gives a leaf its values, given the leaf above, nil for the root.
func (p *splitter) setValues(l, above *open) {
	t := p.c.terms(l.l2)
	for k := range l.outputs {
		parent, u := 0.0, &p.sums[k]
		if above != nil {
			parent = above.outputs[k].value
		}
		s := &l.outputs[k]
		s.value = t.value(pair{float64(s.sum.g * u.unitG), float64(s.sum.h * u.unitH)}, l.limits,
			float64(l.len()), parent)
	}
}

// bound gives children their values, and the limits that keep the sides of a monotone column in
// order: no value below the first child may pass the middle of the two, nor one below the last
// (Chen and Guestrin's implementation does the same).
func (p *splitter) bound(l, a, b *open) {
	p.setValues(a, l)
	p.setValues(b, l)
	sign := p.c.sign(l.split.column)
	if sign == 0 {
		return
	}
	first, last := &a.outputs[0].value, &b.outputs[0].value
	mid := float64(*first/2) + float64(*last/2)
	if sign > 0 {
		a.limits.upper, b.limits.lower = mid, mid
	} else {
		a.limits.lower, b.limits.upper = mid, mid
	}
	// With the rows counted exactly, smoothed values may have come to stand the other way round.
	*first, *last = a.limits.clamp(*first), b.limits.clamp(*last)
}

// keep gives children the value of a leaf that is split in name, and limits that keep the sides of
// a monotone column in order.
func (p *splitter) keep(l, a, b *open) {
	for k := range l.outputs {
		a.outputs[k].value, b.outputs[k].value = l.outputs[k].value, l.outputs[k].value
	}
	a.basis, b.basis = l.basis, l.basis
	switch sign, mid := p.c.sign(l.split.column), l.outputs[0].value; {
	case sign > 0:
		a.limits.upper, b.limits.lower = mid, mid
	case sign < 0:
		a.limits.lower, b.limits.upper = mid, mid
	}
}

// l2Below returns what is added to L2 of the leaves below a split.
func (p *splitter) l2Below(s *split) float64 {
	if p.c.Conventions != LightGBM || s.set == nil ||
		p.tables.m.Columns[s.column].Values <= p.c.OneHot {
		return 0
	}
	return p.c.CatL2
}

// noteSeen notes which bins a leaf has that is about to be split, if its histogram shows that:
// words of rows that all have a second derivative. Otherwise rows are counted, once the tree is
// grown.
func (p *splitter) noteSeen(l *open) {
	s, c := &l.split, &p.tables.m.Columns[l.split.column]
	if !p.c.Unseen || l.hist == nil || p.sums[0].double || p.sums[0].least < 1 || p.ranks.several() ||
		c.Default >= 0 || !c.Nominal() && !c.Missing {
		return
	}
	lighter := l.last.len() <= l.first.len() // counted's child
	if s.set == nil && s.missing {
		lighter = l.first.len() <= l.last.len()
	}
	if !lighter && p.weightScale == 0 && p.c.Policy != Symmetric {
		return
	}
	s.seen = make([]bool, c.Bins())
	words := l.hist.words(0)[l.hist.at(&p.tables.lay, c):]
	for b := range s.seen {
		s.seen[b] = uint32(words[b]) != 0
	}
}

// checkChildren checks that each child of a leaf has its rows in ascending order, and its sums are
// those of its rows. The sums come from the histogram, the rows from the partition, so that this
// compares them. Other ranks' rows are not known here, and float64 sums depend on their order.
func (p *splitter) checkChildren(l *open) {
	invariant.Check(l.first.begin == l.begin && l.first.end == l.last.begin && l.last.end == l.end,
		"children have rows %d-%d and %d-%d of %d-%d", l.first.begin, l.first.end, l.last.begin,
		l.last.end, l.begin, l.end)
	if p.ranks.several() {
		return
	}
	for _, c := range []*open{l.first, l.last} {
		rows := p.rows.of(c)
		invariant.Check(slices.IsSorted(rows), "rows of a child do not ascend")
		invariant.Check(len(rows) == c.len(), "%d rows of a child of %d", len(rows), c.len())
		for k := range c.outputs {
			if s := &p.sums[k]; !s.double {
				own := s.of(pair{}, rows)
				invariant.Check(own == c.outputs[k].sum, "output %d: the rows of a child sum up to %v, "+
					"its histogram to %v", k, own, c.outputs[k].sum)
			}
		}
	}
}
