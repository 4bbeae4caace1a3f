package exact

import (
	"slices"

	"github.com/coppice-ml/coppice/grow/criterion"
)

// add adds one row to the statistics of a set and returns its multiplicity.
func (l *labels) add(stats []float64, pos uint32, origin float64) int {
	w := l.weight(pos)
	switch l.family {
	case criterion.Classes:
		stats[l.pop.Class[pos]] += w
	case criterion.Moments:
		stats[0] += w
		stats[1] += float64(w * (l.pop.Y[pos] - origin))
	default:
		stats[0] += w
	}
	return l.multiplicity(pos)
}

func (l *labels) multiplicity(pos uint32) int { return l.pop.Multiplicity(int(pos)) }

// weight returns what a row weighs in the node at hand.
func (l *labels) weight(pos uint32) float64 {
	w := l.pop.WeightAt(int(pos))
	if l.part != nil {
		w *= l.part[pos]
	}
	return w
}

// unit reports that every row weighs 1 and stands once.
func (l *labels) unit() bool { return l.pop.Weight == nil && l.pop.Count == nil && l.part == nil }

// countClasses adds rows that weigh what their multiplicities are to the weights of their classes.
func (l *labels) countClasses(stats []float64, rows []uint32) int {
	class, count := l.pop.Class, l.pop.Count
	if count == nil {
		for _, pos := range rows {
			stats[class[pos]]++
		}
		return len(rows)
	}
	sum := 0
	for _, pos := range rows {
		n := count[pos]
		stats[class[pos]] += float64(n)
		sum += int(n)
	}
	return sum
}

// sum adds rows to the statistics of a set and returns their number with multiplicity.
func (l *labels) sum(stats []float64, order []entry, origin float64) int {
	rows := 0
	for _, e := range order {
		rows += l.add(stats, e.Pos, origin)
	}
	return rows
}

// weightOf returns the weight of a set.
func (l *labels) weightOf(stats []float64) float64 {
	if l.family != criterion.Classes {
		return stats[0]
	}
	sum := 0.0
	for _, v := range stats {
		sum += v
	}
	return sum
}

// measure sums a node's rows in a fixed order, ascending or by value, so that its numbers depend on
// its rows alone and not on the way that led to them.
func (l *labels) measure(nd *node) {
	l.load(nd)
	nd.stats = slices.Grow(nd.stats, l.width)[:l.width]
	clear(nd.stats)
	if l.unlabeled {
		for _, pos := range nd.list {
			nd.rows += l.add(nd.stats, pos, 0)
		}
		nd.weight = nd.stats[0]
		return
	}
	if l.family != criterion.Classes {
		l.measureNumbers(nd)
		return
	}
	switch {
	case l.counts:
		nd.rows = l.countClasses(nd.stats, nd.list)
	case l.pop.Count == nil && l.pop.Weight != nil && l.part == nil:
		class, weight, stats := l.pop.Class, l.pop.Weight, nd.stats
		for _, pos := range nd.list {
			stats[class[pos]] += weight[pos]
		}
		nd.rows = len(nd.list)
	default:
		for _, pos := range nd.list {
			nd.rows += l.add(nd.stats, pos, 0)
		}
	}
	l.measureClasses(nd)
}

// measureChildren is measure for the two children of a node whose classes are counted: those of the
// larger are the node's less the smaller's.
func (l *labels) measureChildren(nd, first, last *node) {
	small, large := first, last
	if len(large.list) < len(small.list) {
		small, large = large, small
	}
	small.stats = slices.Grow(small.stats, l.width)[:l.width]
	clear(small.stats)
	small.rows = l.countClasses(small.stats, small.list)
	large.stats = append(large.stats[:0], nd.stats...)
	for i, n := range small.stats {
		large.stats[i] -= n
	}
	large.rows = nd.rows - small.rows
	l.measureClasses(first)
	l.measureClasses(last)
}

// measureClasses measures a node whose classes are summed.
func (l *labels) measureClasses(nd *node) {
	nd.weight = l.weightOf(nd.stats)
	nd.pure = l.setNarrow(nd)
	var total [1]float64
	l.criterion.Impurity(total[:], nd.stats, nd.stats)
	nd.impurity = total[0]
}

func (l *labels) measureNumbers(nd *node) {
	rows := nd.list
	if l.family == criterion.Values {
		nd.byValue = l.sortByValue(nd.list)
		rows = nd.byValue
	}
	sample := l.gather(rows)
	nd.rows = l.countRows(rows)
	m := l.deviance.Describe(nd.stats, sample)
	nd.value, nd.origin, nd.impurity = m.Value, m.Origin, m.Impurity
	nd.weight = l.weightOf(nd.stats)
	if allEqual(sample.Y) {
		nd.pure = true
		nd.value, nd.impurity = slices.Min(sample.Y), 0
	}
}

// allEqual reports whether all values are equal; mostly the first tell.
func allEqual(values []float64) bool {
	for _, v := range values {
		if v != values[0] {
			return false
		}
	}
	return true
}

// countRows returns the number of rows with multiplicity.
func (l *labels) countRows(rows []uint32) int {
	count := l.pop.Count
	if count == nil {
		return len(rows)
	}
	n := 0
	for _, pos := range rows {
		n += int(count[pos])
	}
	return n
}

// gather copies the values and weights of rows; the result is valid until the next call.
func (l *labels) gather(rows []uint32) criterion.Sample {
	s := &l.sample
	s.Y = slices.Grow(s.Y[:0], len(rows))[:len(rows)]
	values, y := s.Y, l.pop.Y
	for i, pos := range rows {
		values[i] = y[pos]
	}
	if l.unit() && !l.plain {
		return criterion.Sample{Y: s.Y}
	}
	s.Weight = slices.Grow(s.Weight[:0], len(rows))[:len(rows)]
	weights, count := s.Weight, l.pop.Count
	if l.pop.Weight == nil && l.part == nil && count != nil {
		for i, pos := range rows {
			weights[i] = float64(count[pos])
		}
		return *s
	}
	for i, pos := range rows {
		weights[i] = l.weight(pos)
	}
	return *s
}

// load makes the parts of a node's rows those that sums look at.
func (l *labels) load(nd *node) {
	if l.part == nil {
		return
	}
	for i, pos := range nd.list {
		l.part[pos] = 1
		if nd.part != nil {
			l.part[pos] = nd.part[i]
		}
	}
}
