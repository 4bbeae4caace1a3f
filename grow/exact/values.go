package exact

import (
	"cmp"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/grow/criterion"
	"github.com/coppice-ml/coppice/grow/exact/internal/sorting"
	"github.com/coppice-ml/coppice/tree"
)

// values keeps the rows in the order of what is to be predicted, for criteria of the family Values.
type values struct {
	key    []uint32         // by position: rank of its Y
	place  []uint32         // by position: its index in byValue of the node at hand
	sorted criterion.Sample // of the node at hand, by place
	buffer sorting.Buffer
}

func newValues(y []float64) *values {
	v := new(values)
	v.sort(y)
	return v
}

// sort ranks what is to be predicted of rows.
func (v *values) sort(y []float64) {
	keys := make([]sorting.Keyed, len(y))
	for i, x := range y {
		keys[i] = sorting.Keyed{Bits: sorting.Bits(x), Pos: uint32(i)}
	}
	sorting.SortKeyed(keys)
	v.key, v.place = make([]uint32, len(y)), make([]uint32, len(y))
	rank := uint32(0)
	for i, k := range keys {
		if i > 0 && keys[i-1].Bits != k.Bits {
			rank++
		}
		v.key[k.Pos] = rank
	}
}

// sortByValue returns the given positions by ascending Y, equal ones by position.
func (l *labels) sortByValue(rows []uint32) []uint32 {
	order := l.values.buffer.ByKey(l.values.key, 0, sorting.MissingRank, rows)
	byValue := make([]uint32, len(order))
	for i, e := range order {
		byValue[i] = e.Pos
	}
	return byValue
}

// loadValues makes a node the one at hand.
func (l *labels) loadValues(nd *node) {
	for i, pos := range nd.byValue {
		l.values.place[pos] = uint32(i)
	}
	l.values.sorted = l.gather(nd.byValue)
}

// lineup is the rows of a node in the order of a column:
//
//	places   | 7 2 | 5 | 0 4 1 |      missing | 3 6 |
//	ends           2   3       6
//
// The first rows up to an end may go first, with or without the missing ones.
type lineup struct {
	places  []uint32
	missing []uint32 // places of the rows that have no value
	ends    []end
	back    []uint32 // places, reversed

	first, last       []float64 // impurity of the first, of the last i places
	firstAll, lastAll []float64 // the same with the missing ones

	start         []int     // by code
	below, median []float64 // by code
	mean          []float64 // by code
}

// end is a place where a lineup may be cut.
type end struct {
	after int // number of places before it
	at    int // its name in a mark
}

func (l *lineup) reset() {
	l.places, l.missing, l.ends = l.places[:0], l.missing[:0], l.ends[:0]
}

// walkValues offers every cut of a numeric column.
func (s *scanner) walkValues(nd *node, known, missing []entry, missingRows int) {
	l, place := &s.lineup, s.t.values.place
	l.reset()
	for i, e := range known {
		if i > 0 && e.Key != known[i-1].Key {
			l.ends = append(l.ends, end{i, i})
		}
		l.places = append(l.places, place[e.Pos])
	}
	l.ends = append(l.ends, end{len(known), len(known)})
	if missingRows > 0 {
		for _, e := range missing {
			l.missing = append(l.missing, place[e.Pos])
		}
	}
	s.judgeLineup(nd)
}

// walkCategories offers every prefix of the ordered categories.
func (s *scanner) walkCategories(nd *node, c *codes, missingRows int) {
	l, k, place := &s.lineup, &s.groups, s.t.values.place
	l.reset()
	code := c.code
	clear(l.start)
	for _, pos := range nd.list {
		if c := code[pos]; c != data.MissingCode {
			l.start[c]++
		} else if missingRows > 0 {
			l.missing = append(l.missing, place[pos])
		}
	}
	rows := 0
	for i, at := range k.order {
		c := k.present[at]
		n := l.start[c]
		l.start[c] = rows
		rows += n
		l.ends = append(l.ends, end{rows, i + 1})
	}
	l.places = slices.Grow(l.places, rows)[:rows]
	for _, pos := range nd.list {
		if c := code[pos]; c != data.MissingCode {
			l.places[l.start[c]] = place[pos]
			l.start[c]++
		}
	}
	s.judgeLineup(nd)
}

