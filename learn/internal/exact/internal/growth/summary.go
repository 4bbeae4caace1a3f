package growth

import (
	"slices"

	"github.com/coppice-ml/coppice/internal/criterion"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/sorting"
)

// Add adds one row to the statistics of a set and returns its multiplicity.
func (l *Labels) Add(stats []float64, pos uint32, origin float64) int {
	w := l.Weight(pos)
	switch l.Family {
	case criterion.Classes:
		stats[l.Pop.Class[pos]] += w
	case criterion.Moments:
		stats[0] += w
		stats[1] += float64(w * (l.Pop.Y[pos] - origin))
	default:
		stats[0] += w
	}
	return l.Multiplicity(pos)
}

// Multiplicity returns how often a row stands in the population.
func (l *Labels) Multiplicity(pos uint32) int { return l.Pop.Multiplicity(int(pos)) }

// Weight returns what a row weighs in the current node.
func (l *Labels) Weight(pos uint32) float64 {
	w := l.Pop.WeightAt(int(pos))
	if l.Fraction != nil {
		w *= l.Fraction[pos]
	}
	return w
}

// unit reports that every row weighs 1 and stands once.
func (l *Labels) unit() bool {
	return l.Pop.Weight == nil && l.Pop.Count == nil && l.Fraction == nil
}

// countClasses adds rows that weigh what their multiplicities are to the weights of their classes.
func (l *Labels) countClasses(stats []float64, rows []uint32) int {
	class, count := l.Pop.Class, l.Pop.Count
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

// Sum adds rows to the statistics of a set and returns their number with multiplicity.
func (l *Labels) Sum(stats []float64, order []sorting.Entry, origin float64) int {
	rows := 0
	for _, e := range order {
		rows += l.Add(stats, e.Pos, origin)
	}
	return rows
}

// WeightOf returns the weight of a set.
func (l *Labels) WeightOf(stats []float64) float64 {
	if l.Family != criterion.Classes {
		return stats[0]
	}
	sum := 0.0
	for _, v := range stats {
		sum += v
	}
	return sum
}

// Summarise sums a node's rows in a fixed order, ascending or by value. So its numbers depend on
// its rows alone, and not on the splits above it.
func (l *Labels) Summarise(nd *Node) {
	l.Load(nd)
	nd.Stats = slices.Grow(nd.Stats, l.Width)[:l.Width]
	clear(nd.Stats)
	if l.Unlabeled {
		for _, pos := range nd.Rows {
			nd.Count += l.Add(nd.Stats, pos, 0)
		}
		nd.Weight = nd.Stats[0]
		return
	}
	if l.Family != criterion.Classes {
		l.summariseNumbers(nd)
		return
	}
	switch {
	case l.Counts:
		nd.Count = l.countClasses(nd.Stats, nd.Rows)
	case l.Pop.Count == nil && l.Pop.Weight != nil && l.Fraction == nil:
		class, weight, stats := l.Pop.Class, l.Pop.Weight, nd.Stats
		for _, pos := range nd.Rows {
			stats[class[pos]] += weight[pos]
		}
		nd.Count = len(nd.Rows)
	default:
		for _, pos := range nd.Rows {
			nd.Count += l.Add(nd.Stats, pos, 0)
		}
	}
	l.summariseClasses(nd)
}

// summariseChildren is Summarise for the two children of a node whose classes are counted: those of
// the larger are the node's less the smaller's.
func (l *Labels) summariseChildren(nd, first, last *Node) {
	small, large := first, last
	if len(large.Rows) < len(small.Rows) {
		small, large = large, small
	}
	small.Stats = slices.Grow(small.Stats, l.Width)[:l.Width]
	clear(small.Stats)
	small.Count = l.countClasses(small.Stats, small.Rows)
	large.Stats = append(large.Stats[:0], nd.Stats...)
	for i, n := range small.Stats {
		large.Stats[i] -= n
	}
	large.Count = nd.Count - small.Count
	l.summariseClasses(first)
	l.summariseClasses(last)
}

// summariseClasses is Summarise for a node whose classes are summed.
func (l *Labels) summariseClasses(nd *Node) {
	nd.Weight = l.WeightOf(nd.Stats)
	nd.Pure = l.SetFew(nd)
	l.Criterion.Impurity(l.total[:], nd.Stats, nd.Stats)
	nd.Impurity = l.total[0]
}

func (l *Labels) summariseNumbers(nd *Node) {
	rows := nd.Rows
	if l.Family == criterion.Values {
		nd.ByValue = l.SortByValue(nd.Rows)
		rows = nd.ByValue
	}
	sample := l.gather(rows)
	nd.Count = l.countRows(rows)
	m := l.deviance.Describe(nd.Stats, sample)
	nd.Value, nd.Origin, nd.Impurity = m.Value, m.Origin, m.Impurity
	nd.Weight = l.WeightOf(nd.Stats)
	if allEqual(sample.Y) {
		nd.Pure = true
		nd.Value, nd.Impurity = slices.Min(sample.Y), 0
	}
}

// allEqual reports whether all values are equal. Mostly the first few differ.
func allEqual(values []float64) bool {
	for _, v := range values {
		if v != values[0] {
			return false
		}
	}
	return true
}

// countRows returns the number of rows with multiplicity.
func (l *Labels) countRows(rows []uint32) int {
	count := l.Pop.Count
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
func (l *Labels) gather(rows []uint32) criterion.Sample {
	s := &l.sample
	s.Y = slices.Grow(s.Y[:0], len(rows))[:len(rows)]
	values, y := s.Y, l.Pop.Y
	for i, pos := range rows {
		values[i] = y[pos]
	}
	if l.unit() && !l.Plain {
		return criterion.Sample{Y: s.Y}
	}
	s.Weight = slices.Grow(s.Weight[:0], len(rows))[:len(rows)]
	weights, count := s.Weight, l.Pop.Count
	if l.Pop.Weight == nil && l.Fraction == nil && count != nil {
		for i, pos := range rows {
			weights[i] = float64(count[pos])
		}
		return *s
	}
	for i, pos := range rows {
		weights[i] = l.Weight(pos)
	}
	return *s
}

// Load makes the fractions of a node's rows those that sums use.
func (l *Labels) Load(nd *Node) {
	if l.Fraction == nil {
		return
	}
	for i, pos := range nd.Rows {
		l.Fraction[pos] = 1
		if nd.Fraction != nil {
			l.Fraction[pos] = nd.Fraction[i]
		}
	}
}
