package hist

import (
	"math"
	"slices"

	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
	"github.com/coppice-ml/coppice/tree"
)

// ListedNode is a node whose candidate splits a Lister lists.
type ListedNode struct {
	Rows     []int32     // its rows of the matrix, ascending
	G, H     [][]float64 // derivatives by output, each by row of the matrix
	Features int         // columns of the table, by whose numbers candidates are listed
	Seed     uint64      // of the tree
}

// Lister lists the splits of a node by the definition of gains, for people. It adds float64 up, not
// words, and lists splits that limits forbid too. Limits by monotone columns above the node do not
// count, nor do path smoothing and sets of columns.
type Lister struct {
	m     *bins.Matrix
	c     Config
	at    ListedNode
	terms terms
	whole groupSums
	base  float64 // score of the node
	tree  []int32 // columns that the tree may use
}

// groupSums is what rows sum up to: their number, and derivatives by output.
type groupSums struct {
	rows int
	sum  []pair
}

// NewLister adds up the rows of a node.
func NewLister(m *bins.Matrix, c Config, at ListedNode) *Lister {
	columns := featureSampler{c: &c}
	columns.begin(len(m.Columns), at.Seed)
	l := &Lister{m: m, c: c, at: at, tree: columns.ofTree, terms: c.terms(0)}
	l.terms.smooth = 0
	l.whole = l.none()
	for _, r := range at.Rows {
		l.add(&l.whole, r)
	}
	l.base = l.score(&l.whole)
	return l
}

func (l *Lister) none() groupSums { return groupSums{sum: make([]pair, len(l.at.G))} }

// add adds a row.
func (l *Lister) add(to *groupSums, row int32) {
	to.rows++
	for k := range to.sum {
		to.sum[k] = to.sum[k].plus(pair{l.at.G[k][row], l.at.H[k][row]})
	}
}

// join adds other rows.
func (a *groupSums) join(b *groupSums) {
	a.rows += b.rows
	for k := range a.sum {
		a.sum[k] = a.sum[k].plus(b.sum[k])
	}
}

// rest returns the rows of the node without some.
func (l *Lister) rest(of *groupSums) groupSums {
	r := groupSums{rows: l.whole.rows - of.rows}
	for k := range of.sum {
		r.sum = append(r.sum, l.whole.sum[k].minus(of.sum[k]))
	}
	return r
}

// hessian returns the mean over the outputs of the sums of second derivatives.
func (a *groupSums) hessian() float64 {
	h := 0.0
	for _, s := range a.sum {
		h += s.h
	}
	return h / float64(len(a.sum))
}

func (l *Lister) score(of *groupSums) float64 {
	sum := 0.0
	for _, s := range of.sum {
		sum += l.terms.best(s, free(), 0, 0)
	}
	return sum
}

// branch describes rows.
func (l *Lister) branch(of *groupSums) tree.Branch {
	b := tree.Branch{Rows: of.rows, Weight: of.hessian(), Score: l.score(of)}
	for _, s := range of.sum {
		b.Gradient, b.Hessian = append(b.Gradient, s.g), append(b.Hessian, s.h)
		b.Value = append(b.Value, l.terms.value(s, free(), 0, 0)+0) // -0 becomes 0
	}
	return b
}

// Candidates lists the splits by all columns of the matrix. A split that gains more than Gamma, or
// less, counts as any other.
func (l *Lister) Candidates() *tree.Candidates {
	out := &tree.Candidates{Whole: l.branch(&l.whole), Best: -1, Gamma: l.c.Gamma, Described: true,
		Columns: make([][]tree.Candidate, l.at.Features)}
	most := 0.0
	for i := range l.m.Columns {
		c := &l.m.Columns[i]
		list := l.list(i, c)
		best := -1
		for k := range list {
			if list[k].Refused == "" && list[k].Gain > 0 &&
				(best < 0 || list[k].Gain > list[best].Gain) {
				best = k
			}
		}
		if best >= 0 {
			list[best].Best = true
			if out.Best < 0 || list[best].Gain > most {
				out.Best, most = int(c.Feature), list[best].Gain
			}
		}
		out.Columns[c.Feature] = list
	}
	return out
}

