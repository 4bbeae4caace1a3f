package engine

import (
	"fmt"

	"github.com/coppice-ml/coppice/internal/kernel"
)

// cuts is a segment in the form for kernel.ScanCuts, which is for many rows.
type cuts struct {
	bitsAt []int // by code of a row: its first element of the bits of a tile; one more at the end
	own    int   // codes that nodes test
	groups []cutGroup
	at     []int32 // by scanTrees trees of the segment: their first group; one more at the end
	nodes  []kernel.CutNode
	// nodes once more, with the copies of codes, for rows with missing values; nil if no column has
	// a copy
	copies []kernel.CutNode
	cost   int // of a tile, as kernel.ScanCost has it
}

// cutGroup is trees that are scanned together.
type cutGroup struct {
	trees    []kernel.CutTree
	from, to int // their nodes
}

// cutsOf returns that form of a segment, or nil and why there is none.
func cutsOf(s *segment) (*cuts, error) {
	if len(s.sets) > 0 {
		return nil, fmt.Errorf("the trees have sets of categories")
	}
	c := &cuts{bitsAt: make([]int, s.slots+1), own: len(s.columns)}
	column := make([]int, s.slots) // of each code
	for k := range s.columns {
		if column[k] = k; s.columns[k].copy >= 0 {
			column[s.columns[k].copy] = k
		}
	}
	for k, in := range column {
		c.bitsAt[k+1] = c.bitsAt[k] + s.columns[in].coder.NumBits()
	}
	if n := c.bitsAt[s.slots]; n > kernel.MaxRowBits {
		return nil, fmt.Errorf("a row has %d bits, more than %d", n, kernel.MaxRowBits)
	}
	for lo := 0; lo < len(s.trees); lo += scanTrees {
		c.at = append(c.at, int32(len(c.groups)))
		for t := lo; t < min(lo+scanTrees, len(s.trees)); {
			t = c.group(s, column, t, min(lo+scanTrees, len(s.trees)))
		}
	}
	c.at = append(c.at, int32(len(c.groups)))
	c.cost = kernel.CutsCost(len(s.nodes), len(s.trees), c.own,
		c.bitsAt[c.own]/kernel.CodeBitsStep)
	return c, nil
}

// group appends a group of trees from one on, up to another one, and returns the next. column is
// that of each code.
func (c *cuts) group(s *segment, column []int, from, to int) int {
	type below struct{ high, depth int }
	var group kernel.CutGroup
	var nodes, copies []kernel.CutNode
	var depths []int
	var open []below // nodes to come, whose leaves end before high
	t := from
	for ; t < to && group.Add(int(s.at[t+1]-s.at[t])+1); t++ {
		tree, own := group.Trees[t-from], s.nodes[s.at[t]:s.at[t+1]]
		open = append(open[:0], below{high: len(own) + 1})
		for i := range own {
			n, in := &own[i], open[len(open)-1]
			open = open[:len(open)-1]
			slot, first, cut := int(n.At/kernel.ScanRows), int(n.First), int(n.Last)
			k := column[slot]
			bit := s.columns[k].coder.BitOf(n.Above)
			nodes = append(nodes, tree.Node(c.bitsAt[k]+bit, first, cut, in.high))
			copies = append(copies, tree.Node(c.bitsAt[slot]+bit, first, cut, in.high))
			depths = append(depths, in.depth)
			if in.high-cut > 1 {
				open = append(open, below{in.high, in.depth + 1})
			}
			if cut-first > 1 {
				open = append(open, below{cut, in.depth + 1})
			}
		}
	}
	at := len(c.nodes)
	c.nodes = append(c.nodes, byDepth(nodes, depths)...)
	c.groups = append(c.groups, cutGroup{group.Trees, at, len(c.nodes)})
	if s.slots > c.own {
		c.copies = append(c.copies, byDepth(copies, depths)...)
	}
	return t
}

// byDepth returns nodes in the order of their depths. So those that wait for each other are far
// apart.
func byDepth(nodes []kernel.CutNode, depths []int) []kernel.CutNode {
	at := make([]int, kernel.MaxScanLeaves+1) // by depth: where its nodes go
	for _, d := range depths {
		at[d+1]++
	}
	for d := range at[1:] {
		at[d+1] += at[d]
	}
	sorted := make([]kernel.CutNode, len(nodes))
	for i, n := range nodes {
		sorted[at[depths[i]]] = n
		at[depths[i]]++
	}
	return sorted
}

// begin makes the bits of a tile, of its codes. copies reports whether copies of codes may differ.
func (c *cuts) begin(in *scanner, s *segment, copies bool) {
	n := c.bitsAt[c.own]
	if copies {
		n = c.bitsAt[s.slots]
	}
	if cap(in.bits) < n {
		in.bits = make([]kernel.RowBits, n)
	}
	in.bits = in.bits[:n]
	for k := range s.columns {
		column := &s.columns[k]
		column.coder.Bits(in.bits[c.bitsAt[k]:], in.codes[k*kernel.ScanRows:])
		if to := column.copy; to >= 0 && copies {
			column.coder.Bits(in.bits[c.bitsAt[to]:], in.codes[to*kernel.ScanRows:])
		}
	}
}

// scan takes a tile through the scanTrees trees that begin with one.
func (c *cuts) scan(in *scanner, lo int, copies bool) {
	leaf, nodes := in.leaf, c.nodes
	if copies && c.copies != nil {
		nodes = c.copies
	}
	groups := c.groups[c.at[lo/scanTrees]:c.at[lo/scanTrees+1]]
	for i := range groups {
		g := &groups[i]
		kernel.ScanCuts(leaf, g.trees, nodes[g.from:g.to], in.bits, &in.cuts)
		leaf = leaf[len(g.trees)*kernel.ScanRows:]
	}
}
