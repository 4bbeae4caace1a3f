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

func (f *functions) call(tree int, weight float64, output int) string {
	if f.divides(tree) {
		target := "&s"
		if f.scores > 1 && f.model.Trees[tree].Leaf.Width == 1 {
			target = fmt.Sprintf("&s[%d]", output)
		}
		f.printf("\ttree%d(%s, %s, r)\n", tree, target, number(weight))
		return ""
	}
	return fmt.Sprintf("tree%d(r)", tree)
}

// divides reports whether a tree divides rows, as its function returns no value then: it adds the
// values of all leaves.
func (f *functions) divides(tree int) bool {
	t := f.model.Trees[tree]
	for n := range int32(t.Len()) {
		if divided(t, n) {
			return true
		}
	}
	return false
}

func (f *functions) write() {
	for i, t := range f.model.Trees {
		f.function(i, t)
	}
	f.refusedFunctions()
	f.setFunctions()
}

// function writes the function of a tree. Trees of wide leaves return a pointer into an array of
// them. Trees that divide rows add the values of all leaves that a row reaches instead, and each
// part of a row has a function of its own.
func (f *functions) function(i int, t *tree.Tree) {
	value := "float64"
	if t.Leaf.Width > 1 {
		value = f.scoreType()
		f.printf("var leaves%d = [...]%s{\n", i, value)
		f.leaves(t)
		f.printf("}\n\n")
	}
	b := body{functions: f, number: i, tree: t, values: values(t), adds: f.divides(i)}
	if !b.adds {
		if t.Leaf.Width > 1 {
			value = "*" + value
		}
		f.printf("func tree%d(r %s) %s {\n", i, f.rowOfTrees(), value)
		b.node(0)
		f.printf("}\n\n")
		return
	}
	parts := []string{""}
	roots := []int32{0}
	for n := range int32(t.Len()) {
		for c := t.Child(n); divided(t, n) && c < t.Child(n)+t.Arity(n); c++ {
			parts, roots = append(parts, fmt.Sprintf("_%d", c)), append(roots, c)
		}
	}
	for k, root := range roots {
		f.printf("func tree%d%s(s *%s, weight float64, r %s) {\n", i, parts[k], value,
			f.rowOfTrees())
		b.node(root)
		f.printf("}\n\n")
	}
}

// body writes the body of a tree's function.
type body struct {
	*functions
	number int
	tree   *tree.Tree
	values []float64
	adds   bool // instead of returning a value
	// the place of a leaf's error among the refusals, for a function that returns it, or -1; nil:
	// the function returns values
	refused map[int32]int
}

// divided reports whether an inner node divides rows whose value is missing.
func divided(t *tree.Tree, n int32) bool {
	return t.Kind(n) != tree.Leaf && t.Missing(n) == tree.MissingFractional
}

// node writes the statements of a node, which end the function on every path.
func (f *body) node(n int32) {
	t := f.tree
	switch {
	case t.Kind(n) == tree.Leaf:
		f.leaf(n)
		return
	case t.Kind(n) == tree.ByCode:
		f.byCode(n)
		return
	case t.NextMissing(n) >= 0 && !surrogates(t, n):
		f.printf("if %s {\n", f.condition(n))
	default:
		f.rule(n)
		f.printf("if first%d {\n", n)
	}
	f.child(n, t.Child(n))
	f.printf("}\n")
	f.child(n, t.Child(n)+1)
}

// child writes the statements of a child.
func (f *body) child(n, child int32) {
	if divided(f.tree, n) {
		f.printf("tree%d_%d(s, weight, r)\nreturn\n", f.number, child)
		return
	}
	f.node(child)
}

// leaf writes the end at a leaf, or at an inner node where a row stops. An equation gives the plain
// value where it is no finite number.
func (f *body) leaf(n int32) {
	if f.refused != nil {
		place, is := f.refused[n]
		if !is {
			place = -1
		}
		f.printf("return %d\n", place)
		return
	}
	slot := f.tree.Slot(n)
	if f.tree.Leaf.Width > 1 {
		value := fmt.Sprintf("&leaves%d[%d]", f.number, slot)
		if f.adds {
			f.printf("add(s, weight, %s)\nreturn\n", value)
		} else {
			f.printf("return %s\n", value)
		}
		return
	}
	if constant, features, coefs := f.tree.Equation(n); len(features) > 0 {
		f.printf("if e := %s", number(constant))
		for i, feature := range features {
			f.printf(" +\nfloat64(%s * %s)", number(coefs[i]), f.of(feature).expression())
		}
		f.printf("; finite(e) {\n")
		f.end("e")
		f.printf("}\n")
	}
	f.end(number(f.values[slot]))
}

// end writes the end with a value.
func (f *body) end(value string) {
	if f.adds {
		f.printf("*s += float64(weight * %s)\nreturn\n", value)
	} else {
		f.printf("return %s\n", value)
	}
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
	if bytes.Contains(f.Bytes(), []byte(" in(")) {
		f.WriteString(inSource)
	}
	if bytes.Contains(f.Bytes(), []byte("square(")) {
		f.WriteString(squareSource)
	}
	if bytes.Contains(f.Bytes(), []byte("isNaN(")) {
		f.WriteString(isNaNSource)
	}
}

const squareSource = `func square(x float64) float64 { return x * x }

`

const isNaNSource = `// isNaN reports whether a number is missing.
func isNaN(x float64) bool { return x != x }

`

const inSource = `// in reports whether a set has a category; what is none counts as unseen.
func in(set uint64, code uint32) bool {
	if code > 63 {
		code = 1
	}
	return set>>(code&63)&1 != 0
}

`
