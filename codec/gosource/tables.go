package gosource

import (
	"fmt"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// lanes is the number of trees that generated programs walk at a time. The steps of one wait for
// memory while others go on, and no step is a branch that a processor has to predict.
const lanes = 8

// tables writes all trees as one table of nodes, and the function that walks it.
type tables struct {
	*generator
	roots []int      // by tree: the place of its root
	sets  [][]uint64 // of split nodes
}

// beyondTables returns the first tree with a node that tables cannot express, and what that has; -1
// if there is none.
func beyondTables(m *model.Ensemble) (int, string) {
	if len(m.Refused) > 0 {
		return int(m.Refused[0].Tree), "leaves without a prediction"
	}
	for i, t := range m.Trees {
		for n := range int32(t.Len()) {
			switch k := t.Kind(n); {
			case k == tree.Leaf:
			case k == tree.ByCode:
				return i, "a child for each category"
			case k == tree.Oblique || k == tree.Sphere:
				return i, "directions of several columns"
			case surrogates(t, n):
				return i, "surrogate splits"
			case t.NextMissing(n) < 0:
				return i, "rows that stop or are divided"
			}
		}
	}
	return -1, ""
}

// newTables numbers the nodes of all trees in one table.
func newTables(g *generator) *tables {
	f, at := &tables{generator: g}, 0
	for _, t := range g.model.Trees {
		f.roots = append(f.roots, at)
		at += t.Len()
	}
	return f
}

// slots returns the length of the array of a row's numbers: the values of all columns, the same
// with missing numbers below all others, and a number below all others. Where a byte numbers them
// there are 256, so that no access needs a check.
func (f *tables) slots() int { return max(256, 2*len(f.columns)+1) }

// slotType is the type of a place in that array.
func (f *tables) slotType() string {
	switch n := f.slots(); {
	case n <= 256:
		return "uint8"
	case n <= 1<<16:
		return "uint16"
	}
	return "uint32"
}

func (f *tables) start() string {
	return fmt.Sprintf("\tvar x [%d]float64\n\tr.numbers(&x)\n\tvar v [%d]float64\n", f.slots(), lanes)
}

// call writes the walk of as many trees as there are lanes before the first of them.
func (f *tables) call(tree int, _ float64, _ int) string {
	if tree%lanes == 0 {
		f.printf("\twalk(&x, &v, &roots[%d])\n", tree/lanes)
	}
	switch {
	case f.wide():
		return fmt.Sprintf("&leaves[int(v[%d])]", tree%lanes)
	case f.linear():
		return fmt.Sprintf("estimate(&x, &leaves[int(v[%d])])", tree%lanes)
	}
	return fmt.Sprintf("v[%d]", tree%lanes)
}

func (f *tables) write() {
	f.numbers()
	var nodes strings.Builder
	leaves, numbered := 0, f.wide() || f.linear()
	for i, t := range f.model.Trees {
		v := values(t)
		for n := range int32(t.Len()) {
			if t.Kind(n) != tree.Leaf {
				nodes.WriteString(f.split(t, n, f.roots[i]))
				continue
			}
			value := number(v[t.Slot(n)])
			if numbered {
				value = fmt.Sprint(leaves + int(t.Slot(n)))
			}
			fmt.Fprintf(&nodes, "\t{t: %s, child: %d, slot: %d},\n", value, f.roots[i]+int(n), 2*len(f.columns))
		}
		leaves += len(v) / t.Leaf.Width
	}
	set := ""
	if len(f.sets) > 0 {
		set = "\n\tset bool"
	}
	f.printf(nodeSource, f.slotType(), set, nodes.String())
	f.printf("// roots are the roots of the trees.\nvar roots = [...][%d]uint32{\n", lanes)
	for group := range slices.Chunk(f.roots, lanes) {
		f.printf("\t{%s},\n", strings.Join(strings.Fields(strings.Trim(fmt.Sprint(group), "[]")), ", "))
	}
	f.printf("}\n\n")
	switch {
	case f.wide():
		f.printf("var leaves = [...]%s{\n", f.scoreType())
		for _, t := range f.model.Trees {
			f.leaves(t)
		}
		f.printf("}\n\n")
	case f.linear():
		f.equations()
	}
	f.walkFunction()
}

// nodeSource is the type of the elements, and the table.
const nodeSource = `// node is a node of a tree. A row whose number x[slot] is at most t goes to child, another one to
// the node behind child. Where there is a set, t is the number of the one whose categories go to
// child. A leaf is its own child, and t is its value, or the number of its values.
type node struct {
	t     float64
	child uint32
	slot  %s%s
}

var nodes = [...]node{
%s}

`

// split returns the element of an inner node of a tree whose root has a place in the table.
func (f *tables) split(t *tree.Tree, n int32, root int) string {
	child, slot := root+int(t.Child(n)), f.place[t.Feature(n)]
	if t.Kind(n) != tree.Numeric {
		f.sets = append(f.sets, f.firstSet(t, n))
		return fmt.Sprintf("\t{t: %d, child: %d, slot: %d, set: true},\n", len(f.sets)-1, child, slot)
	}
	if t.NextMissing(n) == t.Child(n) {
		slot += len(f.columns)
	}
	return fmt.Sprintf("\t{t: %s, child: %d, slot: %d},\n", number(t.SplitPoint(n)), child, slot)
}

// equations writes the values of all slots with their equations, and the function that evaluates
// one.
func (f *tables) equations() {
	var terms strings.Builder
	count := 0
	f.printf("var leaves = [...]leaf{\n")
	for _, t := range f.model.Trees {
		for slot, value := range values(t) {
			l, first := t.Leaf.Linear, count
			constant := 0.0
			if l != nil {
				constant = l.Constant[slot]
				for i := l.At[slot]; i < l.At[slot+1]; i++ {
					fmt.Fprintf(&terms, "\t{%s, %d},\n", number(l.Coef[i]), f.place[l.Feature[i]])
				}
				count += int(l.At[slot+1] - l.At[slot])
			}
			f.printf("\t{%s, %s, %d, %d},\n", number(value), number(constant), first, count)
		}
	}
	f.printf("}\n\nvar terms = [...]term{\n%s}\n\n", terms.String())
	f.printf(estimateSource, f.slotType(), f.slots())
}

// estimateSource is the type of leaves with equations, and the function that evaluates them.
const estimateSource = `// leaf is the value of a leaf and its equation: a constant and terms from one number up to another.
type leaf struct {
	value, constant float64
	from, to        uint32
}

// term is a coefficient and the place of the number that it multiplies.
type term struct {
	coef float64
	slot %s
}

// estimate returns what the equation gives for the numbers of a row, the value if there is none or
// it gives no finite number.
func estimate(x *[%d]float64, l *leaf) float64 {
	s := l.constant
	for _, t := range terms[l.from:l.to] {
		s += float64(t.coef * x[t.slot])
	}
	if l.from == l.to || !finite(s) {
		return l.value
	}
	return s
}

`

// numbers writes the function that makes numbers of a row.
func (f *tables) numbers() {
	n := len(f.columns)
	f.printf("// numbers stores the values of a row in the order of the columns, categories as numbers. "+
		"They\n// follow again with missing numbers below all others, and a number below all others.\n"+
		"func (r %s) numbers(x *[%d]float64) {\n", f.rowOfTrees(), f.slots())
	for i := range f.columns {
		c := &f.columns[i]
		if c.typ == "" {
			f.printf("\tx[%d] = %s\n", i, c.expression())
		} else {
			f.printf("\tx[%d] = float64(r.%s)\n", i, c.field)
		}
	}
	f.printf("\tfor i, v := range x[:%d] {\n\t\tif v != v {\n\t\t\tv = math.Inf(-1)\n\t\t}\n"+
		"\t\tx[%d+i] = v\n\t}\n\tx[%d] = math.Inf(-1)\n}\n\n", n, n, 2*n)
}

// walkFunction writes the function that takes a row to the leaves of some trees.
func (f *tables) walkFunction() {
	first := "x[n.slot] <= n.t"
	set := ""
	if len(f.sets) > 0 {
		f.printf("var sets = [...][]uint64{\n")
		for _, words := range f.sets {
			f.printf("\t{")
			for _, w := range words {
				f.printf("%#x, ", w)
			}
			f.printf("},\n")
		}
		f.printf("}\n\n")
		f.WriteString(inWordsSource)
		first = "first"
		set = "\tfirst := x[n.slot] <= n.t\n\tif n.set {\n" +
			"\t\tfirst = inWords(sets[int(n.t)], uint32(x[n.slot]))\n\t}\n"
	}
	f.printf("// step returns the node behind a node.\nfunc step(x *[%d]float64, i uint32) uint32 {\n"+
		"\tn := &nodes[i]\n%s\tchild := n.child\n\tif !(%s) {\n\t\tchild++\n\t}\n"+
		"\treturn child\n}\n\n", f.slots(), set, first)
	f.printf(walkSource, lanes, f.slots(), lanes, lanes)
}

// walkSource is the function that takes a row to the leaves of as many trees as there are lanes. It
// takes two steps between two looks at whether all are at their leaves, which stay where they are.
const walkSource = `// walk takes a row to the leaves of %d trees, and stores their values.
func walk(x *[%d]float64, v *[%d]float64, root *[%d]uint32) {
	a, b, c, d, e, f, g, h := root[0], root[1], root[2], root[3], root[4], root[5], root[6], root[7]
	for {
		a1, b1, c1, d1 := step(x, a), step(x, b), step(x, c), step(x, d)
		e1, f1, g1, h1 := step(x, e), step(x, f), step(x, g), step(x, h)
		a, b, c, d = step(x, a1), step(x, b1), step(x, c1), step(x, d1)
		e, f, g, h = step(x, e1), step(x, f1), step(x, g1), step(x, h1)
		if (a^a1)|(b^b1)|(c^c1)|(d^d1)|(e^e1)|(f^f1)|(g^g1)|(h^h1) == 0 {
			break
		}
	}
	v[0], v[1], v[2], v[3] = nodes[a].t, nodes[b].t, nodes[c].t, nodes[d].t
	v[4], v[5], v[6], v[7] = nodes[e].t, nodes[f].t, nodes[g].t, nodes[h].t
}

`
