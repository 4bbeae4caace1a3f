package metric

import (
	"cmp"
	"math"
	"slices"
)

// newConcordance is Harrell's C (Harrell et al. 1982). It considers the pairs of rows of which
// one had its event before the other. It is the fraction of these in which the predictions have the
// same order, where equal predictions count half. Pairs count the product of their rows' weights.
// Predictions are times or, with Sample.Risk, hazards: the greater, the earlier.
//
// A row had its event before another if the upper end of its time is below the lower end of the
// other's. It may be equal where the other's time is not known exactly. The upper end of a row
// whose event was not observed is infinity.
//
// The order of all rows decides, so that rows of blocks are copied, and are in memory.
func newConcordance(c *common) sum { return &concordance{common: c, all: &Sample{}} }

type concordance struct {
	*common
	all *Sample // rows
}

func (m *concordance) add(s *Sample) {
	if m.whole {
		m.all = s
		return
	}
	all := m.all
	all.Y, all.Pred = append(all.Y, s.Y...), append(all.Pred, s.Pred...)
	all.Weight = append(all.Weight, s.Weight...)
	all.Upper, all.Event = append(all.Upper, s.Upper...), append(all.Event, s.Event...)
	all.Risk = s.Risk
}

func (m *concordance) value() (float64, error) {
	s := m.all
	n := len(s.Y)
	// rows by lower and by finite upper ends, the latest first
	low, high := make([]int32, 0, n), make([]int32, 0, n)
	for i := range s.Y {
		if s.weight(i) == 0 {
			continue
		}
		low = append(low, int32(i))
		if !math.IsInf(s.upper(i), 1) {
			high = append(high, int32(i))
		}
	}
	slices.SortFunc(low,
		func(a, b int32) int { return cmp.Or(cmp.Compare(s.Y[b], s.Y[a]), cmp.Compare(a, b)) })
	slices.SortFunc(high, func(a, b int32) int {
		return cmp.Or(cmp.Compare(s.upper(int(b)), s.upper(int(a))), cmp.Compare(a, b))
	})
	place, places := ranks(s.Pred)
	later := newFenwick(places)
	right, all, next := 0.0, 0.0, 0
	var held []int32 // rows whose time is known exactly and not yet passed
	for _, i := range high {
		end := s.upper(int(i))
		for ; next < len(low) && s.Y[low[next]] >= end; next++ {
			if j := low[next]; s.upper(int(j)) > s.Y[j] {
				later.add(place[j], s.weight(int(j)))
			} else {
				held = append(held, j)
			}
		}
		for len(held) > 0 && s.Y[held[0]] > end {
			later.add(place[held[0]], s.weight(int(held[0])))
			held = held[1:]
		}
		below, same := later.sums(place[i])
		above := later.total - below - same
		w := s.weight(int(i))
		if s.Risk {
			above = below
		}
		right += float64(w * (above + float64(same*0.5)))
		all += float64(w * later.total)
	}
	if all == 0 {
		return 0,
			&Undefined{"concordance", "of no two rows it is certain which had its event first"}
	}
	return finite("concordance", right/all)
}

// upper returns the upper end of a row's time.
func (s *Sample) upper(row int) float64 {
	switch {
	case s.Upper != nil:
		return s.Upper[row]
	case s.Event != nil && s.Event[row] == 0:
		return math.Inf(1)
	}
	return s.Y[row]
}

// ranks returns the place of each value among the different ones, ascending, and how many those
// are.
func ranks(values []float64) (place []int32, places int) {
	distinct := slices.Clone(values)
	slices.Sort(distinct)
	distinct = slices.Compact(distinct)
	place = make([]int32, len(values))
	for i, v := range values {
		at, _ := slices.BinarySearch(distinct, v)
		place[i] = int32(at)
	}
	return place, len(distinct)
}

// fenwick adds up weights by place (Fenwick 1994).
type fenwick struct {
	tree  []float64 // entry i is the sum of places i-(i&-i) ... i-1
	own   []float64
	total float64
}

func newFenwick(places int) *fenwick {
	return &fenwick{tree: make([]float64, places+1), own: make([]float64, places)}
}

func (t *fenwick) add(place int32, weight float64) {
	t.total += weight
	t.own[place] += weight
	for i := int(place) + 1; i < len(t.tree); i += i & -i {
		t.tree[i] += weight
	}
}

// sums returns the weight of all places below one, and that of its own.
func (t *fenwick) sums(place int32) (below, same float64) {
	for i := int(place); i > 0; i -= i & -i {
		below += t.tree[i]
	}
	return below, t.own[place]
}
