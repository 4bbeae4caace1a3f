package scan

import (
	"cmp"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/criterion"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/growth"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/sorting"
	"github.com/coppice-ml/coppice/tree"
)

// Lineup is the rows of a node in the order of a column:
//
//	places   | 7 2 | 5 | 0 4 1 |      missing | 3 6 |
//	ends           2   3       6
//
// The first rows up to an end may go first, with or without the missing ones.
type Lineup struct {
	*Judge
	running criterion.Running // nil but for Values

	Places  []uint32
	Missing []uint32 // places of the rows that have no value
	Ends    []End
	back    []uint32 // places, reversed

	first, last       []float64 // impurity of the first, of the last i places
	firstAll, lastAll []float64 // the same with the missing ones

	start         []int     // by code
	below, median []float64 // by code
	mean          []float64 // by code
}

// End is a place where a lineup may be split.
type End struct {
	After int // number of places before it
	At    int // its name in a mark
}

// Reset makes the lineup empty.
func (l *Lineup) Reset() {
	l.Places, l.Missing, l.Ends = l.Places[:0], l.Missing[:0], l.Ends[:0]
}

// walkValues offers every split point of a numeric column.
func (l *Lineup) walkValues(nd *growth.Node, known, missing []sorting.Entry, missingRows int) {
	place := l.Task.Values.Place
	l.Reset()
	for i, e := range known {
		if i > 0 && e.Key != known[i-1].Key {
			l.Ends = append(l.Ends, End{i, i})
		}
		l.Places = append(l.Places, place[e.Pos])
	}
	l.Ends = append(l.Ends, End{len(known), len(known)})
	if missingRows > 0 {
		for _, e := range missing {
			l.Missing = append(l.Missing, place[e.Pos])
		}
	}
	l.Compare(nd)
}

// walkCategories offers every prefix of the ordered categories.
func (l *Lineup) walkCategories(k *Categories, nd *growth.Node, c *Codes, missingRows int) {
	place := l.Task.Values.Place
	l.Reset()
	code := c.Code
	clear(l.start)
	for _, pos := range nd.Rows {
		if c := code[pos]; c != data.MissingCode {
			l.start[c]++
		} else if missingRows > 0 {
			l.Missing = append(l.Missing, place[pos])
		}
	}
	rows := 0
	for i, at := range k.order {
		c := k.Present[at]
		n := l.start[c]
		l.start[c] = rows
		rows += n
		l.Ends = append(l.Ends, End{rows, i + 1})
	}
	l.Places = slices.Grow(l.Places, rows)[:rows]
	for _, pos := range nd.Rows {
		if c := code[pos]; c != data.MissingCode {
			l.Places[l.start[c]] = place[pos]
			l.start[c]++
		}
	}
	l.Compare(nd)
}

// Compare computes the gains of all ends of a lineup. The first of equal candidates stays. One pass
// from either side gives the impurity of the first, and of the last, i places for every i. So an
// end costs two look-ups, however many there are. At the last end no places remain, so the missing
// rows make the other child, if there are any.
func (l *Lineup) Compare(nd *growth.Node) {
	sample := l.Task.Values.Sorted
	n := len(l.Places)
	l.back = append(l.back[:0], l.Places...)
	slices.Reverse(l.back)
	judge := func(dst *[]float64, base, places []uint32) {
		*dst = slices.Grow((*dst)[:0], n+1)[:n+1]
		l.running.Prefixes(*dst, sample, base, places)
	}
	judge(&l.first, nil, l.Places)
	judge(&l.last, nil, l.back)
	if len(l.Missing) > 0 {
		judge(&l.firstAll, l.Missing, l.Places)
		judge(&l.lastAll, l.Missing, l.back)
	}
	if n+len(l.Missing) < len(nd.Rows) {
		l.parent = l.first[n] // splits are judged on the known rows
	}
	others, otherRows := l.sumPlaces(nd, l.Missing)
	weight, rows, from := 0.0, 0, 0
	for _, e := range l.Ends {
		w, r := l.sumPlaces(nd, l.Places[from:e.After])
		weight, rows, from = weight+w, rows+r, e.After
		i, j := e.After, n-e.After
		switch {
		case len(l.Missing) > 0 && j > 0:
			l.offerImpurity(l.firstAll[i]+l.last[j], rows+otherRows, weight+others,
				Mark{e.At, tree.MissingFirst})
			fallthrough
		case len(l.Missing) > 0:
			l.offerImpurity(l.first[i]+l.lastAll[j], rows, weight, Mark{e.At, tree.MissingLast})
		case j > 0:
			l.offerImpurity(l.first[i]+l.last[j], rows, weight, Mark{e.At, tree.MissingLast})
		}
	}
}

// sumPlaces returns the weight of some places of a node and their rows with multiplicity.
func (l *Lineup) sumPlaces(nd *growth.Node, places []uint32) (weight float64, rows int) {
	sample := l.Task.Values.Sorted
	for _, p := range places {
		w := 1.0
		if sample.Weight != nil {
			w = sample.Weight[p]
		}
		weight += w
		rows += l.Task.Multiplicity(nd.ByValue[p])
	}
	return weight, rows
}

// offerImpurity judges a split whose children have the given total impurity and whose first has the
// given rows.
func (l *Lineup) offerImpurity(children float64, rows int, weight float64, m Mark) {
	least := l.Task.MinLeaf
	if rows < least || l.Rows-rows < least || l.Task.RowWeight > 0 && !l.weighty(weight) {
		return
	}
	gain := l.parent - children
	if l.better(gain, 0) {
		l.take(gain, 0, weight, m)
	}
	if l.tried != nil {
		l.tried = append(l.tried, trial{m, gain})
	}
}

// orderByMedian sorts the categories by the median of their rows, equal medians by the mean, then
// as SortByRows does.
func (l *Lineup) orderByMedian(k *Categories, nd *growth.Node, column *Codes) {
	sample := l.Task.Values.Sorted
	if levels := column.Levels; len(l.start) < levels {
		l.start, l.below = make([]int, levels), make([]float64, levels)
		l.median, l.mean = make([]float64, levels), make([]float64, levels)
	}
	clear(l.below)
	clear(l.mean)
	code := column.Code
	for i, pos := range nd.ByValue {
		c := code[pos]
		if c == data.MissingCode {
			continue
		}
		w, y, whole := 1.0, sample.Y[i], k.stats[c]
		if sample.Weight != nil {
			w = sample.Weight[i]
		}
		if before := l.below[c]; 2*before < whole && 2*(before+w) >= whole || before == 0 {
			l.median[c] = y
		}
		l.below[c] += w
		l.mean[c] += float64(w * (y - nd.Value) / whole)
	}
	k.order = slices.Grow(k.order[:0], len(k.Present))[:len(k.Present)]
	for i := range k.order {
		k.order[i] = i
	}
	k.orderTies(nd, column, func(a, b int) int {
		p, q := k.Present[a], k.Present[b]
		return cmp.Or(cmp.Compare(l.median[p], l.median[q]), cmp.Compare(l.mean[p], l.mean[q]))
	})
}
