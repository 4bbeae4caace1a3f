package engine

import (
	"github.com/coppice-ml/coppice/internal/kernel"
)

// scanTrees is the number of trees that are scanned before their leaves are added up.
const scanTrees = 16

// fewRows is the number of rows up to which each is predicted alone, because vectors of rows would
// be mostly empty.
const fewRows = 12

// scanner is the memory in which the rows of a block are scanned, tile by tile.
type scanner struct {
	codes []int8    // of the tile, kernel.ScanRows for each slot
	leaf  []uint8   // of scanTrees trees, kernel.ScanRows for each
	ends  []int32   // of the rows in a tree
	sum   []float64 // of the tile, kernel.ScanRows for each output
	row   []float64 // the values of one row
}

func newScanner(p *Program, l *layout) *scanner {
	s := &scanner{codes: make([]int8, l.slots*kernel.ScanRows),
		leaf: make([]uint8, scanTrees*kernel.ScanRows), ends: make([]int32, kernel.ScanRows),
		row: make([]float64, len(p.columns))}
	if l.sums {
		s.sum = make([]float64, p.outputs*kernel.ScanRows)
	}
	return s
}

// code computes the codes of a tile whose first row is given.
func (c *scanner) code(b *Block, s *segment, first, rows int) {
	for k := range s.columns {
		in := &s.columns[k]
		dst := c.codes[k*kernel.ScanRows:][:rows]
		if in.levels >= 0 {
			in.categories(dst, b.x[in.position*b.stride+first:])
			continue
		}
		missing := in.coder.Codes(dst, b.x[in.position*b.stride+first:][:rows])
		if !in.last && missing {
			in.missingFirst(dst, b.x[in.position*b.stride+first:])
		}
		if in.copy < 0 {
			continue
		}
		again := c.codes[in.copy*kernel.ScanRows:][:rows]
		copy(again, dst)
		if missing {
			in.missingFirst(again, b.x[in.position*b.stride+first:])
		}
	}
}

// categories writes the codes of categories.
func (in *codedColumn) categories(codes []int8, x []float64) {
	levels := float64(in.levels)
	for i, v := range x[:len(codes)] {
		code := in.levels
		if v >= 0 && v < levels {
			code = int(v)
		} else if v != v {
			code++
		}
		codes[i] = int8(code)
	}
}

// missingFirst changes the codes of missing values to that of those which go first.
func (in *codedColumn) missingFirst(codes []int8, x []float64) {
	first := in.coder.Missing(false)
	for i, v := range x[:len(codes)] {
		if v != v {
			codes[i] = first
		}
	}
}

// each scans all trees for the rows of a block. It calls do for some trees of a segment at a time,
// those from lo to hi, with the first row of a tile and the number of its rows. Trees of a call
// feed one output.
func (c *scanner) each(
	b *Block, l *layout, do func(s *segment, lo, hi, first, rows int), end func(first, rows int),
) {
	for first := 0; first < b.rows; first += kernel.ScanRows {
		rows := min(kernel.ScanRows, b.rows-first)
		for i := range l.segments {
			s := &l.segments[i]
			c.code(b, s, first, rows)
			for lo := 0; lo < len(s.trees); {
				hi := lo + 1
				output := b.p.plans[s.trees[lo]].output
				for hi < len(s.trees) && hi < lo+scanTrees && b.p.plans[s.trees[hi]].output == output {
					hi++
				}
				c.scan(l, s, lo, hi, rows)
				do(s, lo, hi, first, rows)
				lo = hi
			}
		}
		if end != nil {
			end(first, rows)
		}
	}
}

// scan takes a tile through the trees of a segment from lo to hi.
func (c *scanner) scan(l *layout, s *segment, lo, hi, rows int) {
	if l.levels {
		kernel.ScanLevels(c.leaf, s.nodes, s.at[lo:hi+1], c.codes, rows, l.small)
		return
	}
	if s.setAt[lo] == s.setAt[hi] {
		kernel.Scan(c.leaf, s.nodes, s.at[lo:hi+1], c.codes, rows, l.small)
		return
	}
	for t := lo; t < hi; t++ {
		for i := range s.sets[s.setAt[t]:s.setAt[t+1]] {
			set := &s.sets[int(s.setAt[t])+i]
			kernel.SideCodes(c.codes[(s.slots+i)*kernel.ScanRows:], c.codes[set.column*kernel.ScanRows:],
				&set.table, rows)
		}
		kernel.Scan(c.leaf[(t-lo)*kernel.ScanRows:], s.nodes, s.at[t:t+2], c.codes, rows, l.small)
	}
}

// raw is Block.Raw.
func (c *scanner) raw(dst []float64, b *Block, l *layout) {
	p := b.p
	if b.rows <= fewRows {
		for r := range b.rows {
			p.Raw(dst[r*p.outputs:][:p.outputs], c.values(b, r))
		}
		return
	}
	p.begin(dst)
	if !l.sums {
		c.each(b, l, func(s *segment, lo, hi, first, rows int) {
			for t := lo; t < hi; t++ {
				ends, leaf := c.ends[:rows], c.leaf[(t-lo)*kernel.ScanRows:]
				for r := range ends {
					ends[r] = s.ends[t][leaf[r]]
				}
				b.accumulateEnds(dst[first*p.outputs:], int(s.trees[t]), ends, first)
			}
		}, nil)
		p.end(dst)
		return
	}
	c.begin(p)
	c.each(b, l, func(s *segment, lo, hi, first, rows int) {
		kernel.SumLeaves(c.sum[int(s.output[lo])*kernel.ScanRows:][:kernel.ScanRows], c.leaf, s.value,
			s.valueAt[lo:hi], rows)
	}, func(first, rows int) {
		for k := range p.outputs {
			sum := c.sum[k*kernel.ScanRows:][:rows]
			for r, x := range sum {
				dst[(first+r)*p.outputs+k] = x
			}
		}
		c.begin(p)
	})
	p.end(dst)
}

// values returns the values of one row of a block, as Program.Raw takes them.
func (c *scanner) values(b *Block, r int) []float64 {
	for k := range c.row {
		c.row[k] = b.x[k*b.stride+r]
	}
	return c.row
}

// begin writes into the sums of a tile what they begin with.
func (c *scanner) begin(p *Program) {
	for k := range p.outputs {
		begin := 0.0
		if p.divisor == 0 {
			begin = p.bias[k]
		}
		sum := c.sum[k*kernel.ScanRows:][:kernel.ScanRows]
		for r := range sum {
			sum[r] = begin
		}
	}
}

// leaves is Block.Leaves.
func (c *scanner) leaves(dst []float64, b *Block, l *layout) {
	n := len(b.p.plans)
	if b.rows <= fewRows {
		for r := range b.rows {
			b.p.Leaves(dst[r*n:][:n], c.values(b, r))
		}
		return
	}
	c.each(b, l, func(s *segment, lo, hi, first, rows int) {
		for t := lo; t < hi; t++ {
			leaf, numbers := c.leaf[(t-lo)*kernel.ScanRows:][:rows], s.numbers[t]
			for r, at := range leaf {
				dst[(first+r)*n+int(s.trees[t])] = float64(numbers[at])
			}
		}
	}, nil)
}
