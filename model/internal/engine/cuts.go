package engine

import (
	"fmt"
	"sync"

	"github.com/coppice-ml/coppice/internal/kernel"
)

// cuts is a segment in the form for kernel.ScanCuts, which is for many rows. Its nodes are made
// when they are first used.
type cuts struct {
	cutGroups
	column []int    // by code of a row: its column
	bitsAt []int    // by code of a row: its first element of the bits of a tile; one more at the end
	own    int      // codes that nodes test without the copies
	cost   int      // of a tile, as kernel.ScanCost has it
	plain  cutNodes // without the copies of codes
	copies cutNodes // with the copies of codes, for rows with missing values
}

// cutGroups is the trees of a segment in groups.
type cutGroups struct {
	groups []cutGroup
	at     []int32 // by scanTrees trees of the segment: their first group; one more at the end
}

// cutGroup is trees that are scanned together. Their nodes have the places of the trees' own in the
// segment, but another order.
type cutGroup struct {
	trees []kernel.CutTree
	first int // the number of the first tree in the segment
}

// cutNodes is the nodes of all groups.
type cutNodes struct {
	making sync.Once
	nodes  []kernel.CutNode
}

// below is what the leaves below a node end before, and how deep it is.
type below struct{ high, depth int }

// cutsOf returns that form of a segment, or nil and why there is none.
func cutsOf(s *segment, on kernel.Machine) (*cuts, error) {
	if len(s.sets) > 0 {
		return nil, fmt.Errorf("the trees have sets of categories")
	}
	c := &cuts{column: make([]int, s.slots), bitsAt: make([]int, s.slots+1), own: len(s.columns)}
	for k := range s.columns {
		if c.column[k] = k; s.columns[k].copy >= 0 {
			c.column[s.columns[k].copy] = k
		}
	}
	for k, in := range c.column {
		c.bitsAt[k+1] = c.bitsAt[k] + s.columns[in].coder.NumBits()
	}
	if n := c.bitsAt[s.slots]; n > kernel.MaxRowBits {
		return nil, fmt.Errorf("a row has %d bits, more than %d", n, kernel.MaxRowBits)
	}
	c.cutGroups = groupsOf(s)
	c.cost = on.CutsCost(len(s.nodes), len(s.trees), c.own,
		c.bitsAt[c.own]/kernel.CodeBitsStep)
	return c, nil
}

// groupsOf divides the trees of a segment into groups.
func groupsOf(s *segment) (c cutGroups) {
	for lo := 0; lo < len(s.trees); lo += scanTrees {
		c.at = append(c.at, int32(len(c.groups)))
		for t, hi := lo, min(lo+scanTrees, len(s.trees)); t < hi; {
			var group kernel.CutGroup
			first := t
			for t < hi && group.Add(int(s.at[t+1]-s.at[t])+1) {
				t++
			}
			c.groups = append(c.groups, cutGroup{group.Trees, first})
		}
	}
	c.at = append(c.at, int32(len(c.groups)))
	return c
}

// nodes returns the nodes of all groups, for rows with missing values or not.
func (c *cuts) nodes(s *segment, missing bool) []kernel.CutNode {
	in := &c.plain
	if missing && len(c.column) > c.own {
		in = &c.copies
	}
	in.making.Do(func() {
		in.nodes = make([]kernel.CutNode, len(s.nodes))
		c.each(s, func(at int, tree kernel.CutTree, n *kernel.ScanNode, high int) {
			slot := int(n.At / kernel.ScanRows)
			k := c.column[slot]
			if in != &c.copies {
				slot = k
			}
			in.nodes[at] = tree.Node(c.bitsAt[slot]+s.columns[k].coder.BitOf(n.Above), int(n.First),
				int(n.Last), high)
		})
	})
	return in.nodes
}

// each calls put with each node of a segment, its tree in the group, the number that its leaves end
// before, and its place among the nodes for kernel.ScanCuts. The nodes of a group lie there by
// their depths: so those that wait for each other are far apart.
func (c *cutGroups) each(
	s *segment, put func(at int, tree kernel.CutTree, n *kernel.ScanNode, high int),
) {
	var all []below
	for i := range c.groups {
		g := &c.groups[i]
		all = all[:0]
		for t := range g.trees {
			all = s.below(g.first+t, all)
		}
		var at [kernel.MaxScanLeaves + 1]int // by depth: where the next node goes
		for _, n := range all {
			at[n.depth+1]++
		}
		at[0] = int(s.at[g.first])
		for d := range at[1:] {
			at[d+1] += at[d]
		}
		next := 0
		for t, tree := range g.trees {
			nodes := s.nodes[s.at[g.first+t]:s.at[g.first+t+1]]
			for i := range nodes {
				in := all[next]
				put(at[in.depth], tree, &nodes[i], in.high)
				at[in.depth]++
				next++
			}
		}
	}
}

// below appends what is below each node of a tree.
func (s *segment) below(t int, all []below) []below {
	nodes := s.nodes[s.at[t]:s.at[t+1]]
	open := make([]below, 1, 16) // of nodes to come
	open[0].high = len(nodes) + 1
	for i := range nodes {
		n, in := &nodes[i], open[len(open)-1]
		all, open = append(all, in), open[:len(open)-1]
		first, last := int(n.First), int(n.Last)
		if in.high-last > 1 {
			open = append(open, below{in.high, in.depth + 1})
		}
		if last-first > 1 {
			open = append(open, below{last, in.depth + 1})
		}
	}
	return all
}

// begin makes the bits of a tile, of its codes. missing is as the copies of scanner.code.
func (c *cuts) begin(in *scanner, s *segment, missing bool) {
	n := c.bitsAt[c.own]
	if missing {
		n = c.bitsAt[s.slots]
	}
	if cap(in.bits) < n {
		in.bits = make([]kernel.RowBits, n)
	}
	in.bits = in.bits[:n]
	for k := range s.columns {
		column := &s.columns[k]
		column.coder.Bits(in.bits[c.bitsAt[k]:], in.codes[k*kernel.ScanRows:])
		if to := column.copy; to >= 0 && missing {
			column.coder.Bits(in.bits[c.bitsAt[to]:], in.codes[to*kernel.ScanRows:])
		}
	}
}

// scan takes a tile through the scanTrees trees of a segment that begin with one.
func (c *cuts) scan(in *scanner, s *segment, lo int, missing bool) {
	leaf, nodes := in.leaf, c.nodes(s, missing)
	groups := c.from(lo)
	for i := range groups {
		g := &groups[i]
		from, to := g.nodes(s)
		kernel.ScanCuts(leaf, g.trees, nodes[from:to], in.bits, &in.cuts)
		leaf = leaf[len(g.trees)*kernel.ScanRows:]
	}
}

// from returns the groups of the scanTrees trees that begin with one.
func (c *cutGroups) from(lo int) []cutGroup {
	return c.groups[c.at[lo/scanTrees]:c.at[lo/scanTrees+1]]
}

// nodes returns where the nodes of a group begin and end.
func (g *cutGroup) nodes(s *segment) (from, to int32) {
	return s.at[g.first], s.at[g.first+len(g.trees)]
}
