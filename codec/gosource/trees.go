package gosource

import (
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/internal/input"
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

// linear reports whether some leaf has an equation.
func (g *generator) linear() bool {
	return slices.ContainsFunc(g.model.Trees, func(t *tree.Tree) bool { return t.Leaf.Linear != nil })
}

// nonzero reports whether trees use a column in which zeros are missing values.
func (n *names) nonzero() bool {
	return slices.ContainsFunc(n.columns, func(c column) bool { return c.nonzero })
}

// helpers writes the functions that trees of either form use.
func (g *generator) helpers() {
	if g.linear() {
		g.WriteString(finiteSource)
	}
	if g.nonzero() {
		g.printf(nonzeroSource, number(input.LargestZero))
	}
	if slices.ContainsFunc(g.columns, func(c column) bool {
		return c.typ != "" && c.source.IntegerLevels()
	}) {
		g.WriteString(integerSource)
	}
}

// integerSource stands for spelling.PlainInteger where programs write integers in the usual ways.
const integerSource = `// integer returns a text without the zeros after the point of an integer: 1 for 1.0.
func integer(text string) string {
	end := len(text)
	for end > 0 && text[end-1] == '0' {
		end--
	}
	if end > 1 && text[end-1] == '.' {
		return text[:end-1]
	}
	return text
}

`

const finiteSource = `// finite holds of neither infinities nor what is not a number.
func finite(x float64) bool {
	rest := x - x
	return rest == 0
}

`

const nonzeroSource = `// nonzero returns a value, or a missing one for what counts as zero.
func nonzero(x float64) float64 {
	const largest = %s
	if x >= -largest && x <= largest {
		return math.NaN()
	}
	return x
}

`

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
func (n *names) firstSet(t *tree.Tree, node int32) []uint64 {
	words := n.codes(t.Feature(node), t.Set(node))
	if t.Kind(node) == tree.SetLast { // all others, but those beyond the levels
		levels := len(n.of(t.Feature(node)).levels)
		for code := 1; code < levels+firstLevel; code++ {
			words[code/64] ^= 1 << (code % 64)
		}
	}
	if t.NextMissing(node) == t.Child(node) {
		words[0] |= 1
	}
	return words
}

// codes returns the codes of the generated program that a set of a column's categories has.
func (n *names) codes(feature int32, set []uint64) []uint64 {
	levels := len(n.of(feature).levels)
	words := make([]uint64, (levels+firstLevel+63)/64)
	for level := range levels {
		if tree.InSet(set, uint32(level)) {
			code := level + firstLevel
			words[code/64] |= 1 << (code % 64)
		}
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
