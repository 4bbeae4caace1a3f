package tree

import (
	"errors"
	"math"
)

// Setters for tests that break trees.

func (t *Tree) SetKind(n int, k Kind) { t.Nodes[n].look = t.Nodes[n].look&^kindMask | uint32(k) }
func (t *Tree) SetMissing(n int, m Missing) {
	t.Nodes[n].look = t.Nodes[n].look&^(missingMask<<kindBits) | uint32(m)<<kindBits
}
func (t *Tree) SetFeature(n int, feature int32) {
	t.Nodes[n].look = t.Nodes[n].look&(1<<featureAt-1) | uint32(feature)<<featureAt
}
func (t *Tree) SetSplitPoint(n int, splitPoint float64) { t.Nodes[n].splitPoint = splitPoint }
func (t *Tree) SetChild(n int, child int32)             { t.Nodes[n].child = child }

// Flip turns a bit of a node around: 0 to 63 of the split point, 64 to 95 of the child, 96 to 127
// of the look.
func (t *Tree) Flip(n, bit int) {
	d := &t.Nodes[n]
	switch {
	case bit < 64:
		d.splitPoint = math.Float64frombits(math.Float64bits(d.splitPoint) ^ 1<<bit)
	case bit < 96:
		d.child ^= 1 << (bit - 64)
	default:
		d.look ^= 1 << (bit - 96)
	}
}

// ValidateNodes is validation.nodes, and plainly the same: each node for itself.
func (t *Tree) ValidateNodes(features int) (fast, plain error) {
	seen, taken := newMarks(t.Len()), newMarks(len(t.SetAt))
	for i := range t.Nodes {
		if plain = (validation{t, features}).node(i); plain != nil {
			break
		}
		if d := &t.Nodes[i]; !seen.add(d.child, d.Arity()) || d.Kind().hasSet() &&
			!taken.add(d.Set()+1, 1) {
			plain = errors.New("twins")
			break
		}
	}
	if plain == nil && seen.count() != t.Len()-1 {
		plain = errors.New("orphans")
	}
	if plain == nil {
		stops := 0
		for n := range int32(t.Len()) {
			if ends(t, n) {
				stops++
			}
		}
		plain = validation{t, features}.cover(stops)
	}
	return validation{t, features}.nodes(), plain
}
