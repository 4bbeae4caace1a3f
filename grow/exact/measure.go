package exact

import (
	"math"
)

// add adds one row to the statistics of a set and returns its multiplicity.
func (g *grower) add(stats []float64, pos uint32, mean float64) int {
	w := 1.0
	if g.pop.Weight != nil {
		w = g.pop.Weight[pos]
	}
	if g.part != nil {
		w *= g.part[pos]
	}
	if g.pop.Class != nil {
		stats[g.pop.Class[pos]] += w
	} else {
		stats[0] += w
		stats[1] += float64(w * (g.pop.Y[pos] - mean))
	}
	if g.pop.Count == nil {
		return 1
	}
	return int(g.pop.Count[pos])
}

// unit reports that every row weighs 1 and stands once.
func (g *grower) unit() bool { return g.pop.Weight == nil && g.pop.Count == nil && g.part == nil }

// sum adds rows to the statistics of a set and returns their number with multiplicity.
func (g *grower) sum(stats []float64, order []entry, mean float64) int {
	rows := 0
	for _, e := range order {
		rows += g.add(stats, e.Pos, mean)
	}
	return rows
}

// weightOf returns the weight of a set.
func (g *grower) weightOf(stats []float64) float64 {
	if g.pop.Class == nil {
		return stats[0]
	}
	sum := 0.0
	for _, v := range stats {
		sum += v
	}
	return sum
}

// measure sums a node's rows in ascending order, so that its numbers depend on its rows alone and not on the way
// that led to them.
func (g *grower) measure(nd *node) {
	g.load(nd)
	nd.stats = make([]float64, g.width)
	if g.pop.Class == nil {
		g.measureValues(nd)
		return
	}
	for _, pos := range nd.list {
		nd.rows += g.add(nd.stats, pos, 0)
	}
	nd.weight = g.weightOf(nd.stats)
	classes := 0
	for _, w := range nd.stats {
		if w > 0 {
			classes++
		}
	}
	nd.pure = classes < 2
	var total [1]float64
	g.criterion.Impurity(total[:], nd.stats)
	nd.impurity = total[0]
}

// measureValues finds the mean in two passes, the second correcting the rounding of the first, and sums squares
// around it: no digits are lost where values are large and their spread is small.
func (g *grower) measureValues(nd *node) {
	rows := nd.list
	least, most := math.Inf(1), math.Inf(-1)
	var about [2]float64
	origin := g.pop.Y[rows[0]]
	for _, pos := range rows {
		nd.rows += g.add(about[:], pos, origin)
		least, most = min(least, g.pop.Y[pos]), max(most, g.pop.Y[pos])
	}
	nd.weight = about[0]
	nd.mean = origin + about[1]/about[0]
	nd.pure = least == most
	clear(nd.stats)
	for _, pos := range rows {
		g.add(nd.stats, pos, nd.mean)
		w, d := 1.0, g.pop.Y[pos]-nd.mean
		if g.pop.Weight != nil {
			w = g.pop.Weight[pos]
		}
		nd.impurity += float64(w * float64(d*d))
	}
	if nd.pure {
		nd.mean, nd.impurity = least, 0
	}
}

// record writes a node's value and statistics into the tree.
func (g *grower) record(nd *node) {
	value := nd.stats
	if g.pop.Class == nil {
		value = []float64{nd.mean}
	}
	g.b.SetValue(int32(nd.id), value)
	g.b.SetStats(int32(nd.id), nd.rows, nd.weight, nd.impurity/nd.weight)
}
