// Package engine owns compiled prediction: a Program of trees, weights and outputs, flattened into one array of
// nodes that rows walk through. It knows trees and numbers; schemas, links and labels are the business of package
// model.
package engine

import "github.com/coppice-ml/coppice/tree"

// Source is what a Program is compiled from.
type Source struct {
	Trees   []*tree.Tree
	Output  []int32   // which output each tree feeds, -1 = all; nil = all -1
	Weights []float64 // one per tree; nil = all 1
	Bias    []float64 // one per output; nil = 0
	Outputs int
	Mean    bool // divide the weighted sum by the sum of the weights, once, before the bias is added
}

// node is one node of a compiled program.
type node struct {
	cut     float64
	column  int32 // position in the row buffer
	child   int32 // absolute number of the first child; at leaves the offset of the values
	set     int32 // sets: offset of the bits; directions: of the first term
	words   int32 // sets: number of words of 64 codes; directions: of terms; ByCode: of children
	missing int32 // absolute number of the child for a missing value, or one of the marks below
	kind    tree.Kind
}

// Marks of node.missing for rules that name no child. What else they need is in Program.rare.
const (
	missingStop       = -1
	missingFractional = -2
	missingSurrogate  = -3
)

// rare is what nodes with unusual missing rules need; most programs have none.
type rare struct {
	value      int32 // missingStop: offset of the values
	arity      int32 // missingFractional
	shares     []float64
	surrogates []surrogate
	otherwise  int32 // missingSurrogate: the child where no surrogate can tell, or missingStop
	majority   int32
}

// surrogate is one surrogate split: a node without children.
type surrogate struct {
	node
	first, last int32 // absolute numbers of the children
}

// term is one term of a direction.
type term struct {
	column int32
	coef   float64
}

// Program is a compiled ensemble. It is immutable and safe for concurrent use.
type Program struct {
	nodes   []node
	sets    []uint64
	terms   []term
	rare    map[int32]*rare
	values  []float64
	divides bool // some node is missingFractional
	roots   []int32
	outputs []int32 // per tree
	scale   []float64
	width   []int32 // per tree: values at a leaf
	bias    []float64
	divisor float64 // of means: the sum of the weights; 0 if nothing is divided
	columns []int32
}

// Compile flattens the trees. Class counts become shares here, once; an empty leaf becomes equal shares.
func Compile(s Source) *Program {
	p := &Program{bias: s.Bias, columns: usedColumns(s.Trees)}
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
	if s.Mean {
		p.divisor = sum
	}
	return p
}

func usedColumns(trees []*tree.Tree) []int32 {
	var used []bool
	use := func(f int32) {
		if int(f) >= len(used) {
			used = append(used, make([]bool, int(f)+1-len(used))...)
		}
		used[f] = true
	}
	for _, t := range trees {
		for n := range int32(t.Len()) {
			if f := t.Feature(n); f >= 0 {
				use(f)
			}
		}
		if t.Dirs != nil {
			for _, f := range t.Dirs.Feature {
				use(f)
			}
		}
		if t.Surrogates != nil {
			for _, f := range t.Surrogates.Feature {
				use(f)
			}
		}
	}
	columns := []int32{}
	for c, is := range used {
		if is {
			columns = append(columns, int32(c))
		}
	}
	return columns
}

