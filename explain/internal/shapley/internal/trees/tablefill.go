package trees

import (
	"slices"

	"github.com/coppice-ml/coppice/tree"
)

// fill makes the tables below a branch.
func (p *planner) fill(b *branch, n int32) {
	if b.part == nil {
		for i, below := range b.children {
			c := b.child + int32(i)
			back := p.enter(c, b.player)
			p.fill(below, c)
			p.leave(back)
		}
		return
	}
	t := b.part
	t.value = make([]float64, t.entries()*t.size(p.width))
	pattern := make([]uint32, t.entries())
	for i := range pattern {
		pattern[i] = uint32(i) & (1<<t.depth - 1)
	}
	bit := t.depth
	p.fillBelow(t, n, pattern, &bit)
	t.seen = nil
}

// fillBelow adds the cells of the leaves below a node to the entries of a part. pattern has, by
// index, the satisfied players of the path; bit is that of the next test.
func (p *planner) fillBelow(t *part, n int32, pattern []uint32, bit *int) {
	d := &p.nodes[n]
	if d.kind == tree.Leaf {
		p.fillLeaf(t, d, pattern)
		return
	}
	side := make([]uint32, len(pattern))
	for i := range side {
		side[i] = uint32(i) >> *bit & 1
	}
	*bit++
	below := make([]uint32, len(pattern))
	for c := range d.arity {
		back := p.enter(d.child+c, d.player)
		descend(below, pattern, side, back.slot, back.fresh, c == 0)
		p.fillBelow(t, d.child+c, below, bit)
		p.leave(back)
	}
}

// fillLeaf adds the cells of a leaf.
func (p *planner) fillLeaf(t *part, d *node, pattern []uint32) {
	cells := p.index.cells(p.players)
	if len(cells) == 0 {
		return
	}
	if p.background == nil {
		p.index.leaf(p.leaf, p.scratch, p.taken)
	} else {
		seen := p.seen[:1<<len(p.players)]
		clear(seen)
		row := 1 / float64(p.background.Rows())
		for i, s := range pattern {
			seen[s] += float64(float64(t.seen[i]) * row)
		}
		p.sums.leaf(p.index, p.leaf, seen)
	}
	at := make([]int, len(cells)) // place in entries
	for i, c := range cells {
		at[i] = slices.Index(t.cells, c)
	}
	size := t.size(p.width)
	for i, s := range pattern {
		from := p.leaf[int(s)*len(cells):][:len(cells)]
		for k, v := range p.values[d.value:d.end] {
			entry := t.value[i*size+k*len(t.cells):][:len(t.cells)]
			for j, x := range from {
				entry[at[j]] += float64(v * x)
			}
		}
	}
}

// descend writes the patterns of the first or last child of rows with a pattern at the parent. A
// row that goes to the other child does not satisfy the player.
func descend(dst, pattern, side []uint32, slot int, fresh, first bool) {
	other := uint32(0)
	if first {
		other = 1
	}
	dst, side = dst[:len(pattern)], side[:len(pattern)]
	if fresh {
		for r, p := range pattern {
			dst[r] = p | (side[r]^other^1)<<slot
		}
		return
	}
	for r, p := range pattern {
		dst[r] = p &^ ((side[r] ^ other) << slot)
	}
}
