package random

import (
	"math"
	"slices"

	"github.com/coppice-ml/coppice/learn/internal/exact/internal/growth"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/scan"
	"github.com/coppice-ml/coppice/tree"
)

// Extremely randomised trees (Geurts, Ernst & Wehenkel 2006) choose random thresholds and take the
// best:
//
//	numbers     uniform between the least and the greatest value of the node
//	categories  of those that occur a random number, each subset of it equally likely, goes first;
//	            in columns of more than Options.Levels those
//	            up to a random code, as for numbers
//
// Nothing is put in order, so a column costs two passes over the rows of the node.

// scanColumn returns the best of the random splits of a column of a node. A column with one value
// and missing ones has one split, which separates these.
func (r *strategy) scanColumn(s *scan.Scanner, nd *growth.Node, feature int) growth.Split {
	d := &r.scratches[s.Worker]
	d.random.Reset(nd.Key, growth.SplitStream, uint64(feature))
	var b growth.Split
	if c := r.codes[feature]; c != nil {
		b = r.scanSets(s, d, nd, c)
	} else {
		b = r.scanThresholds(s, d, nd, feature)
	}
	if b.Found() && s.Task.Unlabeled {
		b.Gain = 0
	}
	return b
}

// scanThresholds judges random thresholds of a numeric column.
func (r *strategy) scanThresholds(
	s *scan.Scanner, d *scratch, nd *growth.Node, feature int,
) growth.Split {
	x := r.numbers.column(int32(feature))
	least, most, missingRows := span(s, nd, x)
	if least > most || least == most && missingRows == 0 {
		return growth.Split{Feature: -1, Constant: true}
	}
	missingRows = s.Begin(nd, missingRows)
	r.sampleBetween(d, nd, x, least, most)
	if missingRows > 0 && (!s.Task.Unlabeled || len(d.thresholds) == 0) {
		d.thresholds = append(d.thresholds, math.Inf(1)) // separates the known from the missing
	}
	if s.Task.Values != nil {
		r.lineThresholdsUp(s, d.thresholds, nd, x, missingRows)
	} else {
		for i, threshold := range d.thresholds {
			rows := sumUpTo(s, nd, x, threshold)
			offerRandom(s, d, rows, missingRows, i, threshold == math.Inf(1))
		}
		s.Decide()
	}
	if s.Best.At == scan.NoMark {
		return growth.Split{Feature: -1}
	}
	b := growth.Split{Gain: s.Gain, Per: s.Per, Feature: int32(feature), Kind: tree.Numeric,
		SplitPoint: d.thresholds[s.Best.At], Missing: s.Best.Missing}
	s.Place(&b, missingRows)
	return b
}

// span returns the least and the greatest value of a node, and sums the rows without one in
// missing. If all are without one, least > most.
func span(s *scan.Scanner, nd *growth.Node, x []float64) (least, most float64, missingRows int) {
	s.ClearMissing()
	low, high := inOrder(x[nd.Rows[0]]), int64(math.MinInt64)
	for _, pos := range nd.Rows {
		v := inOrder(x[pos])
		low, high = min(low, v), max(high, v)
	}
	least, most = outOfOrder(low), outOfOrder(high)
	if least == least && most == most {
		return least, most, 0
	}
	s.Stale = true
	known := false
	for _, pos := range nd.Rows {
		switch v := x[pos]; {
		case v != v:
			missingRows += s.Task.Add(s.Missing, pos, nd.Origin)
		case known:
			least, most = min(least, v), max(most, v)
		default:
			least, most, known = v, v, true
		}
	}
	if !known {
		return 1, 0, missingRows
	}
	return least, most, missingRows
}

// inOrder returns an integer that orders numbers as they are ordered, NaN before or behind all
// others: the processor finds the least of integers without a branch, and that of floats, which Go
// checks for NaN, in many steps.
func inOrder(x float64) int64 {
	i := int64(math.Float64bits(x))
	return i ^ i>>63&math.MaxInt64
}

// outOfOrder is the inverse of inOrder.
func outOfOrder(i int64) float64 { return math.Float64frombits(uint64(i ^ i>>63&math.MaxInt64)) }