// judgeLineupup computes the gains of all cuts of a lineup. The first of equal candidates stays.
func (s *scanner) judgeLineup(nd *node) {
	l, sample := &s.lineup, s.t.values.sorted
	n := len(l.places)
	l.back = append(l.back[:0], l.places...)
	slices.Reverse(l.back)
	judge := func(dst *[]float64, base, places []uint32) {
		*dst = slices.Grow((*dst)[:0], n+1)[:n+1]
		s.running.Prefixes(*dst, sample, base, places)
	}
	judge(&l.first, nil, l.places)
	judge(&l.last, nil, l.back)
	if len(l.missing) > 0 {
		judge(&l.firstAll, l.missing, l.places)
		judge(&l.lastAll, l.missing, l.back)
	}
	if n+len(l.missing) < len(nd.list) {
		s.parent = l.first[n] // splits are judged on the known rows
	}
	apart, apartRows := s.sumPlaces(nd, l.missing)
	weight, rows, from := 0.0, 0, 0
	for _, e := range l.ends {
		w, r := s.sumPlaces(nd, l.places[from:e.after])
		weight, rows, from = weight+w, rows+r, e.after
		i, j := e.after, n-e.after
		switch {
		case len(l.missing) > 0 && j > 0:
			s.offerImpurity(l.firstAll[i]+l.last[j], rows+apartRows, weight+apart, mark{e.at, tree.MissingFirst})
			fallthrough
		case len(l.missing) > 0:
			s.offerImpurity(l.first[i]+l.lastAll[j], rows, weight, mark{e.at, tree.MissingLast})
		case j > 0:
			s.offerImpurity(l.first[i]+l.last[j], rows, weight, mark{e.at, tree.MissingLast})
		}
	}
}

// sumPlaces returns the weight of some places of a node and their rows with multiplicity.
func (s *scanner) sumPlaces(nd *node, places []uint32) (weight float64, rows int) {
	sample := s.t.values.sorted
	for _, p := range places {
		w := 1.0
		if sample.Weight != nil {
			w = sample.Weight[p]
		}
		weight += w
		rows += s.t.multiplicity(nd.byValue[p])
	}
	return weight, rows
}

// offerImpurity judges a split whose children have the given total impurity and whose first has the
// given rows.
func (s *scanner) offerImpurity(children float64, rows int, weight float64, m mark) {
	least := s.t.minLeaf
	if rows < least || s.rows-rows < least || s.t.rowWeight > 0 && !s.weighty(weight) {
		return
	}
	gain := s.parent - children
	if s.better(gain, 0) {
		s.take(gain, 0, weight, m)
	}
	if s.tried != nil {
		s.tried = append(s.tried, trial{m, gain})
	}
}

// orderByMedian sorts the categories by the median of their rows, equal medians by the mean, then
// by code.
func (s *scanner) orderByMedian(nd *node, column *codes) {
	k, l, sample := &s.groups, &s.lineup, s.t.values.sorted
	if levels := column.levels; len(l.start) < levels {
		l.start, l.below = make([]int, levels), make([]float64, levels)
		l.median, l.mean = make([]float64, levels), make([]float64, levels)
	}
	clear(l.below)
	clear(l.mean)
	code := column.code
	for i, pos := range nd.byValue {
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
		l.mean[c] += float64(w * (y - nd.value) / whole)
	}
	k.order = slices.Grow(k.order[:0], len(k.present))[:len(k.present)]
	for i := range k.order {
		k.order[i] = i
	}
	slices.SortFunc(k.order, func(a, b int) int {
		p, q := k.present[a], k.present[b]
		return cmp.Or(cmp.Compare(l.median[p], l.median[q]), cmp.Compare(l.mean[p], l.mean[q]), cmp.Compare(p, q))
	})
}
