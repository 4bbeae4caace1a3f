package tree

// Graft puts the tree that another builder has made so far in the place of leaf n. Its root becomes
// n, its other nodes follow the nodes that are there in their own order. Both must have values of
// the same kind and width, and keep stats or not alike. It joins trees whose subtrees were grown by
// several workers.
func (b *Builder) Graft(n int32, subtree *Builder) {
	t, p := &b.t, &subtree.t
	offset, sets := int32(t.Len())-1, float64(max(0, len(t.SetAt)-1))
	place := func(i int32) int32 { // of a node of the subtree
		if i == 0 {
			return n
		}
		return i + offset
	}
	b.add(p.Len() - 1)
	w := t.Leaf.Width
	slots := int32(len(t.Leaf.Value) / w)
	if b.leaves {
		t.Leaf.Value = append(t.Leaf.Value, p.Leaf.Value...)
	}
	for i, d := range p.Nodes {
		at := place(int32(i))
		if d.Kind() != Leaf {
			d.child += offset
		} else if d.child >= 0 {
			d.child += slots
		}
		if d.Kind().hasSet() {
			d.splitPoint += sets
		}
		t.Nodes[at] = d
		if b.leaves {
			t.Stats.Gain[at] = p.Stats.Gain[i]
			continue
		}
		b.SetValue(at, p.Leaf.Value[i*w:(i+1)*w])
		if s := p.Stats; b.stats {
			b.SetStats(at, int(s.Rows[i]), s.Weight[i], s.Impurity[i])
			t.Stats.Gain[at] = s.Gain[i]
		}
	}
	appendSets(t, p)
	for i, fraction := range subtree.fraction {
		if i > 0 {
			b.SetFraction(place(int32(i)), fraction)
		}
	}
	for i, weight := range subtree.cover {
		b.SetCover(place(int32(i)), weight)
	}
	for i, e := range subtree.linear {
		b.SetLinear(place(i), e.constant, e.terms)
	}
	for i, s := range subtree.splits {
		b.splits[place(i)] = s
	}
	if b.err == nil {
		b.err = subtree.err
	}
}

// appendSets appends the sets of p to those of t.
func appendSets(t, p *Tree) {
	if len(p.SetAt) > 0 && len(t.SetAt) == 0 {
		t.SetAt = append(t.SetAt, 0)
	}
	words := int32(len(t.Sets))
	t.Sets = append(t.Sets, p.Sets...)
	for i := 1; i < len(p.SetAt); i++ {
		t.SetAt = append(t.SetAt, p.SetAt[i]+words)
	}
}
