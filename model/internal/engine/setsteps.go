package engine

import (
	"slices"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/tree"
)

// setSteps is the trees of a segment that have sets, in a form as steps. A node looks its code up
// in a table, also where it is a comparison. It is a word:
//
//	bits 0-7     the code that it tests
//	bits 8-31    the number of its table
//	bits 32-47   the number of the first child; at leaves their own
//	bits 48-55   at leaves the leaf's number
type setSteps struct {
	nodes  []uint64
	trees  []int32 // numbers of the trees in the segment, ascending
	at     []int32 // by these trees: the first node
	depth  []int32 // by these trees
	tables []lastTable
}

// lastTable has a bit for each code, 1 for those that go to the last child.
type lastTable [256 / 8]uint8

// setStepsOf returns the form of the trees that have sets, nil if none has. Equal tables are stored
// once. Table 0 is that of leaves and has no bit, so a row at a leaf takes its "first child", which
// is the leaf.
func setStepsOf(p *Program, s *segment) *setSteps {
	if len(s.sets) == 0 {
		return nil
	}
	w := &setSteps{tables: make([]lastTable, 1)} // that of leaves, which none leaves
	numbers := map[lastTable]uint64{{}: 0}
	slot := make([]int, len(p.columns))
	for k := range s.columns {
		slot[s.columns[k].position] = k
	}
	for t, number := range s.trees {
		if !s.hasSets(t) {
			continue
		}
		in, from := &p.plans[number], len(w.nodes)
		w.trees, w.at = append(w.trees, int32(t)), append(w.at, int32(from))
		w.depth = append(w.depth, int32(in.Depth()))
		for n := range in.Nodes {
			d := &in.Nodes[n]
			if d.Kind() == tree.Leaf {
				w.nodes = append(w.nodes, uint64(n)<<32)
				continue
			}
			at, table := s.lastTable(in, int32(n), slot[p.place[d.Feature()]])
			i, found := numbers[table]
			if !found {
				i = uint64(len(w.tables))
				numbers[table] = i
				w.tables = append(w.tables, table)
			}
			w.nodes = append(w.nodes, uint64(d.Child())<<32|i<<8|uint64(at))
		}
		for leaf, n := range s.numbers[t] {
			w.nodes[from+int(n)] |= uint64(leaf) << 48
		}
	}
	if len(w.tables) > 1<<24 {
		return nil
	}
	return w
}

// lastTable returns the code that a node tests, whose column is given, and its table.
func (s *segment) lastTable(t *plan, n int32, column int) (at int, table lastTable) {
	if t.Kind(n) != tree.Numeric {
		first := s.columns[column].firstTable(t, n)
		for i, bits := range first {
			table[i] = ^bits
		}
		return column, table
	}
	at, above := s.test(t, n, column)
	for code := int(above); code <= 127; code++ {
		table[uint8(code)>>3] |= 1 << (uint8(code) & 7)
	}
	return at, table
}

// next returns the node after one whose code is given.
func (w *setSteps) next(nodes []uint64, node uint64, code int8) uint64 {
	last := w.tables[uint32(node)>>8][uint8(code)>>3] >> (uint8(code) & 7) & 1
	return nodes[uint64(uint16(node>>32))+uint64(last)]
}

// from returns the place in trees of the first from one of the segment on.
func (w *setSteps) from(t int) int {
	at, _ := slices.BinarySearch(w.trees, int32(t))
	return at
}

// scan takes a row through four trees at once, whose steps do not wait for each other. At the end
// of the list the last tree fills the places that are free, and writes the same leaf again.
func (w *setSteps) scan(c *rowScratch, lo int) {
	end := w.from(lo + kernel.LaneTrees)
	for i := w.from(lo); i < end; i += stepTrees {
		var nodes [stepTrees][]uint64
		depth := int32(0)
		for k := range nodes {
			at := min(i+k, end-1)
			nodes[k], depth = w.nodes[w.at[at]:], max(depth, w.depth[at])
		}
		w0, w1, w2, w3 := nodes[0][0], nodes[1][0], nodes[2][0], nodes[3][0]
		for range depth {
			w0 = w.next(nodes[0], w0, c.codes[uint8(w0)])
			w1 = w.next(nodes[1], w1, c.codes[uint8(w1)])
			w2 = w.next(nodes[2], w2, c.codes[uint8(w2)])
			w3 = w.next(nodes[3], w3, c.codes[uint8(w3)])
		}
		for k, word := range [stepTrees]uint64{w0, w1, w2, w3} {
			c.leaf[int(w.trees[min(i+k, end-1)])-lo] = uint8(word >> 48)
		}
	}
}

// setStepCost is the cost of a step of a row, as kernel.ScanCost has it.
const setStepCost = 30

func (w *setSteps) cost() int { return w.rowsCost(1, false) / 10 }

func (w *setSteps) rowsCost(rows int, _ bool) int {
	steps := 0
	for _, depth := range w.depth {
		steps += int(depth)
	}
	return rows * steps * setStepCost
}

func (w *setSteps) begin(*scanner, int, bool) {}

func (w *setSteps) scanRows(c *scanner, lo, rows int, _ bool) {
	for i := w.from(lo); i < w.from(lo+kernel.LaneTrees); i++ {
		nodes, leaf := w.nodes[w.at[i]:], c.leaf[(int(w.trees[i])-lo)*kernel.ScanRows:]
		for r := 0; r < rows; r += 4 {
			codes := c.codes[r:]
			w0, w1, w2, w3 := nodes[0], nodes[0], nodes[0], nodes[0]
			for range w.depth[i] {
				w0 = w.next(nodes, w0, codes[int(uint8(w0))*kernel.ScanRows])
				w1 = w.next(nodes, w1, codes[int(uint8(w1))*kernel.ScanRows+1])
				w2 = w.next(nodes, w2, codes[int(uint8(w2))*kernel.ScanRows+2])
				w3 = w.next(nodes, w3, codes[int(uint8(w3))*kernel.ScanRows+3])
			}
			to := (*[4]uint8)(leaf[r:])
			*to = [4]uint8{uint8(w0 >> 48), uint8(w1 >> 48), uint8(w2 >> 48), uint8(w3 >> 48)}
		}
	}
}

// withSets is the form of a segment of which only some trees have sets.
type withSets struct {
	rowForm // of the others; it writes any leaves for those with sets
	sets    *setSteps
}

func (w *withSets) scan(c *rowScratch, lo int) {
	w.rowForm.scan(c, lo)
	w.sets.scan(c, lo)
}

func (w *withSets) cost() int { return w.rowForm.cost() + w.sets.cost() }

func (w *withSets) rowsCost(rows int, copies bool) int {
	return w.rowForm.rowsCost(rows, copies) + w.sets.rowsCost(rows, copies)
}

func (w *withSets) scanRows(c *scanner, lo, rows int, copies bool) {
	w.rowForm.scanRows(c, lo, rows, copies)
	w.sets.scanRows(c, lo, rows, copies)
}
