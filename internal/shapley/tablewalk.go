package shapley

// add adds the tree's numbers to the rows of a block.
func (t *tabled) add(b *Block) {
	pattern := b.patterns(0)
	clear(pattern)
	t.branch(b, t.root, pattern, 1)
}

// branch goes down from a branch whose rows have a pattern.
func (t *tabled) branch(b *Block, at *branch, pattern []uint32, level int) {
	if at.part != nil {
		t.part(b, at.part, pattern, level)
		return
	}
	x := b.X[int(at.column)*BlockRows:][:b.Rows]
	below := b.patterns(level)
	for c, child := range at.children {
		// The rows' sides are computed again for each child, which needs no memory for each level.
		side := b.sides[:b.Rows]
		at.to(side, x, int32(c))
		descend(below, pattern, side, at.slot, at.fresh, true)
		t.branch(b, child, below, level+1)
	}
}

// part looks up a part and adds what it has.
func (t *tabled) part(b *Block, p *part, pattern []uint32, level int) {
	index := b.patterns(level)
	copy(index, pattern)
	side := b.sides[:b.Rows]
	for i, d := range p.tests {
		d.first(side, b.X[int(d.column)*BlockRows:][:b.Rows])
		for r, s := range side {
			index[r] |= s << (p.depth + i)
		}
	}
	size := p.size(t.width)
	for k := range t.width {
		for j, cell := range p.cells {
			phi := b.Phi[((int(t.output)+k)*b.Cells+int(cell))*BlockRows:][:len(index)]
			values := p.value[k*len(p.cells)+j:]
			for r, s := range index {
				phi[r] += values[int(s)*size]
			}
		}
	}
}
