package hist

import (
	"cmp"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
	"github.com/coppice-ml/coppice/tree"
)

// penalise adds the penalty of many categories against many, where a column has so many, until the
// returned function is called.
func (l *Lister) penalise(c *bins.Column) (restore func()) {
	own := l.terms
	if c.Nominal() && l.c.Order == nil && c.Values > l.c.OneHot {
		l.terms.l2 += l.c.CatL2
	}
	return func() { l.terms = own }
}

// byXGBoost reports whether categories are ordered as XGBoost does it; see xgboost.go.
func (l *Lister) byXGBoost() bool {
	return l.c.Conventions == XGBoost || l.c.Conventions == XGBoostExact
}

// alone lists each category against the rest. By XGBoost's conventions missing values may go with
// any, with the first one that no row has too.
func (l *Lister) alone(column int, c *bins.Column, of []groupSums) []tree.Candidate {
	var list []tree.Candidate
	missing, absent := of[c.Values], false
	for b := range int32(c.Values) {
		t := tree.Candidate{Kind: tree.SetFirst, Missing: tree.MissingLast,
			Codes: []uint32{c.Code[b]}}
		if of[b].rows > 0 && of[b].rows < l.whole.rows {
			list = append(list, l.judged(column, t, of[b]))
		}
		with := of[b].rows + missing.rows
		if l.byXGBoost() && missing.rows > 0 && with < l.whole.rows && !(absent && of[b].rows == 0) {
			absent = absent || of[b].rows == 0
			sum := l.none()
			sum.join(&of[b])
			sum.join(&missing)
			t.Missing = tree.MissingFirst
			list = append(list, l.judged(column, t, sum))
		}
	}
	return list
}

// byRatio orders categories by gradient over hessian, and returns how many a set may have.
func (l *Lister) byRatio(of []groupSums, present []int32) (order []int32, most int) {
	ratio := func(b int32) float64 { return of[b].sum[0].g / (of[b].sum[0].h + l.c.CatSmooth) }
	if l.byXGBoost() {
		ratio = func(b int32) float64 {
			if of[b].rows == 0 || of[b].hessian() < l.c.MinChildWeight {
				return 0
			}
			return l.terms.value(of[b].sum[0], free(), 0, 0)
		}
		present = data.AllRows(len(of) - 1)
	}
	for _, b := range present {
		if l.byXGBoost() || of[b].hessian() >= l.c.MinCategory {
			order = append(order, b)
		}
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(ratio(a), ratio(b)) })
	if most = len(order); l.c.MaxCategories > 0 {
		most = min(most, l.c.MaxCategories)
	}
	if l.byXGBoost() {
		most--
	}
	return order, most
}

// prefixes lists the first categories of an order as sets, of which the largest has most, and, if
// bothEnds, the last ones. A set that leaves the others of the order is listed once.
func (l *Lister) prefixes(column int, c *bins.Column, of []groupSums, order []int32, most int,
	bothEnds bool) []tree.Candidate {
	var list []tree.Candidate
	last := 0 // rows of the set before, of which the next is another split if it has more
	try := func(set []int32) {
		t := tree.Candidate{Kind: tree.SetFirst, Missing: tree.MissingLast}
		first := l.none()
		for _, b := range set {
			t.Codes = append(t.Codes, c.Code[b])
			first.join(&of[b])
		}
		if first.rows > last && first.rows < l.whole.rows {
			list = append(list, l.judged(column, t, first))
		}
		last = first.rows
	}
	for n := 1; n <= most; n++ {
		try(order[:n])
	}
	last = 0
	whole := 0
	for _, b := range order {
		whole += of[b].rows
	}
	for n := 1; bothEnds && n <= most; n++ {
		if whole < l.whole.rows || len(order)-n > most { // else it is a set of the others
			try(order[len(order)-n:])
		}
	}
	return list
}