// sampleBetween chooses thresholds uniformly from least to below most and keeps them in ascending
// order, each once. Where an end is infinite there is no uniform number, and a threshold is the
// value of a random row below the greatest.
func (r *strategy) sampleBetween(d *scratch, nd *growth.Node, x []float64, least, most float64) {
	d.thresholds = d.thresholds[:0]
	if least == most {
		return
	}
	for range r.thresholds {
		threshold := between(least, most, d.random.Float64())
		if math.IsInf(least, 0) || math.IsInf(most, 0) {
			for threshold = math.NaN(); !(threshold < most); {
				threshold = x[nd.Rows[d.random.Intn(len(nd.Rows))]]
			}
		}
		if !(least <= threshold && threshold < most) {
			threshold = least
		}
		d.thresholds = append(d.thresholds, threshold)
	}
	if len(d.thresholds) > 1 {
		slices.Sort(d.thresholds)
		d.thresholds = slices.Compact(d.thresholds)
	}
}

// between returns the number at a fraction of the way from least to most.
func between(least, most, fraction float64) float64 {
	// Half of each, because their difference may overflow.
	return 2 * (float64(least/2) + float64(fraction*(float64(most/2)-float64(least/2))))
}

// sumUpTo sums the rows of values up to a threshold in prefix and returns their number.
func sumUpTo(s *scan.Scanner, nd *growth.Node, x []float64, threshold float64) (rows int) {
	t := s.Task
	clear(s.Prefix)
	if !t.Counts {
		for _, pos := range nd.Rows {
			if x[pos] <= threshold {
				rows += t.Add(s.Prefix, pos, nd.Origin)
			}
		}
		return rows
	}
	counts, class, count := s.Counts(t.Width), t.Pop.Class, t.Pop.Count
	for _, pos := range nd.Rows {
		n := uint32(0)
		if x[pos] <= threshold {
			n = 1
		}
		if count != nil {
			n *= count[pos]
		}
		counts[class[pos]] += n
	}
	for i, n := range counts {
		s.Prefix[i] = float64(n)
		rows += int(n)
	}
	return rows
}

// lineThresholdsUp judges the thresholds in a lineup whose rows are ordered as far as the
// thresholds separate them.
func (r *strategy) lineThresholdsUp(
	s *scan.Scanner, thresholds []float64, nd *growth.Node, x []float64, missingRows int,
) {
	l, place := &s.Lineup, s.Task.Values.Place
	l.Reset()
	above := func(float64) bool { return false } // values that have their place
	for i, threshold := range append(thresholds, math.NaN()) {
		last := threshold != threshold
		for _, pos := range nd.Rows {
			v := x[pos]
			switch {
			case v != v && last && missingRows > 0:
				l.Missing = append(l.Missing, place[pos])
			case v == v && !above(v) && (last || v <= threshold):
				l.Places = append(l.Places, place[pos])
			}
		}
		if !last {
			l.Ends = append(l.Ends, scan.End{After: len(l.Places), At: i})
		}
		above = func(v float64) bool { return v <= threshold }
	}
	s.Lineup.Compare(nd)
}

// offerRandom adds the split whose first side is in prefix. known reports that these are all rows
// with a value. Where labels are not used, missing values follow one side at random, by its
// fraction of the known rows.
func offerRandom(s *scan.Scanner, d *scratch, rows, missingRows, at int, known bool) {
	if known {
		s.Offer(s.Prefix, rows, scan.Mark{At: at, Missing: tree.MissingLast})
		return
	}
	if !s.Task.Unlabeled || missingRows == 0 {
		s.OfferBoth(s.Prefix, rows, missingRows, at)
		return
	}
	m := scan.Mark{At: at, Missing: tree.MissingLast}
	if d.random.Intn(s.Rows-missingRows) < rows {
		m.Missing = tree.MissingFirst
		for i, v := range s.Missing {
			s.Prefix[i] += v
		}
		rows += missingRows
	}
	s.Offer(s.Prefix, rows, m)
}

