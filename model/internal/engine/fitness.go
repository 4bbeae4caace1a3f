package engine

import (
	"math"
	"slices"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/tree"
)

// larger reports whether more than a tenth of the trees that kernel.Scan supports have more leaves
// than it is fast for.
func (p *Program) larger(leaves int) bool {
	n := 0
	for i := range p.plans {
		if nodes := len(p.plans[i].nodes); nodes >= 2*leaves && nodes < 2*kernel.MaxScanLeaves {
			n++
		}
	}
	return 10*n > len(p.plans)
}

// survey finds which trees are fit for codes, with up to some leaves, and what they have in common.
func (l *layout) survey(p *Program, leaves int) (fit []bool, compiled int) {
	fit, l.sums, l.levels = make([]bool, len(p.plans)), true, true
	for i := range p.plans {
		t := &p.plans[i]
		if (t.output < 0) != (p.plans[0].output < 0) {
			return nil, 0 // segments would change the order of such sums
		}
		l.sums = l.sums && t.Leaf.Width == 1
		if fit[i] = p.scannable(t, leaves); fit[i] {
			compiled++
			l.levels = l.levels && t.oblivious()
			l.sums = l.sums && t.Leaf.Linear == nil
		}
	}
	return fit, compiled
}

// scannable reports whether a tree has up to some leaves, and nodes that the code of one column
// decides, also where values are missing.
func (p *Program) scannable(t *plan, leaves int) bool {
	if len(t.nodes) > 2*leaves-1 || t.way == plainly {
		return false
	}
	for n := range t.Nodes {
		d := &t.Nodes[n]
		kind := d.Kind()
		if kind == tree.Leaf {
			continue
		}
		sets := p.widths != nil && p.widths[d.Feature()] > 0 // of categories
		if t.missingChild(int32(n)) < 0 || sets != (kind != tree.Numeric) ||
			sets && p.levels[d.Feature()] > mostLevels ||
			kind == tree.Numeric && math.IsNaN(d.SplitPoint()) {
			return false
		}
	}
	return true
}

// oblivious reports whether all leaves of a tree are on one level, and all nodes of any other level
// compare one column with one split point.
func (p *plan) oblivious() bool {
	level := []int32{0}
	for p.Kind(level[0]) != tree.Leaf {
		first := level[0]
		var next []int32
		for _, n := range level {
			d := &p.Nodes[n]
			if d.Kind() != tree.Numeric || d.Feature() != p.Feature(first) ||
				d.SplitPoint() != p.SplitPoint(first) || p.missesLast(n) != p.missesLast(first) {
				return false
			}
			next = append(next, d.Child(), d.Child()+1)
		}
		level = next
	}
	return !slices.ContainsFunc(level, func(n int32) bool { return p.Kind(n) != tree.Leaf })
}

// missingChild returns the child that missing values go to at an inner node, -1 if that depends on
// the row, or on no child alone.
func (p *plan) missingChild(n int32) int32 {
	if p.Missing(n) == tree.MissingSurrogate && p.Surrogates != nil {
		return -1
	}
	return p.NextMissing(n)
}

// missesLast reports whether missing values go to the last child of a node.
func (p *plan) missesLast(n int32) bool { return p.missingChild(n) != p.Child(n) }

// costInPlace returns about the nanoseconds that one row takes in those trees, if they are walked
// in place: some for each level down to a leaf.
func (p *Program) costInPlace(trees []bool) int {
	const level = 8
	cost := 0
	for i := range p.plans {
		if !trees[i] {
			continue
		}
		nodes := p.plans[i].Nodes
		depth, sum, leaves := make([]uint8, len(nodes)), 0, 0 // at most 255 levels
		for n := range nodes {
			d := &nodes[n]
			if d.Kind() == tree.Leaf {
				sum += int(depth[n])
				leaves++
				continue
			}
			depth[d.Child()], depth[d.Child()+1] = depth[n]+1, depth[n]+1
		}
		cost += level * sum / leaves
	}
	return cost
}
