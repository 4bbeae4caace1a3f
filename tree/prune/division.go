package prune

import (
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/tree"
)

// weightedRows are rows that reach a node, each with the weight that reaches it: positions in
// Training.Rows, in their order there.
type weightedRows struct {
	at     []int32
	weight []float64
}

func (p *weightedRows) add(at int32, weight float64) {
	p.at, p.weight = append(p.at, at), append(p.weight, weight)
}

// division is what an inner node makes of the rows that reach it.
type division struct {
	kids     []weightedRows
	rest     weightedRows // rows that end at the node
	fraction []float64    // fraction of the weight with a known value that went to each child
}

// heaviest returns the child of greatest weight, of equal ones the last.
func heaviest(kids []weightedRows) int {
	best, most := 0, 0.0
	for i := range kids {
		if w := sum(kids[i].weight); most-w < alike {
			best, most = i, w
		}
	}
	return best
}

// all returns the rows that reach the root.
func (r *raiser) all() weightedRows {
	var p weightedRows
	for i := range r.Rows {
		p.add(int32(i), r.weight(i))
	}
	return p
}

// counts returns the weight of each class.
func (r *raiser) counts(in weightedRows) []float64 {
	counts := make([]float64, r.tree.Leaf.Width)
	for i, at := range in.at {
		counts[r.Class[at]] += in.weight[i]
	}
	return counts
}

// divide sends rows to the children of node n of the finished tree. Where the node divides rows
// that miss its value, each child's fraction is that of the known rows that it got; without known
// rows all fractions are equal. Fractions of next to nothing are not followed.
func (r *raiser) divide(n int32, in weightedRows) division {
	first, arity := r.tree.Child(n), int(r.tree.Arity(n))
	d := division{kids: make([]weightedRows, arity), fraction: make([]float64, arity)}
	way := make([]int32, len(in.at)) // the child of each row, -1 = none
	known, rows := 0.0, make([]int, arity)
	var num *data.Column // of a split point: most rows have a value, which is looked at here
	pruned := r.tree.SplitPoint(n)
	if r.tree.Kind(n) == tree.Numeric {
		num = &r.Columns[r.tree.Feature(n)]
	}
	walk := r.tree.Over(r.Columns)
	for i, at := range in.at {
		switch row := r.Rows[at]; {
		case num != nil && num.Number(int(row)) <= pruned:
			way[i] = 0
		case num != nil && num.Number(int(row)) > pruned:
			way[i] = 1
		default:
			way[i] = walk.Next(n, row) - first
		}
		if way[i] >= 0 {
			d.fraction[way[i]] += in.weight[i]
			known += in.weight[i]
			rows[way[i]]++
		} else {
			way[i] = -1
		}
	}
	for c := range d.fraction {
		if known < alike {
			d.fraction[c] = 1 / float64(arity)
		} else {
			d.fraction[c] /= known
		}
		d.kids[c] = weightedRows{make([]int32, 0, rows[c]), make([]float64, 0, rows[c])}
	}
	for i, at := range in.at {
		switch {
		case way[i] >= 0:
			d.kids[way[i]].add(at, in.weight[i])
		case r.tree.Missing(n) == tree.MissingStop:
			d.rest.add(at, in.weight[i])
		default:
			for c, fraction := range d.fraction {
				if fraction > alike {
					d.kids[c].add(at, float64(fraction*in.weight[i]))
				}
			}
		}
	}
	return d
}
