package exact

import (
	"slices"

	"github.com/coppice-ml/coppice/grow/criterion"
)

// add adds one row to the statistics of a set and returns its multiplicity.
func (g *grower) add(stats []float64, pos uint32, origin float64) int {
	w := g.weight(pos)
	switch g.family {
	case criterion.Classes:
		stats[g.pop.Class[pos]] += w
	case criterion.Moments:
		stats[0] += w
		stats[1] += float64(w * (g.pop.Y[pos] - origin))
	default:
		stats[0] += w
	}
	return g.multiplicity(pos)
}

func (g *grower) multiplicity(pos uint32) int { return g.pop.Multiplicity(int(pos)) }

// weight returns what a row weighs in the node at hand.
func (g *grower) weight(pos uint32) float64 {
	w := g.pop.WeightAt(int(pos))
	if g.part != nil {
		w *= g.part[pos]
	}
	return w
}

// unit reports that every row weighs 1 and stands once.
func (g *grower) unit() bool { return g.pop.Weight == nil && g.pop.Count == nil && g.part == nil }

// countClasses adds rows that weigh what their multiplicities are to the weights of their classes.
func (g *grower) countClasses(stats []float64, rows []uint32) int {
	class, count := g.pop.Class, g.pop.Count
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
func (g *grower) sum(stats []float64, order []entry, origin float64) int {
	rows := 0
	for _, e := range order {
		rows += g.add(stats, e.Pos, origin)
	}
	return rows
}

// weightOf returns the weight of a set.
func (g *grower) weightOf(stats []float64) float64 {
	if g.family != criterion.Classes {
		return stats[0]
	}
	sum := 0.0
	for _, v := range stats {
		sum += v
	}
	return sum
}

// measure sums a node's rows in a fixed order, ascending or by value, so that its numbers depend on its rows alone and
// not on the way that led to them.
func (g *grower) measure(nd *node) {
	g.load(nd)
	nd.stats = slices.Grow(nd.stats, g.width)[:g.width]
	clear(nd.stats)
	if g.blind {
		for _, pos := range nd.list {
			nd.rows += g.add(nd.stats, pos, 0)
		}
		nd.weight = nd.stats[0]
		return
	}
	if g.family != criterion.Classes {
		g.measureNumbers(nd)
		return
	}
	switch {
	case g.counts:
		nd.rows = g.countClasses(nd.stats, nd.list)
	case g.pop.Count == nil && g.pop.Weight != nil && g.part == nil:
		class, weight, stats := g.pop.Class, g.pop.Weight, nd.stats
		for _, pos := range nd.list {
			stats[class[pos]] += weight[pos]
		}
		nd.rows = len(nd.list)
	default:
		for _, pos := range nd.list {
			nd.rows += g.add(nd.stats, pos, 0)
		}
	}
	g.measureClasses(nd)
}

// measureChildren is measure for the two children of a node whose classes are counted: those of the larger are the node's less
// the smaller's.
func (g *grower) measureChildren(nd, first, last *node) {
	small, large := first, last
	if len(large.list) < len(small.list) {
		small, large = large, small
	}
	small.stats = slices.Grow(small.stats, g.width)[:g.width]
	clear(small.stats)
	small.rows = g.countClasses(small.stats, small.list)
	large.stats = append(large.stats[:0], nd.stats...)
	for i, n := range small.stats {
		large.stats[i] -= n
	}
	large.rows = nd.rows - small.rows
	g.measureClasses(first)
	g.measureClasses(last)
}

// measureClasses measures a node whose classes are summed.
func (g *grower) measureClasses(nd *node) {
	nd.weight = g.weightOf(nd.stats)
	nd.pure = g.setNarrow(nd)
	var total [1]float64
	g.criterion.Impurity(total[:], nd.stats, nd.stats)
	nd.impurity = total[0]
}

func (g *grower) measureNumbers(nd *node) {
	rows := nd.list
	if g.family == criterion.Values {
		nd.byValue = g.sortByValue(nd.list)
		rows = nd.byValue
	}
	sample := g.gather(rows)
	nd.rows = g.countRows(rows)
	m := g.deviance.Describe(nd.stats, sample)
	nd.value, nd.origin, nd.impurity = m.Value, m.Origin, m.Impurity
	nd.weight = g.weightOf(nd.stats)
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
func (g *grower) countRows(rows []uint32) int {
	count := g.pop.Count
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
func (g *grower) gather(rows []uint32) criterion.Sample {
	s := &g.sample
	s.Y = slices.Grow(s.Y[:0], len(rows))[:len(rows)]
	values, y := s.Y, g.pop.Y
	for i, pos := range rows {
		values[i] = y[pos]
	}
	if g.unit() && !g.plain {
		return criterion.Sample{Y: s.Y}
	}
	s.Weight = slices.Grow(s.Weight[:0], len(rows))[:len(rows)]
	weights, count := s.Weight, g.pop.Count
	if g.pop.Weight == nil && g.part == nil && count != nil {
		for i, pos := range rows {
			weights[i] = float64(count[pos])
		}
		return *s
	}
	for i, pos := range rows {
		weights[i] = g.weight(pos)
	}
	return *s
}

// recordOpen is record for a node that may be split, recordLeaf for one that is not.
func (g *grower) recordOpen(nd *node) {
	if !g.leaves {
		g.record(nd)
	}
}

func (g *grower) recordLeaf(nd *node) {
	if g.leaves {
		g.record(nd)
	}
}

// record writes a node's value and statistics into the tree.
func (g *grower) record(nd *node) {
	value := nd.stats
	if g.family != criterion.Classes {
		value = []float64{nd.value}
	}
	g.b.SetValue(int32(nd.id), value)
	g.b.SetStats(int32(nd.id), nd.rows, nd.weight, nd.impurity/nd.weight)
}
