package exact

import (
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/grow/criterion"
)

// setWeighed makes ready for the scan of weights, where the criterion has one: of two classes, or of numbers.
func (g *grower) setWeighed() {
	scan, ok := g.criterion.(criterion.WeighedScanner)
	if !ok || g.width != 2 {
		return
	}
	g.weighed, g.signed = scan, g.pop.Weight
	if g.family != criterion.Classes {
		return
	}
	g.signed = make([]float64, len(g.pop.Weight))
	for i, w := range g.pop.Weight { // no branch, for none would foretell classes
		g.signed[i] = math.Float64frombits(math.Float64bits(w) ^ uint64(1-g.pop.Class[i])<<63)
	}
}

// scanColumn finds the best cut of a column.
func (g *grower) scanColumn(c *criterion.Column, b *criterion.Best) {
	if g.weighed != nil {
		g.weighed.ScanWeighed(c, b)
	} else {
		g.scan.Scan(c, b)
	}
}

// shares makes a tree of one split use the prepared columns as they are, where it can: nothing is partitioned below its root.
// That makes a stump on weights one pass over each column. The rows must be all that were prepared, and keys need no class.
func (g *grower) shares(place []int32) bool {
	if g.limits.Depth != 1 || place != nil || g.rule != Learned || g.scan != nil || g.values != nil || g.limits.Chi2 > 0 {
		return false
	}
	for i := range g.prepared.columns {
		c := &g.prepared.columns[i]
		if c.kind != data.Numeric {
			return false
		}
		g.columns[i].order = c.sorted
	}
	g.shift, g.missing = 0, missingRank
	g.store = &presorted{g.columns}
	return true
}
