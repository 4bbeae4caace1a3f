package gosource

import (
	"fmt"
	"strings"

	"github.com/coppice-ml/coppice/tree"
)

// surrogates reports whether an inner node has surrogates.
func surrogates(t *tree.Tree, n int32) bool {
	return t.Surrogates != nil && t.Surrogates.At[n] < t.Surrogates.At[n+1]
}

// condition returns the condition of the first child of a node with two, where a missing value has
// a child and no surrogates.
func (f *body) condition(n int32) string {
	t := f.tree
	first := t.NextMissing(n) == t.Child(n)
	if isSet(t, n) {
		return f.in(t.Feature(n), f.firstSet(t, n))
	}
	if first { // NaN compares false
		return fmt.Sprintf("!(%s > %s)", f.value(n), number(t.SplitPoint(n)))
	}
	return f.known(n)
}

func isSet(t *tree.Tree, n int32) bool {
	return t.Kind(n) == tree.SetFirst || t.Kind(n) == tree.SetLast
}

// known returns the condition of the first child for known values.
func (f *body) known(n int32) string {
	t := f.tree
	if isSet(t, n) {
		words := f.firstSet(t, n)
		words[0] &^= 1 // a missing value, which known does not decide
		return f.in(t.Feature(n), words)
	}
	return fmt.Sprintf("%s <= %s", f.value(n), number(t.SplitPoint(n)))
}

// value returns the number that a node compares with its split point: a value, or what a direction
// makes of several, in the order of the engine.
func (f *body) value(n int32) string {
	t := f.tree
	if t.Kind(n) == tree.Numeric {
		return f.of(t.Feature(n)).expression()
	}
	d, terms := t.Dirs, []string{"float64(0)"}
	for i := d.At[n]; i < d.At[n+1]; i++ {
		x, c := f.of(d.Feature[i]).expression(), number(d.Coef[i])
		if t.Kind(n) == tree.Sphere {
			terms = append(terms, fmt.Sprintf("square(%s - %s)", x, parenthesised(c)))
		} else {
			terms = append(terms, fmt.Sprintf("float64(%s * %s)", x, parenthesised(c)))
		}
	}
	return "(" + strings.Join(terms, " + ") + ")"
}

// parenthesised is a number that may follow an operator.
func parenthesised(number string) string {
	if strings.HasPrefix(number, "-") {
		return "(" + number + ")"
	}
	return number
}

// missing returns the condition that the value of a node is missing.
func (f *body) missing(n int32) string {
	if c := f.tree; isSet(c, n) {
		column := f.of(c.Feature(n))
		return fmt.Sprintf("r.%s == %sMissing", column.field, column.typ)
	}
	return fmt.Sprintf("isNaN(%s)", f.value(n))
}

// in returns the condition that the category of a column is in a set.
func (f *functions) in(feature int32, words []uint64) string {
	field := f.of(feature).field
	if len(words) == 1 {
		return fmt.Sprintf("in(%#x, uint32(r.%s))", words[0], field)
	}
	f.sets = append(f.sets, words)
	return fmt.Sprintf("inWords(set%d[:], uint32(r.%s))", len(f.sets)-1, field)
}

// rule writes the statements of a node with two children whose missing values have surrogates, or
// no child. They set a variable to whether a row goes to the first child, or end the function.
func (f *body) rule(n int32) {
	t := f.tree
	f.printf("first%d := %s\nif %s {\n", n, f.known(n), f.missing(n))
	if !surrogates(t, n) {
		f.withoutValue(n)
		f.printf("}\n")
		return
	}
	f.printf("switch {\n")
	s := t.Surrogates
	for i := s.At[n]; i < s.At[n+1]; i++ {
		f.surrogate(n, i)
	}
	f.printf("default:\n")
	f.withoutValue(n)
	f.printf("}\n}\n")
}

// surrogate writes the case of a surrogate: the condition that it applies, and where it sends rows.
func (f *body) surrogate(n, i int32) {
	s := f.tree.Surrogates
	if s.Kind[i] != tree.Numeric {
		words := f.codes(s.Feature[i], s.Set(i))
		f.printf("case %s:\nfirst%d = %t\n", f.in(s.Feature[i], words), n, s.Kind[i] == tree.SetFirst)
		return
	}
	x := f.of(s.Feature[i]).expression()
	comparison := "<="
	if s.Flip[i] != 0 {
		comparison = ">"
	}
	f.printf("case !isNaN(%s):\nfirst%d = %s %s %s\n", x, n, x, comparison, number(s.SplitPoint[i]))
}

// withoutValue writes what becomes of a row whose value and surrogates are missing: it has a child,
// is divided among all, or stops.
func (f *body) withoutValue(n int32) {
	t := f.tree
	if next := t.NextMissing(n); next >= 0 {
		f.printf("first%d = %t\n", n, next == t.Child(n))
		return
	}
	f.ends(n)
}

// ends writes the end of a row that a node divides among its children, or that stops there.
func (f *body) ends(n int32) {
	t := f.tree
	if t.Missing(n) == tree.MissingStop {
		f.leaf(n)
		return
	}
	for c := t.Child(n); c < t.Child(n)+t.Arity(n); c++ {
		if t.Fraction[c] > 0 {
			f.printf("tree%d_%d(s, float64(weight * %s), r)\n", f.number, c, number(t.Fraction[c]))
		}
	}
	f.printf("return\n")
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
		f.child(n, c)
	}
	f.printf("default:\n")
	if missing >= 0 {
		f.child(n, missing)
	} else {
		f.ends(n)
	}
	f.printf("}\n")
}
