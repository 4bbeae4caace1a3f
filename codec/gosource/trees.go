package gosource

import (
	"strings"

	"github.com/coppice-ml/coppice/tree"
)

// wide reports whether leaves have several values.
func (g *generator) wide() bool {
	for _, t := range g.model.Trees {
		if t.Leaf.Width > 1 {
			return true
		}
	}
	return false
}

// values returns the numbers of a tree's slots: class counts become probabilities.
func values(t *tree.Tree) []float64 {
	if t.Leaf.Kind != tree.Counts {
		return t.Leaf.Value
	}
	w := t.Leaf.Width
	p := make([]float64, len(t.Leaf.Value))
	for at := 0; at+w <= len(p); at += w {
		tree.Probabilities(p[at:at+w], t.Leaf.Value[at:at+w])
	}
	return p
}

// leaves writes the elements of an array of wide leaves.
func (g *generator) leaves(t *tree.Tree) {
	v, w := values(t), t.Leaf.Width
	for at := 0; at+w <= len(v); at += w {
		g.printf("\t{%s},\n", joined(v[at:at+w]))
	}
}

// joined lists numbers.
func joined(v []float64) string {
	texts := make([]string, len(v))
	for i, x := range v {
		texts[i] = number(x)
	}
	return strings.Join(texts, ", ")
}

// firstSet returns the codes of the generated program that go to the first child of a set node:
// missing, unseen, and the categories.
func (g *generator) firstSet(t *tree.Tree, n int32) []uint64 {
	levels := len(g.of(t.Feature(n)).levels)
	words := make([]uint64, (levels+firstLevel+63)/64)
	mark := func(code int, first bool) {
		if first {
			words[code/64] |= 1 << (code % 64)
		}
	}
	mark(0, t.NextMissing(n) == t.Child(n))
	mark(1, t.Kind(n) == tree.SetLast)
	for code := range levels {
		mark(code+firstLevel, tree.InSet(t.Set(n), uint32(code)) == (t.Kind(n) == tree.SetFirst))
	}
	return words
}

const inWordsSource = `// inWords is in for a set of more categories.
func inWords(set []uint64, code uint32) bool {
	if code>>6 >= uint32(len(set)) {
		code = 1
	}
	return set[code>>6]>>(code&63)&1 != 0
}

`
