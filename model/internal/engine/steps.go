package engine

import (
	"slices"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/tree"
)

// steps is a segment in a form for one row whose steps down a tree have no branch. A node is a
// word:
//
//	bits 0-7    the code that it tests; at leaves any
//	bits 8-15   the greatest code that goes to the first child; 127 at leaves, so that none is above
//	bits 16-31  the number of the first child; at leaves their own
//
// So a row that has come to a leaf stays there, and all trees of a group take as many steps.
type steps struct {
	nodes []uint32
	leaf  []uint8 // by node: the leaf's number
	at    []int32 // by tree of the segment: its first node
	depth []int32 // by tree
	most  []int32 // by group of trees: the greatest depth
	total int     // steps of all trees, where each of a group takes those of the deepest
	own   int     // steps of all trees by themselves
}

// stepTrees is the number of trees of a group.
const stepTrees = 4

// stepsOf returns the steps of the trees without sets of a segment, yet without their nodes: these
// take longer to make. Other trees are leaves in it.
func stepsOf(p *Program, s *segment) *steps {
	w := &steps{depth: make([]int32, len(s.trees))}
	for i, number := range s.trees {
		if s.numbers[i] != nil && !s.hasSets(i) {
			w.depth[i] = int32(p.plans[number].Depth())
			w.own += int(w.depth[i])
		}
	}
	for i := 0; i < len(w.depth); i += stepTrees {
		w.most = append(w.most, slices.Max(w.depth[i:min(i+stepTrees, len(w.depth))]))
		w.total += stepTrees * int(w.most[len(w.most)-1])
	}
	return w
}

// fill makes the nodes.
func (w *steps) fill(p *Program, s *segment) {
	slot := make([]int, len(p.columns))
	for k := range s.columns {
		slot[s.columns[k].position] = k
	}
	for i, number := range s.trees {
		t := &p.plans[number]
		from := len(w.nodes)
		w.at = append(w.at, int32(from))
		if s.numbers[i] == nil || s.hasSets(i) {
			w.nodes, w.leaf = append(w.nodes, 127<<8), append(w.leaf, 0)
			continue
		}
		for n := range t.Nodes {
			d := &t.Nodes[n]
			word := uint32(n)<<16 | 127<<8
			if d.Kind() != tree.Leaf {
				at, above := s.test(t, int32(n), slot[p.place[d.Feature()]])
				word = uint32(d.Child())<<16 | uint32(uint8(above-1))<<8 | uint32(at)
			}
			w.nodes, w.leaf = append(w.nodes, word), append(w.leaf, 0)
		}
		for leaf, n := range s.numbers[i] {
			w.leaf[from+int(n)] = uint8(leaf)
		}
	}
}

func (w *steps) cost() int { return 2 * w.total }

// scan takes a row through four trees at once, whose steps do not wait for each other; all take the
// steps of the deepest. Behind the last tree of a group of lanes, places of c.leaf that no tree has
// are written, and never read.
func (w *steps) scan(c *rowScratch, lo int) {
	hi := min(lo+kernel.LaneTrees, len(w.at))
	for t := lo; t < hi; t += stepTrees {
		at0, at1 := w.at[t], w.at[min(t+1, hi-1)]
		at2, at3 := w.at[min(t+2, hi-1)], w.at[min(t+3, hi-1)]
		n0, n1, n2, n3 := w.nodes[at0:], w.nodes[at1:], w.nodes[at2:], w.nodes[at3:]
		w0, w1, w2, w3 := n0[0], n1[0], n2[0], n3[0]
		for range w.most[t/stepTrees] {
			w0 = n0[w0>>16+above(c.codes[uint8(w0)], w0)]
			w1 = n1[w1>>16+above(c.codes[uint8(w1)], w1)]
			w2 = n2[w2>>16+above(c.codes[uint8(w2)], w2)]
			w3 = n3[w3>>16+above(c.codes[uint8(w3)], w3)]
		}
		to := (*[stepTrees]uint8)(c.leaf[t-lo:])
		to[0], to[1] = w.leaf[at0+int32(w0>>16)], w.leaf[at1+int32(w1>>16)]
		to[2], to[3] = w.leaf[at2+int32(w2>>16)], w.leaf[at3+int32(w3>>16)]
	}
}

// above returns 1 if the code that a node tests goes to the last child.
func above(code int8, node uint32) uint32 { return uint32(one(code > int8(node>>8))) }

func (w *steps) rowsCost(rows int, _ bool) int { return (rows + 3) / 4 * 4 * w.own * stepCost }

// stepCost is the cost of a step of a row, as kernel.ScanCost has it.
const stepCost = 15

func (w *steps) begin(*scanner, int, bool) {}

func (w *steps) scanRows(c *scanner, lo, rows int, _ bool) {
	for t := lo; t < min(lo+kernel.LaneTrees, len(w.at)); t++ {
		nodes, leaf := w.nodes[w.at[t]:], w.leaf[w.at[t]:]
		for r := 0; r < rows; r += 4 {
			codes := c.codes[r:]
			w0, w1, w2, w3 := nodes[0], nodes[0], nodes[0], nodes[0]
			for range w.depth[t] {
				w0 = nodes[w0>>16+above(codes[int(uint8(w0))*kernel.ScanRows], w0)]
				w1 = nodes[w1>>16+above(codes[int(uint8(w1))*kernel.ScanRows+1], w1)]
				w2 = nodes[w2>>16+above(codes[int(uint8(w2))*kernel.ScanRows+2], w2)]
				w3 = nodes[w3>>16+above(codes[int(uint8(w3))*kernel.ScanRows+3], w3)]
			}
			to := (*[4]uint8)(c.leaf[(t-lo)*kernel.ScanRows+r:])
			to[0], to[1], to[2], to[3] = leaf[w0>>16], leaf[w1>>16], leaf[w2>>16], leaf[w3>>16]
		}
	}
}
