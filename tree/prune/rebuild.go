package prune

import (
	"slices"

	"github.com/coppice-ml/coppice/tree"
)

// placed is a branch with its number in the new tree.
type placed struct {
	*branch
	number   int32
	in       weightedRows
	moved    bool      // other rows reach it than when the tree was grown
	value    []float64 // what it predicts with
	fraction float64
}

// build makes the pruned tree, breadth first, so that children follow each other.
func (r *raiser) build(root *branch, all weightedRows) (*tree.Tree, error) {
	t := r.tree
	b := tree.NewBuilder(t.Leaf.Kind, t.Leaf.Width, t.Stats != nil)
	queue := []placed{{branch: root, in: all, fraction: 1, moved: root.raised,
		value: r.valueOf(root, root.raised, all, nil)}}
	for i := 0; i < len(queue); i++ {
		p := queue[i]
		queue[i] = placed{}
		b.SetValue(p.number, p.value)
		if t.Fraction != nil {
			b.SetFraction(p.number, p.fraction)
		}
		r.setStats(b, &p)
		if len(p.kids) == 0 {
			continue
		}
		d, s := division{kids: make([]weightedRows, len(p.kids))}, t.SplitOf(p.node)
		if p.moved || p.raises() {
			d = r.divide(p.node, p.in)
		}
		if p.moved && t.Stats != nil {
			s.Gain = r.gain(p.in, d.kids)
		}
		first := b.Split(p.number, s)
		for c, kid := range p.kids {
			moved := p.moved || kid.raised
			next := placed{branch: kid, number: first + int32(c), in: d.kids[c], moved: moved,
				value: r.valueOf(kid, moved, d.kids[c], p.value)}
			if t.Fraction != nil {
				next.fraction = t.Fraction[int(t.Child(p.node))+c]
			}
			if p.moved && t.Missing(p.node) == tree.MissingFractional {
				next.fraction = d.fraction[c]
			}
			queue = append(queue, next)
		}
	}
	return b.Build()
}

// raises reports whether a branch below took its parent's place: only then do the rows of a node
// that did not move matter.
func (b *branch) raises() bool {
	return slices.ContainsFunc(b.kids, func(kid *branch) bool { return kid.raised || kid.raises() })
}

// valueOf returns the value of a branch: of a moved one the class weights of its rows or, without
// any, its parent's value.
func (r *raiser) valueOf(b *branch, moved bool, in weightedRows, parent []float64) []float64 {
	switch {
	case !moved:
		return r.tree.Value(b.node)
	case len(in.at) == 0:
		return parent
	}
	return r.counts(in)
}

func (r *raiser) setStats(b *tree.Builder, p *placed) {
	s := r.tree.Stats
	switch {
	case s == nil:
	case !p.moved:
		b.SetStats(p.number, int(s.Rows[p.node]), s.Weight[p.node], s.Impurity[p.node])
	case len(p.in.at) == 0:
		b.SetStats(p.number, 0, 0, 0)
	default:
		rows := len(p.in.at)
		if r.Count != nil {
			rows = 0
			for _, at := range p.in.at {
				rows += int(r.Count[at])
			}
		}
		weight := sum(p.value)
		b.SetStats(p.number, rows, weight, r.impurity(p.in)/weight)
	}
}

// impurity returns the total impurity of rows.
func (r *raiser) impurity(in weightedRows) float64 {
	if r.Impurity == nil {
		return 0
	}
	var total [1]float64
	r.Impurity(total[:], r.counts(in))
	return total[0]
}

// gain returns the decrease of impurity from a node to its children.
func (r *raiser) gain(in weightedRows, kids []weightedRows) float64 {
	gain := r.impurity(in)
	for _, kid := range kids {
		gain -= r.impurity(kid)
	}
	return max(0, gain)
}
