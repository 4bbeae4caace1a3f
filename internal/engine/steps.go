package engine

import (
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/tree"
)

// steps is a segment in a form for one row whose steps down a tree have no branch. A node is a
// word:
//
//	bits 0-7    the code that it tests; at leaves the leaf's number
//	bits 8-15   the greatest code that goes to the first child; 127 at leaves, so that none is above
//	bits 16-31  the number of the first child; at leaves their own
//
// So a row that has come to a leaf stays there, and all trees of a group take as many steps.
type steps struct {
	nodes []uint32
	at    []int32 // by tree of the segment: its first node
	depth []int32 // by group of trees
	total int     // steps of all trees
}

// stepTrees is the number of trees of a group.
const stepTrees = 4

// stepsOf returns the form of a segment for one row.
func stepsOf(p *Program, s *segment) *steps {
	w := &steps{depth: make([]int32, 0, len(s.trees)/stepTrees+1)}
	slot := make([]int, len(p.columns))
	for k := range s.columns {
		slot[s.columns[k].position] = k
	}
	for i, number := range s.trees {
		t := &p.plans[number]
		from := len(w.nodes)
		w.at = append(w.at, int32(from))
		for n := range t.Nodes {
			d := &t.Nodes[n]
			word := uint32(n)<<16 | 127<<8
			if d.Kind() != tree.Leaf {
				at, above := s.test(t, int32(n), slot[p.place[d.Feature()]])
				word = uint32(d.Child())<<16 | uint32(uint8(above-1))<<8 | uint32(at)
			}
			w.nodes = append(w.nodes, word)
		}
		for leaf, n := range s.numbers[i] {
			w.nodes[from+int(n)] |= uint32(leaf)
		}
		depth := int32(t.Depth())
		if i%stepTrees == 0 {
			w.depth = append(w.depth, 0)
		}
		group := &w.depth[len(w.depth)-1]
		*group = max(*group, depth)
	}
	for _, depth := range w.depth {
		w.total += stepTrees * int(depth)
	}
	return w
}

func (w *steps) cost() int { return 2 * w.total }

func (w *steps) scan(c *rowScratch, lo int) {
	hi := min(lo+kernel.LaneTrees, len(w.at))
	for t := lo; t < hi; t += stepTrees {
		var first [stepTrees][]uint32
		for i := range first {
			first[i] = w.nodes[w.at[min(t+i, hi-1)]:]
		}
		w0, w1, w2, w3 := first[0][0], first[1][0], first[2][0], first[3][0]
		for range w.depth[t/stepTrees] {
			w0 = first[0][w0>>16+above(c, w0)]
			w1 = first[1][w1>>16+above(c, w1)]
			w2 = first[2][w2>>16+above(c, w2)]
			w3 = first[3][w3>>16+above(c, w3)]
		}
		leaf := (*[stepTrees]uint8)(c.leaf[t-lo:])
		leaf[0], leaf[1], leaf[2], leaf[3] = uint8(w0), uint8(w1), uint8(w2), uint8(w3)
	}
}

// above returns 1 if the code that a node tests goes to the last child.
func above(c *rowScratch, node uint32) uint32 {
	return uint32(one(c.codes[uint8(node)] > int8(node>>8)))
}
