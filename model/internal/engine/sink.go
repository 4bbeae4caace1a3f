package engine

import (
	"github.com/coppice-ml/coppice/internal/kernel"
)

// sink receives the leaves that the rows of a block reach, tile by tile and in a tile tree by tree.
type sink interface {
	// begin and end are called before and after the trees of a tile, with its first row.
	begin(first, rows int)
	end(first, rows int)
	// scanned takes the leaves in compiled trees of a segment from lo to hi, up to scanTrees that
	// feed one output; they are as those of kernel.Scan.
	scanned(s *segment, lo, hi int, leaf []uint8, first, rows int)
	// walked takes where the rows end in a tree that is walked in place, as walker.descend finds
	// it.
	walked(tree int, ends []int32, first int)
	// slots reports whether ends are slots where trees have these in their nodes.
	slots() bool
}

// sumSink adds up leaves that are numbers. Trees that are walked in place feed one output too.
type sumSink struct {
	c   *scanner
	b   *Block
	dst []float64
}

func (k *sumSink) slots() bool { return true }

func (k *sumSink) begin(_, rows int) { k.c.begin(k.b.p, rows) }

func (k *sumSink) end(first, rows int) {
	outputs := k.b.p.outputs
	for o := range outputs {
		for r, x := range k.c.sum[o*kernel.ScanRows:][:rows] {
			k.dst[(first+r)*outputs+o] = x
		}
	}
}

func (k *sumSink) scanned(s *segment, lo, hi int, leaf []uint8, _, rows int) {
	sum := k.c.sum[int(s.output[lo])*kernel.ScanRows:][:kernel.ScanRows]
	if s.tables != nil && rows > kernel.FewForTables {
		kernel.SumTables(sum, leaf, s.tables, lo, hi, rows)
		return
	}
	kernel.SumLeaves(sum, leaf, s.value, s.valueAt[lo:hi], rows)
}

// walked adds a slot as the compiled trees do. Rows that the kernel left, at -1, and leaves with
// equations are added by the plan, which writes to the outputs of one row: alone lends it the sum,
// so that the additions keep their order.
func (k *sumSink) walked(t int, ends []int32, first int) {
	p, scale := &k.b.p.plans[t], k.b.p.scale[t]
	output := max(0, p.output)
	sum := k.c.sum[int(output)*kernel.ScanRows:][:len(ends)]
	if p.Leaf.Linear == nil {
		p.toSlots(ends)
	}
	var alone []float64 // the outputs of a row
	for r, slot := range ends {
		if slot >= 0 && p.Leaf.Linear == nil {
			sum[r] += float64(scale * p.value[slot])
			continue
		}
		if alone == nil {
			alone = make([]float64, k.b.p.outputs)
		}
		alone[output] = sum[r]
		p.add(alone, scale, k.b.row(first+r))
		sum[r] = alone[output]
	}
}

// endSink adds what leaves of any kind hold to the outputs of rows.
type endSink struct {
	c   *scanner
	b   *Block
	dst []float64
}

func (k *endSink) slots() bool { return true }

func (k *endSink) begin(_, _ int) {}

func (k *endSink) end(_, _ int) {}

func (k *endSink) scanned(s *segment, lo, hi int, leaf []uint8, first, rows int) {
	for t := lo; t < hi; t++ {
		ends := k.c.ends[:rows]
		for r, number := range leaf[(t-lo)*kernel.ScanRows:][:rows] {
			ends[r] = s.ends[t][number]
		}
		k.b.accumulateEnds(k.dst[first*k.b.p.outputs:], int(s.trees[t]), ends, first)
	}
}

func (k *endSink) walked(t int, ends []int32, first int) {
	k.b.accumulate(k.dst, t, ends, first)
}

// leafSink writes the numbers of leaves.
type leafSink struct {
	b   *Block
	dst []float64
}

func (k *leafSink) slots() bool { return false }

func (k *leafSink) begin(_, _ int) {}

func (k *leafSink) end(_, _ int) {}

func (k *leafSink) scanned(s *segment, lo, hi int, leaf []uint8, first, rows int) {
	trees := len(k.b.p.plans)
	for t := lo; t < hi; t++ {
		for r, number := range leaf[(t-lo)*kernel.ScanRows:][:rows] {
			k.dst[(first+r)*trees+int(s.trees[t])] = float64(s.numbers[t][number])
		}
	}
}

func (k *leafSink) walked(t int, ends []int32, first int) { k.b.write(k.dst, t, ends, first) }
