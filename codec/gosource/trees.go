package gosource

import (
	"fmt"
	"strings"

	"github.com/coppice-ml/coppice/tree"
)

// trees writes the functions, or the tables, of all trees.
func (g *generator) trees() error {
	wide := false
	for i, t := range g.model.Trees {
		wide = wide || t.Leaf.Width > 1
		if !g.tables {
			g.treeFunction(i, t)
		}
	}
	if wide {
		g.printf("// add adds the weighted values of a leaf to the scores.\n"+
			"func add(s *%s, weight float64, v *%s) {\n\tfor k := range s {\n"+
			"\t\ts[k] += float64(weight * v[k])\n\t}\n}\n\n", g.scoreType(), g.scoreType())
	}
	if g.tables {
		g.writeTables()
	} else {
		g.setFunctions()
	}
	return nil
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

// treeFunction writes a tree as nested ifs. Trees of wide leaves return a pointer into an array of
// them.
func (g *generator) treeFunction(i int, t *tree.Tree) {
	result := "float64"
	if t.Leaf.Width > 1 {
		result = "*" + g.scoreType()
		g.leafArray(i, t)
	}
	g.printf("func tree%d(r *Row) %s {\n", i, result)
	f := function{g, i, t, values(t)}
	f.node(0)
	g.printf("}\n\n")
}

// leafArray writes the values of wide leaves.
func (g *generator) leafArray(i int, t *tree.Tree) {
	v, w := values(t), t.Leaf.Width
	g.printf("var leaves%d = [...]%s{\n", i, g.scoreType())
	for at := 0; at+w <= len(v); at += w {
		g.printf("\t{%s},\n", joined(v[at:at+w]))
	}
	g.printf("}\n\n")
}

// joined lists numbers.
func joined(v []float64) string {
	texts := make([]string, len(v))
	for i, x := range v {
		texts[i] = number(x)
	}
	return strings.Join(texts, ", ")
}

// function writes the body of a tree's function.
type function struct {
	*generator
	number int
	tree   *tree.Tree
	values []float64
}

// node writes the statements of a node, which end with a return on every path.
func (f *function) node(n int32) {
	t := f.tree
	switch t.Kind(n) {
	case tree.Leaf:
		slot := t.Slot(n)
		if t.Leaf.Width > 1 {
			f.printf("return &leaves%d[%d]\n", f.number, slot)
		} else {
			f.printf("return %s\n", number(f.values[slot]))
		}
		return
	case tree.ByCode:
		f.byCode(n)
		return
	}
	f.printf("if %s {\n", f.condition(n))
	f.node(t.Child(n))
	f.printf("}\n")
	f.node(t.Child(n) + 1)
}

// condition returns the condition of the first child.
func (f *function) condition(n int32) string {
	t := f.tree
	c := &f.columns[f.place[t.Feature(n)]]
	first := t.NextMissing(n) == t.Child(n)
	if t.Kind(n) == tree.Numeric {
		if first { // NaN compares false
			return fmt.Sprintf("!(r.%s > %s)", c.field, number(t.SplitPoint(n)))
		}
		return fmt.Sprintf("r.%s <= %s", c.field, number(t.SplitPoint(n)))
	}
	words := f.firstSet(n)
	if len(words) == 1 {
		return fmt.Sprintf("in(%#x, uint32(r.%s))", words[0], c.field)
	}
	f.sets = append(f.sets, words)
	return fmt.Sprintf("inWords(set%d[:], uint32(r.%s))", len(f.sets)-1, c.field)
}

// firstSet returns the codes of the generated program that go to the first child of a set node:
// missing, unseen, and the categories.
func (f *function) firstSet(n int32) []uint64 {
	t := f.tree
	levels := len(f.columns[f.place[t.Feature(n)]].levels)
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

// byCode writes a node with a child for each category. Codes without a child are missing.
func (f *function) byCode(n int32) {
	t := f.tree
	missing := t.NextMissing(n)
	f.printf("switch r.%s {\n", f.columns[f.place[t.Feature(n)]].field)
	for c := t.Child(n); c < t.Child(n)+t.Arity(n); c++ {
		if c == missing {
			continue
		}
		f.printf("case %d:\n", c-t.Child(n)+firstLevel)
		f.node(c)
	}
	f.printf("default:\n")
	f.node(missing)
	f.printf("}\n")
}

// setFunctions writes the sets that do not fit into a word, and the functions that test sets.
func (g *generator) setFunctions() {
	for i, words := range g.sets {
		g.printf("var set%d = [...]uint64{", i)
		for k, w := range words {
			if k > 0 {
				g.printf(", ")
			}
			g.printf("%#x", w)
		}
		g.printf("}\n\n")
	}
	if len(g.sets) > 0 {
		g.WriteString(inWordsSource)
	}
	if bytesContain(g.Bytes(), "if in(") {
		g.WriteString(inSource)
	}
}

const inSource = `// in reports whether a set has a category; what is none counts as unseen.
func in(set uint64, code uint32) bool {
	if code > 63 {
		code = 1
	}
	return set>>(code&63)&1 != 0
}

`

const inWordsSource = `// inWords is in for a set of more categories.
func inWords(set []uint64, code uint32) bool {
	if code>>6 >= uint32(len(set)) {
		code = 1
	}
	return set[code>>6]>>(code&63)&1 != 0
}

`