// byBin returns the sums of the node's rows in each bin of a column.
func (l *Lister) byBin(c *bins.Column) []groupSums {
	all := make([]groupSums, c.Bins())
	for b := range all {
		all[b] = l.none()
	}
	for k := range l.m.Blocks {
		of := &l.m.Blocks[k]
		codes := &of.Codes[c.Group]
		for _, r := range l.m.RowsIn(k, l.at.Rows) {
			l.add(&all[c.Bin(codes.At(r-of.First))], r)
		}
	}
	return all
}

// list returns the splits by a column of the matrix.
func (l *Lister) list(column int, c *bins.Column) []tree.Candidate {
	of := l.byBin(c)
	var present []int32
	for b := range int32(c.Values) {
		if of[b].rows > 0 {
			present = append(present, b)
		}
	}
	order := l.c.orderOf(column, c)
	switch {
	case !c.Nominal():
		return l.points(column, c, of, present)
	case order != nil:
		order = slices.DeleteFunc(slices.Clone(order), func(b int32) bool {
			return of[b].rows == 0
		})
		return l.prefixes(column, c, of, order, len(order), l.c.Policy != Symmetric)
	case c.Values <= l.c.OneHot:
		return l.alone(column, c, of)
	}
	order, most := l.byRatio(of, present)
	defer l.penalise(c)()
	return l.prefixes(column, c, of, order, most, true)
}

// points lists the split points of numbers between bins that the node has rows in.
func (l *Lister) points(column int, c *bins.Column, of []groupSums,
	present []int32) []tree.Candidate {
	var list []tree.Candidate
	missing := of[c.Values]
	left := l.none()
	for i, b := range present {
		left.join(&of[b])
		t := tree.Candidate{Kind: tree.Numeric, Missing: tree.MissingLast}
		if i+1 == len(present) {
			if t.SplitPoint, t.Known = math.Inf(1), true; missing.rows > 0 {
				list = append(list, l.judged(column, t, left))
			}
			break
		}
		t.SplitPoint = c.SplitPoints[b]
		if l.c.Conventions == XGBoostExact {
			values := l.c.Values[column]
			t.SplitPoint = middle(values[b], values[present[i+1]])
		}
		list = append(list, l.judged(column, t, left))
		if missing.rows > 0 {
			with := l.none()
			with.join(&left)
			with.join(&missing)
			t.Missing = tree.MissingFirst
			list = append(list, l.judged(column, t, with))
		}
	}
	return list
}

// judged completes a split whose first child has the given rows.
func (l *Lister) judged(column int, t tree.Candidate, first groupSums) tree.Candidate {
	last := l.rest(&first)
	t.Branches = []tree.Branch{l.branch(&first), l.branch(&last)}
	both := t.Branches[0].Score + t.Branches[1].Score
	if t.Gain = both - l.base; math.Abs(t.Gain) <= 1e-12*both { // rounding
		t.Gain = 0
	}
	if l.c.ColumnWeight != nil {
		t.Gain *= l.c.ColumnWeight[column]
	}
	a, b, sign := t.Branches[0].Value[0], t.Branches[1].Value[0], l.c.sign(column)
	switch {
	case !slices.Contains(l.tree, int32(column)):
		t.Refused = "colsample"
	case min(first.rows, last.rows) < l.c.MinLeaf:
		t.Refused = "min_leaf"
	case min(first.hessian(), last.hessian()) < l.c.MinChildWeight:
		t.Refused = "min_child_weight"
	case sign > 0 && a > b || sign < 0 && a < b:
		t.Refused = "monotone"
	}
	return t
}

// Judge completes a candidate by a column of the table that is not in the list. child returns the
// child of a row of the matrix, 0 or 1.
func (l *Lister) Judge(feature int, t *tree.Candidate, child func(row int32) int) {
	first := l.none()
	for _, r := range l.at.Rows {
		if child(r) == 0 {
			l.add(&first, r)
		}
	}
	column := slices.IndexFunc(l.m.Columns,
		func(c bins.Column) bool { return int(c.Feature) == feature })
	if column >= 0 {
		defer l.penalise(&l.m.Columns[column])()
		*t = l.judged(column, *t, first)
	}
}
