package gosource

import (
	"bytes"
	"fmt"

	"github.com/coppice-ml/coppice/tree"
)

func bytesContain(b []byte, text string) bool { return bytes.Contains(b, []byte(text)) }

// Kinds of nodes in tables.
const (
	kindLeaf         = iota
	kindMissingLast  // x <= t goes first
	kindMissingFirst // x > t goes last
	kindSet          // t is the number of a set
)

// layOut numbers the nodes of all trees in one table, and the values of wide leaves.
func (g *generator) layOut() error {
	at := 0
	for i, t := range g.model.Trees {
		g.roots = append(g.roots, at)
		at += t.Len()
		for n := range int32(t.Len()) {
			if t.Kind(n) == tree.ByCode {
				return unsupported("tables of nodes with a child for each category: tree %d has some", i)
			}
		}
	}
	return nil
}

// writeTables writes all trees as one table of nodes, and the function that walks it.
func (g *generator) writeTables() {
	g.numbers()
	g.printf("// node is a node of a tree: kind 0 is a leaf of value t, or of the values of that number;\n" +
		"// 1 sends x <= t to child, 2 what is not above t; 3 the categories of set number t. Others go\n" +
		"// to the node behind child.\ntype node struct {\n\tt float64\n\tchild int32\n\tfeature uint16\n" +
		"\tkind uint8\n}\n\nvar nodes = [...]node{\n")
	wide, leaves := g.scores > 1 && g.wide(), 0
	for i, t := range g.model.Trees {
		v := values(t)
		for n := range int32(t.Len()) {
			g.node(t, n, g.roots[i], v, wide, leaves)
		}
		leaves += len(v) / t.Leaf.Width
	}
	g.printf("}\n\n")
	if wide {
		g.printf("var leaves = [...]%s{\n", g.scoreType())
		for _, t := range g.model.Trees {
			v, w := values(t), t.Leaf.Width
			for at := 0; at+w <= len(v); at += w {
				g.printf("\t{%s},\n", joined(v[at:at+w]))
			}
		}
		g.printf("}\n\n")
	}
	g.walkFunction(wide)
}

// wide reports whether leaves have several values.
func (g *generator) wide() bool {
	for _, t := range g.model.Trees {
		if t.Leaf.Width > 1 {
			return true
		}
	}
	return false
}

// node writes an element of the table.
func (g *generator) node(
	t *tree.Tree, n int32, root int, v []float64, wide bool, leaves int,
) {
	child, feature := root+int(t.Child(n)), 0
	if t.Kind(n) != tree.Leaf {
		feature = g.place[t.Feature(n)]
	}
	first := t.Kind(n) != tree.Leaf && t.NextMissing(n) == t.Child(n)
	switch kind := t.Kind(n); {
	case kind == tree.Leaf && wide:
		g.printf("\t{t: %d},\n", leaves+int(t.Slot(n)))
	case kind == tree.Leaf:
		g.printf("\t{t: %s},\n", number(v[t.Slot(n)]))
	case kind == tree.Numeric:
		k := kindMissingLast
		if first {
			k = kindMissingFirst
		}
		g.printf("\t{%s, %d, %d, %d},\n", number(t.SplitPoint(n)), child, feature, k)
	default:
		f := function{generator: g, tree: t}
		g.sets = append(g.sets, f.firstSet(n))
		g.printf("\t{%d, %d, %d, %d},\n", len(g.sets)-1, child, feature, kindSet)
	}
}

// numbers writes the function that makes numbers of a row.
func (g *generator) numbers() {
	g.printf("// numbers returns the values of a row in the order of the columns, categories as numbers.\n"+
		"func (r *Row) numbers() [%d]float64 {\n\treturn [%d]float64{", max(1, len(g.columns)),
		max(1, len(g.columns)))
	for i := range g.columns {
		c := &g.columns[i]
		if c.typ == "" {
			g.printf("r.%s, ", c.field)
		} else {
			g.printf("float64(r.%s), ", c.field)
		}
	}
	g.printf("}\n}\n\n")
}

// walkFunction writes the function that takes a row to a leaf.
func (g *generator) walkFunction(wide bool) {
	result, leaf := "float64", "n.t"
	if wide {
		result, leaf = "*"+g.scoreType(), "&leaves[int(n.t)]"
	}
	sets := ""
	if len(g.sets) > 0 {
		g.printf("var sets = [...][]uint64{\n")
		for _, words := range g.sets {
			g.printf("\t{")
			for _, w := range words {
				g.printf("%#x, ", w)
			}
			g.printf("},\n")
		}
		g.printf("}\n\n")
		g.WriteString(inWordsSource)
		sets = fmt.Sprintf("\t\tcase %d:\n\t\t\tlast = !inWords(sets[int(n.t)], uint32(v))\n", kindSet)
	}
	g.printf("// walk takes a row to a leaf of the tree whose root is given.\n"+
		"func walk(x *[%d]float64, root int32) %s {\n\tn := &nodes[root]\n\tfor n.kind != 0 {\n"+
		"\t\tv := x[n.feature]\n\t\tlast := false\n\t\tswitch n.kind {\n\t\tcase %d:\n"+
		"\t\t\tlast = !(v <= n.t)\n\t\tcase %d:\n\t\t\tlast = v > n.t\n%s\t\t}\n"+
		"\t\tchild := n.child\n\t\tif last {\n\t\t\tchild++\n\t\t}\n\t\tn = &nodes[child]\n\t}\n"+
		"\treturn %s\n}\n\n", max(1, len(g.columns)), result, kindMissingLast, kindMissingFirst, sets, leaf)
}
