package tree

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
)

// Cover holds the weight of the training rows that ended at each node where rows end: leaves, and
// nodes at which rows may stop (MissingStop). It has one number for each of them, in the order of
// the nodes; those of inner nodes are sums. Exactly one of the two lists has elements. A tree of
// two leaves with 3 and 300 rows has
//
//	Counts   03  ac 02        7 bits a byte, the lowest first; bit 7: another byte follows
//
// which is a byte for most leaves of a forest.
type Cover struct {
	Counts  []byte    // where all weights are whole numbers: unsigned varints, of 8 bytes at most
	Weights []float64 // otherwise: the weights, 0 or above
}

// mostCount is the largest weight that is stored as a varint: up to here whole numbers are exact.
const mostCount = 1 << 53

// Covers returns the weight of the training rows that passed through each node, nil if the tree
// does not keep it. The weight of boosted trees is the sum of the rows' second derivatives, as the
// cover in XGBoost. An honest tree has the rows that made its values. The caller must not change
// the result.
func (t *Tree) Covers() []float64 {
	if s := t.Stats; s != nil && len(s.Weight) > 0 {
		return s.Weight
	}
	if t.Cover == nil {
		return nil
	}
	covers, next := make([]float64, t.Len()), t.Cover.all()
	for n := range int32(t.Len()) {
		if ends(t, n) {
			covers[n] = next()
		}
	}
	for n := int32(t.Len()) - 1; n >= 0; n-- {
		for c := t.Child(n); c < t.Child(n)+t.Arity(n); c++ {
			covers[n] += covers[c]
		}
	}
	return covers
}

// ends reports whether rows may end at node n of a tree.
func ends(t *Tree, n int32) bool { return t.Kind(n) == Leaf || t.Missing(n) == MissingStop }

// all returns a function that returns the weights one by one.
func (c *Cover) all() func() float64 {
	counts, weights := c.Counts, c.Weights
	return func() float64 {
		if len(weights) > 0 {
			w := weights[0]
			weights = weights[1:]
			return w
		}
		count, size := binary.Uvarint(counts)
		counts = counts[size:]
		return float64(count)
	}
}

// newCover stores the weights of the nodes where rows end.
func newCover(weights []float64) *Cover {
	size := 0
	for _, w := range weights {
		if !(w >= 0 && w <= mostCount) || w != math.Floor(w) {
			return &Cover{Weights: exact(weights)}
		}
		size += max(1, (bits.Len64(uint64(w))+6)/7)
	}
	c := &Cover{Counts: make([]byte, 0, size)}
	for _, w := range weights {
		c.Counts = binary.AppendUvarint(c.Counts, uint64(w))
	}
	return c
}

// compactCover returns the cover of a tree's compact form, which has no statistics: nil if neither
// has the tree a cover.
func compactCover(t *Tree) *Cover {
	if c := t.Cover; c != nil {
		return &Cover{Counts: exact(c.Counts), Weights: exact(c.Weights)}
	}
	if t.Stats == nil || len(t.Stats.Weight) == 0 {
		return nil
	}
	weight := t.Stats.Weight
	var ended []float64
	for n := range int32(t.Len()) {
		if !ends(t, n) {
			continue
		}
		w := weight[n]
		for c := t.Child(n); c < t.Child(n)+t.Arity(n); c++ {
			w -= weight[c]
		}
		ended = append(ended, max(w, 0)) // rounding may leave less than nothing
	}
	return newCover(ended)
}

// SetCover records the weight of the training rows that ended at leaf n; see Tree.Covers. It does
// nothing where the builder keeps statistics of nodes, which hold the weight.
func (b *Builder) SetCover(n int32, weight float64) {
	if b.stats && !b.leaves {
		return
	}
	if missing := b.t.Len() - len(b.cover); missing > 0 {
		b.cover = zeros(b.cover, missing)
	}
	b.cover[n] = weight
}

// packCover keeps the weights of the nodes where rows end.
func (b *Builder) packCover() {
	if len(b.cover) == 0 {
		return
	}
	t := &b.t
	b.cover = zeros(b.cover, t.Len()-len(b.cover))
	ended := b.cover[:0] // no node is written before it was read
	for n := range int32(t.Len()) {
		if ends(t, n) {
			ended = append(ended, b.cover[n])
		}
	}
	t.Cover = newCover(ended)
}

// cover checks that a cover has a weight for each of the nodes where rows end, ends of them.
func (t validation) cover(ends int) error {
	c := t.Cover
	if c == nil {
		return nil
	}
	if t.Stats != nil && len(t.Stats.Weight) > 0 {
		return errors.New("covers both in the statistics of nodes and beside them")
	}
	got, sum := countVarints(c.Counts), 0.0
	for _, w := range c.Weights {
		if !(w >= 0) {
			return fmt.Errorf("a cover is %v", w)
		}
		sum += w
	}
	switch {
	case got < 0:
		return errors.New("a cover is longer than 8 bytes, or ends too soon")
	case math.IsInf(sum, 1):
		return errors.New("the sum of the covers is not finite")
	case got > 0 && len(c.Weights) > 0 || got+len(c.Weights) != ends:
		return fmt.Errorf("%d covers in bytes and %d others of %d nodes where rows end", got,
			len(c.Weights), ends)
	}
	return nil
}

// countVarints returns the number of varints that b consists of; -1 if one has more than 8 bytes or
// the last does not end. Most have a single byte, so 8 bytes are looked at together.
func countVarints(b []byte) int {
	n, open := 0, 0 // open is the number of bytes of a varint that has not ended
	for len(b) > 0 {
		if open == 0 && len(b) >= 8 && binary.LittleEndian.Uint64(b)&0x8080808080808080 == 0 {
			n += 8
			b = b[8:]
			continue
		}
		if open++; open > 8 {
			return -1
		}
		if b[0] < 0x80 {
			n++
			open = 0
		}
		b = b[1:]
	}
	if open > 0 {
		return -1
	}
	return n
}