func (p *Program) appendTree(t *tree.Tree, place map[int32]int32) {
	base := int32(len(p.nodes))
	p.roots = append(p.roots, base)
	setBase := int32(len(p.sets))
	p.sets = append(p.sets, t.Sets...)
	values := int32(len(p.values))
	if !t.InnerValues() {
		p.appendValues(t.Leaf.Kind, t.Leaf.Width, t.Leaf.Value)
	}
	for n := range int32(t.Len()) {
		k := t.Kind(n)
		if k == tree.Leaf {
			p.nodes = append(p.nodes, node{kind: k, child: p.value(t, n, values)})
			continue
		}
		d := node{kind: k, cut: t.Cut(n), child: base + t.Child(n)}
		switch k {
		case tree.SetFirst, tree.SetLast:
			s := t.Nodes[n].Set()
			d.set, d.words = setBase+t.SetAt[s], t.SetAt[s+1]-t.SetAt[s]
		case tree.ByCode:
			d.words = t.Arity(n)
		case tree.Oblique, tree.Sphere:
			d.set, d.words = int32(len(p.terms)), t.Dirs.At[n+1]-t.Dirs.At[n]
			for i := t.Dirs.At[n]; i < t.Dirs.At[n+1]; i++ {
				p.terms = append(p.terms, term{place[t.Dirs.Feature[i]], t.Dirs.Coef[i]})
			}
		}
		if t.Feature(n) >= 0 {
			d.column = place[t.Feature(n)]
		}
		p.setMissing(&d, t, n, base, values, place)
		p.nodes = append(p.nodes, d)
	}
}

// setMissing resolves the missing rule of node n: most rules name one child. values is where the values of the tree start.
func (p *Program) setMissing(d *node, t *tree.Tree, n, base, values int32, place map[int32]int32) {
	if c := t.NextMissing(n); c >= 0 {
		d.missing = base + c
	}
	if t.Missing(n) != tree.MissingStop && t.Missing(n) != tree.MissingFractional && t.Missing(n) != tree.MissingSurrogate {
		return
	}
	r := &rare{arity: t.Arity(n), majority: base + t.Majority(n)}
	if p.rare == nil {
		p.rare = map[int32]*rare{}
	}
	p.rare[base+n] = r
	switch t.Missing(n) {
	case tree.MissingStop:
		d.missing, r.value = missingStop, p.value(t, n, values)
		if t.Surrogates != nil && t.Surrogates.At[n] < t.Surrogates.At[n+1] {
			d.missing, r.otherwise = missingSurrogate, missingStop
			p.setSurrogates(r, t, n, base, place)
		}
	case tree.MissingFractional:
		d.missing, r.shares = missingFractional, t.Share[t.Child(n):t.Child(n)+t.Arity(n)]
		p.divides = true
	case tree.MissingSurrogate:
		d.missing, r.otherwise = missingSurrogate, r.majority
		if t.Surrogates != nil {
			p.setSurrogates(r, t, n, base, place)
		}
	}
}

func (p *Program) setSurrogates(r *rare, t *tree.Tree, n, base int32, place map[int32]int32) {
	s := t.Surrogates
	for i := s.At[n]; i < s.At[n+1]; i++ {
		u := surrogate{node: node{kind: s.Kind[i], cut: s.Cut[i], column: place[s.Feature[i]]}, first: base + t.Child(n), last: base + t.Child(n) + 1}
		if s.Flip[i] == 1 {
			u.first, u.last = u.last, u.first
		}
		u.set, u.words = int32(len(p.sets)), int32(len(s.Set(i)))
		p.sets = append(p.sets, s.Set(i)...)
		r.surrogates = append(r.surrogates, u)
	}
}

// value returns the offset of the value of node n. Nodes may share slots, so all values of the tree are there, from the
// given offset on; but of a tree whose every node has its own only those that are asked for are appended.
func (p *Program) value(t *tree.Tree, n, values int32) int32 {
	if !t.InnerValues() {
		return values + t.Slot(n)*int32(t.Leaf.Width)
	}
	values = int32(len(p.values))
	p.appendValues(t.Leaf.Kind, t.Leaf.Width, t.Value(n))
	return values
}

// appendValues appends values of the given width, class counts as shares.
func (p *Program) appendValues(kind tree.LeafKind, width int, v []float64) {
	at := len(p.values)
	p.values = append(p.values, v...)
	if kind != tree.Counts {
		return
	}
	for ; at < len(p.values); at += width {
		tree.Shares(p.values[at:at+width], p.values[at:at+width])
	}
}

// Columns returns the features that the program looks at, ascending. A row buffer holds their values in this
// order.
func (p *Program) Columns() []int32 { return p.columns }

// NumTrees returns the number of trees.
func (p *Program) NumTrees() int { return len(p.roots) }
