package trees

// add adds the tree's numbers to the rows of a block.
func (t *tabled) add(b *Block) {
	t.visit(b, func(p *part, index []uint32) {
		size := p.size(t.width)
		for k := range t.width {
			for j, cell := range p.cells {
				phi := b.Phi[((int(t.output)+k)*b.Cells+int(cell))*b.Stride:][:len(index)]
				values := p.value[k*len(p.cells)+j:]
				for r, s := range index {
					phi[r] += values[int(s)*size]
				}
			}
		}
	})
}

// count counts the entries that rows of the background have in each part.
func (t *tabled) count(b *Block) {
	t.visit(b, func(p *part, index []uint32) {
		if p.seen == nil {
			p.seen = make([]uint32, p.entries())
		}
		for _, s := range index {
			p.seen[s]++
		}
	})
}

// visit calls do for each part with the rows' entries.
func (t *tabled) visit(b *Block, do func(p *part, index []uint32)) {
	pattern := b.patterns(0)
	clear(pattern)
	t.branch(b, t.root, pattern, 1, do)
}

// branch goes down from a branch whose rows have a pattern.
func (t *tabled) branch(
	b *Block, at *branch, pattern []uint32, level int, do func(p *part, index []uint32),
) {
	if at.part != nil {
		do(at.part, t.part(b, at.part, pattern, level))
		return
	}
	if at.node == nil {
		return
	}
	x := b.X[int(at.column)*b.Stride:][:b.Rows]
	below := b.patterns(level)
	for c, child := range at.children {
		// The rows' sides are computed again for each child, which needs no memory for each level.
		side := b.sides[:b.Rows]
		at.to(side, x, int32(c))
		descend(below, pattern, side, at.slot, at.fresh, true)
		t.branch(b, child, below, level+1, do)
	}
}

// part returns the rows' entries in a part.
func (t *tabled) part(b *Block, p *part, pattern []uint32, level int) []uint32 {
	index := b.patterns(level)
	copy(index, pattern)
	side := b.sides[:b.Rows]
	for i, d := range p.tests {
		d.first(side, b.X[int(d.column)*b.Stride:][:b.Rows])
		for r, s := range side {
			index[r] |= s << (p.depth + i)
		}
	}
	return index
}
