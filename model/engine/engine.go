// Package engine owns compiled prediction: a Program of trees, weights and outputs, flattened into one array of
// nodes that rows walk through. It knows trees and numbers; schemas, links and labels are the business of package
// model.
package engine

import (
	"math"
	"slices"

	"github.com/coppice-ml/coppice/tree"
)

// Source is what a Program is compiled from.
type Source struct {
	Trees   []*tree.Tree
	Output  []int32   // which output each tree feeds, -1 = all; nil = all -1
	Weights []float64 // one per tree; nil = all 1
	Bias    []float64 // one per output; nil = 0
	Outputs int
	Mean    bool // divide the weighted sum by the sum of the weights
}

// node is one node of a compiled program. Leaves have kind tree.Leaf and value at the start of their numbers.
type node struct {
	cut     float64
	column  int32 // position in the row buffer
	child   int32 // absolute number of the first child; at leaves the offset of the values
	set     int32 // offset of the bit set
	words   int32 // its length in words of 64 codes
	kind    tree.Kind
	missing tree.Missing
}

// Program is a compiled ensemble. It is immutable and safe for concurrent use.
type Program struct {
	nodes   []node
	sets    []uint64
	values  []float64
	roots   []int32
	outputs []int32 // per tree
	scale   []float64
	width   []int32 // per tree: values at a leaf
	bias    []float64
	columns []int32
	total   int
}

// Compile flattens the trees. Class counts become shares here, once; an empty leaf becomes equal shares.
func Compile(s Source) *Program {
	p := &Program{total: s.Outputs, bias: s.Bias, columns: usedColumns(s.Trees)}
	place := make(map[int32]int32, len(p.columns))
	for i, c := range p.columns {
		place[c] = int32(i)
	}
	sum := 0.0
	for i, t := range s.Trees {
		w, o := 1.0, int32(-1)
		if s.Weights != nil {
			w = s.Weights[i]
		}
		if s.Output != nil {
			o = s.Output[i]
		}
		sum += w
		p.scale = append(p.scale, w)
		p.outputs = append(p.outputs, o)
		p.width = append(p.width, int32(t.Leaf.Width))
		p.appendTree(t, place)
	}
	if s.Mean && sum != 0 {
		for i := range p.scale {
			p.scale[i] /= sum
		}
	}
	return p
}

func usedColumns(trees []*tree.Tree) []int32 {
	used := map[int32]bool{}
	for _, t := range trees {
		for n, k := range t.Kind {
			if k != tree.Leaf {
				used[t.Feature[n]] = true
			}
		}
	}
	columns := make([]int32, 0, len(used))
	for c := range used {
		columns = append(columns, c)
	}
	slices.Sort(columns)
	return columns
}

func (p *Program) appendTree(t *tree.Tree, place map[int32]int32) {
	base := int32(len(p.nodes))
	p.roots = append(p.roots, base)
	setBase := int32(len(p.sets))
	p.sets = append(p.sets, t.Sets...)
	for n, k := range t.Kind {
		if k == tree.Leaf {
			p.nodes = append(p.nodes, node{kind: k, child: int32(len(p.values))})
			p.appendValue(t, int32(n))
			continue
		}
		d := node{kind: k, cut: t.Cut[n], column: place[t.Feature[n]], child: base + t.Child[n], missing: t.Missing[n]}
		if k != tree.Cut {
			d.set = setBase + t.SetAt[n]
			d.words = t.SetAt[n+1] - t.SetAt[n]
		}
		p.nodes = append(p.nodes, d)
	}
}

func (p *Program) appendValue(t *tree.Tree, n int32) {
	at := len(p.values)
	p.values = append(p.values, t.Value(n)...)
	if t.Leaf.Kind != tree.Counts {
		return
	}
	Shares(p.values[at:], p.values[at:])
}

// Shares writes class weights as shares of their sum into dst; weights that sum to zero become equal shares.
// dst and counts may be the same slice.
func Shares(dst, counts []float64) {
	sum := 0.0
	for _, v := range counts {
		sum += v
	}
	for i, v := range counts {
		if sum > 0 {
			dst[i] = v / sum
		} else {
			dst[i] = 1 / float64(len(counts))
		}
	}
}

// Columns returns the features that the program looks at, ascending. A row buffer holds their values in this
// order.
func (p *Program) Columns() []int32 { return p.columns }

// NumTrees returns the number of trees.
func (p *Program) NumTrees() int { return len(p.roots) }

// Raw writes the combined value of every output for one row; len(dst) is the number of outputs. row holds a value
// for each of Columns: numbers, or category codes as numbers; NaN is missing and -1 an unseen category.
func (p *Program) Raw(dst, row []float64) {
	for i := range dst {
		dst[i] = 0
	}
	copy(dst, p.bias)
	for t := range p.roots {
		d := &p.nodes[p.walk(p.roots[t], row)]
		s := p.scale[t]
		if o := p.outputs[t]; o >= 0 {
			dst[o] += float64(s * p.values[d.child])
			continue
		}
		v := p.values[d.child : d.child+p.width[t]]
		for i := range v {
			dst[i] += float64(s * v[i])
		}
	}
}

// Leaves writes the number of the leaf reached in each tree; len(dst) is NumTrees.
func (p *Program) Leaves(dst, row []float64) {
	for t, root := range p.roots {
		dst[t] = float64(p.walk(root, row) - root)
	}
}

// walk returns the leaf that a row reaches.
func (p *Program) walk(n int32, row []float64) int32 {
	for {
		d := &p.nodes[n]
		if d.kind == tree.Leaf {
			return n
		}
		x := row[d.column]
		last := false
		switch {
		case math.IsNaN(x):
			last = d.missing == tree.MissingLast
		case d.kind == tree.Cut:
			last = x > d.cut
		default:
			last = p.inSet(d, x) != (d.kind == tree.SetFirst)
		}
		n = d.child
		if last {
			n++
		}
	}
}

func (p *Program) inSet(d *node, code float64) bool {
	return code >= 0 && code < float64(d.words)*64 && tree.InSet(p.sets[d.set:d.set+d.words], uint32(code))
}
