package hist

import (
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/tree"
)

// FitLinear gives every leaf the equation that FitLinear finds by the numeric columns on the way to
// it, where there is one; its Value stays what stands in for it. f is the frame that the matrix is
// of, l2 the penalty, g and h are those of Grow.
//
// Leaves below a split by a monotone column get none: what keeps the sides of such a split in order
// is a least and a greatest value, which no equation has. Rows that differ in that column alone
// meet in every other leaf, and its equation does not look at it.
func (t *Grown) FitLinear(f *data.Frame, g, h []float64, l2 float64) {
	t.frame = f
	features := t.features()
	t.in.team.each(len(t.Leaves), func(i int, _ *worker) {
		l := &t.Leaves[i]
		l.Constant, l.Terms = 0, nil
		at := features[l.Node]
		rows := make([]int32, len(l.Rows))
		for i, row := range l.Rows {
			rows[i] = t.in.tables.m.Rows[row]
		}
		var r ridge
		r.gather(f, at, rows, func(i int) (float64, float64) { return g[l.Rows[i]], h[l.Rows[i]] })
		constant, coef, ok := r.solve(l2)
		if !ok {
			return
		}
		l.Constant = constant
		for j, c := range coef {
			if c != 0 {
				l.Terms = append(l.Terms, tree.Term{Feature: at[j], Coef: c})
			}
		}
	})
}

// features returns for every node the numeric columns of the frame on the way to it, ascending;
// none below a split by a monotone column.
func (t *Grown) features() [][]int32 {
	found := make([][]int32, len(t.nodes))
	held := make([]bool, len(t.nodes))
	for _, l := range t.split {
		if held[l.node] || t.in.c.sign(l.split.column) != 0 {
			held[l.first.node], held[l.last.node] = true, true
			continue
		}
		below := found[l.node]
		if c := &t.in.tables.m.Columns[l.split.column]; !c.Nominal() {
			below = withColumn(below, int(c.Feature))
		}
		found[l.first.node], found[l.last.node] = below, below
	}
	return found
}

// equation returns the equation of a leaf times shrink.
func (l *Leaf) equation(shrink float64) (float64, []tree.Term) {
	terms := slices.Clone(l.Terms)
	for i := range terms {
		terms[i].Coef = float64(terms[i].Coef * shrink)
	}
	return float64(l.Constant * shrink), terms
}

// addEquations is Add for a tree whose leaves have equations: it adds to every row what the tree
// will predict, see tree.Linear.
func (t *Grown) addEquations(raw []float64, among []int32, shrink float64) {
	leaf := make([]estimate, len(t.nodes))
	for _, l := range t.Leaves {
		e := estimate{value: float64(l.Value[0] * shrink)}
		e.constant, e.terms = l.equation(shrink)
		leaf[l.Node] = e
	}
	t.reach(nil, among, func(n int32, rows []int32) {
		for _, r := range rows {
			raw[r] += leaf[n].of(t.frame, t.in.tables.m.Rows[r])
		}
	})
}

// estimate is what a leaf predicts of rows.
type estimate struct {
	value, constant float64
	terms           []tree.Term
}

// of returns what a leaf predicts of a row of the frame.
func (e *estimate) of(f *data.Frame, row int32) float64 {
	sum := e.constant
	for _, d := range e.terms {
		sum += float64(d.Coef * f.Columns[d.Feature].Number(int(row)))
	}
	if len(e.terms) == 0 || !(math.Abs(sum) <= math.MaxFloat64) {
		return e.value
	}
	return sum
}