// scanSets judges random sets of categories.
func (r *strategy) scanSets(
	s *scan.Scanner, d *scratch, nd *growth.Node, c *scan.Codes,
) growth.Split {
	missingRows := s.Begin(nd, s.Categories.Collect(nd, c))
	defer s.Categories.Release()
	k := &s.Categories
	if len(k.Present) == 0 || len(k.Present) == 1 && missingRows == 0 {
		return growth.Split{Feature: -1, Constant: true}
	}
	byCode := s.Task.ByCode(c.Levels)
	if byCode {
		slices.Sort(k.Present)
	} else {
		k.SortByRows(nd, c) // so that no random choice depends on the names
	}
	sets := r.randomSides(s, d, byCode)
	for i, first := range sets {
		if s.Task.Values != nil {
			lineSetUp(s, nd, c, i, first, missingRows)
			continue
		}
		clear(s.Prefix)
		rows, known := 0, true
		for j, in := range first {
			if known = known && in; !in {
				continue
			}
			stats, n := s.Categories.Group(j)
			for k, v := range stats {
				s.Prefix[k] += v
			}
			rows += n
		}
		offerRandom(s, d, rows, missingRows, i, known)
	}
	if s.Task.Values == nil {
		s.Decide()
	}
	if s.Best.At == scan.NoMark {
		return growth.Split{Feature: -1}
	}
	var sides [2][]uint32
	for j, in := range sets[s.Best.At] {
		side := 1
		if in {
			side = 0
		}
		sides[side] = append(sides[side], k.Present[j])
	}
	return s.Categories.CategorySplit(c.Feature, sides, missingRows)
}

// lineSetUp judges a set of categories in a lineup of its two sides.
func lineSetUp(
	s *scan.Scanner, nd *growth.Node, c *scan.Codes, at int, first []bool, missingRows int,
) {
	l, place, code := &s.Lineup, s.Task.Values.Place, c.Code
	l.Reset()
	goesFirst := make(map[uint32]bool, len(first))
	for j, code := range s.Categories.Present {
		goesFirst[code] = first[j]
	}
	for _, wanted := range []bool{true, false} {
		for _, pos := range nd.Rows {
			side, known := goesFirst[code[pos]]
			switch {
			case known && side == wanted:
				l.Places = append(l.Places, place[pos])
			case !known && !wanted && missingRows > 0:
				l.Missing = append(l.Missing, place[pos])
			}
		}
		if wanted {
			l.Ends = append(l.Ends, scan.End{After: len(l.Places), At: at})
		}
	}
	s.Lineup.Compare(nd)
}

// randomSides chooses which of the node's categories go first, once for each split to be judged:
// any, or those up to a code.
func (r *strategy) randomSides(s *scan.Scanner, d *scratch, byCode bool) [][]bool {
	present := s.Categories.Present
	n := len(present)
	var sets [][]bool
	if n == 1 {
		return append(sets, []bool{true})
	}
	for i := range r.thresholds {
		sets = append(sets, make([]bool, n))
		if byCode {
			threshold := present[0] + uint32(d.random.Intn(int(present[n-1]-present[0])))
			for j, code := range present {
				sets[i][j] = code <= threshold
			}
			continue
		}
		d.randomSet(sets[i], s.Task.Unlabeled)
	}
	return sets
}

// randomSet chooses the categories that go first: a random number of them, with each subset of that
// size equally likely. This is as if they were put in random order and split like numbers. A coin
// for each category would split few from many too seldom. Where labels are not used, coins decide
// nevertheless.
func (d *scratch) randomSet(first []bool, coins bool) {
	if coins {
		d.tossCoins(first)
		return
	}
	n := len(first)
	wanted := 1 + d.random.Intn(n-1)
	for j := range first {
		if d.random.Intn(n-j) < wanted {
			first[j] = true
			wanted--
		}
	}
}

// tossCoins chooses each category with probability 1/2, again until both sides have one.
func (d *scratch) tossCoins(first []bool) {
	for n := 0; n == 0 || n == len(first); {
		n = 0
		for j := range first {
			if first[j] = d.random.Uint64()>>63 == 1; first[j] {
				n++
			}
		}
	}
}
