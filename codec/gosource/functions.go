package gosource

import (
	"bytes"
	"fmt"

	"github.com/coppice-ml/coppice/tree"
)

// functions writes trees as functions of nested ifs.
type functions struct {
	*generator
	sets [][]uint64 // that do not fit into a word
}

func (f *functions) start() string { return "" }

func (f *functions) call(tree int) string { return fmt.Sprintf("tree%d(r)", tree) }

func (f *functions) write() {
	for i, t := range f.model.Trees {
		f.function(i, t)
	}
	f.setFunctions()
}

// function writes the function of a tree. Trees of wide leaves return a pointer into an array of
// them.
func (f *functions) function(i int, t *tree.Tree) {
	result := "float64"
	if t.Leaf.Width > 1 {
		result = "*" + f.scoreType()
		f.printf("var leaves%d = [...]%s{\n", i, f.scoreType())
		f.leaves(t)
		f.printf("}\n\n")
	}
	f.printf("func tree%d(r *Row) %s {\n", i, result)
	b := body{f, i, t, values(t)}
	b.node(0)
	f.printf("}\n\n")
}

// body writes the body of a tree's function.
type body struct {
	*functions
	number int
	tree   *tree.Tree
	values []float64
}

// node writes the statements of a node, which end with a return on every path.
func (f *body) node(n int32) {
	t := f.tree
	switch t.Kind(n) {
	case tree.Leaf:
		f.leaf(n)
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

// leaf writes the return of a leaf. One with an equation returns its plain value where the equation
// gives no finite number.
func (f *body) leaf(n int32) {
	slot := f.tree.Slot(n)
	if f.tree.Leaf.Width > 1 {
		f.printf("return &leaves%d[%d]\n", f.number, slot)
		return
	}
	if constant, features, coefs := f.tree.Equation(n); len(features) > 0 {
		f.printf("if s := %s", number(constant))
		for i, feature := range features {
			f.printf(" +\nfloat64(%s * %s)", number(coefs[i]), f.of(feature).expression())
		}
		f.printf("; finite(s) {\nreturn s\n}\n")
	}
	f.printf("return %s\n", number(f.values[slot]))
}

// condition returns the condition of the first child.
func (f *body) condition(n int32) string {
	t := f.tree
	c := f.of(t.Feature(n))
	first := t.NextMissing(n) == t.Child(n)
	if t.Kind(n) == tree.Numeric {
		if first { // NaN compares false
			return fmt.Sprintf("!(%s > %s)", c.expression(), number(t.SplitPoint(n)))
		}
		return fmt.Sprintf("%s <= %s", c.expression(), number(t.SplitPoint(n)))
	}
	words := f.firstSet(t, n)
	if len(words) == 1 {
		return fmt.Sprintf("in(%#x, uint32(r.%s))", words[0], c.field)
	}
	f.sets = append(f.sets, words)
	return fmt.Sprintf("inWords(set%d[:], uint32(r.%s))", len(f.sets)-1, c.field)
}

// byCode writes a node with a child for each category. Codes without a child are missing.
func (f *body) byCode(n int32) {
	t := f.tree
	missing := t.NextMissing(n)
	f.printf("switch r.%s {\n", f.of(t.Feature(n)).field)
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
func (f *functions) setFunctions() {
	for i, words := range f.sets {
		f.printf("var set%d = [...]uint64{", i)
		for k, w := range words {
			if k > 0 {
				f.printf(", ")
			}
			f.printf("%#x", w)
		}
		f.printf("}\n\n")
	}
	if len(f.sets) > 0 {
		f.WriteString(inWordsSource)
	}
	if bytes.Contains(f.Bytes(), []byte("if in(")) {
		f.WriteString(inSource)
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
