package fit

import (
	"cmp"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
)

// timeSets are rows of a table by their time, without the latest ones of all. The test set is a
// random half of the late rows. Two training sets of one size are compared by it: early rows, and
// some of them with the other half:
//
//	time    1 2 3 4 5 6 7 8 9
//	early   * * * * * *            mixed   * . * * . * o o
//	late                 * * *     test                   half of them
type timeSets struct{ early, mixed, late, test []int32 }

const (
	lateFraction        = 0.3 // of the rows
	leastLate, mostLate = 0.1, 0.5
)

// groups are those of rows; nil = none.
type groups struct {
	of    []int64
	whole bool // rows of a group are chosen together: each is a ranking
}

// splitByTime assigns rows to the sets, by their times (NaN = in no set) and their groups. Late
// rows end at a fraction of all. Rows of one time are all early or all late, and no group is in a
// training set and in the test set. It returns false where the rows of one time are too many.
func splitByTime(times []float64, group groups, end float64, random *rng.Stream) (timeSets, bool) {
	var s timeSets
	var order []int32
	for i, v := range times {
		if v == v {
			order = append(order, int32(i))
		}
	}
	byTime(order, times)
	n := float64(len(order))
	if end < 1 {
		order = order[:nearestChange(order, times, int(math.Round(end*n)))]
	}
	at := nearestChange(order, times, int(math.Round((end-lateFraction)*n)))
	if late := float64(len(order) - at); at == 0 || late < leastLate*n || late > mostLate*n {
		return s, false
	}
	s.early, s.late = order[:at], slices.Clone(order[at:])
	inTest := halfOf(s.late, group.of, random)
	var others []int32
	for _, row := range s.late {
		if inTest(row) {
			s.test = append(s.test, row)
		} else {
			others = append(others, row)
		}
	}
	if group.of != nil {
		s.early = slices.DeleteFunc(slices.Clone(s.early), inTest)
	}
	if len(others) >= len(s.early) || len(s.test) == 0 || len(others) == 0 {
		return s, false
	}
	if group.whole {
		s.mixed = wholeGroups(s.early, group.of, len(s.early)-len(others), random)
	} else {
		s.mixed = data.Pick(s.early, random.Perm(len(s.early))[len(others):])
	}
	s.mixed = append(s.mixed, others...)
	s.early = slices.Clone(s.early)
	for _, rows := range [][]int32{s.early, s.mixed, s.late, s.test} {
		slices.Sort(rows)
	}
	return s, true
}

// nearestChange returns the place in an order, nearest to a wanted one, at which the time changes.
func nearestChange(order []int32, times []float64, want int) int {
	changes := func(at int) bool {
		return at > 0 && at < len(order) && times[order[at-1]] != times[order[at]]
	}
	for off := range len(order) + 1 {
		for _, at := range []int{want - off, want + off} {
			if changes(at) {
				return at
			}
		}
	}
	return 0
}

// wholeGroups returns the rows of random groups, in their order: the fewest groups that have so
// many rows, or all rows.
func wholeGroups(rows []int32, group []int64, least int, random *rng.Stream) []int32 {
	count := map[int64]int{}
	var keys []int64
	for _, row := range rows {
		if count[group[row]]++; count[group[row]] == 1 {
			keys = append(keys, group[row])
		}
	}
	chosen, n := map[int64]bool{}, 0
	for _, i := range random.Perm(len(keys)) {
		if n >= least {
			break
		}
		chosen[keys[i]] = true
		n += count[keys[i]]
	}
	return slices.DeleteFunc(slices.Clone(rows),
		func(row int32) bool { return !chosen[group[row]] })
}

// halfOf chooses half of some rows at random, or of their groups.
func halfOf(rows []int32, group []int64, random *rng.Stream) func(row int32) bool {
	key := func(row int32) int64 { return int64(row) }
	if group != nil {
		key = func(row int32) int64 { return group[row] }
	}
	var keys []int64
	seen := map[int64]bool{}
	for _, row := range rows {
		if k := key(row); !seen[k] {
			seen[k] = true
			keys = append(keys, k)
		}
	}
	chosen := map[int64]bool{}
	for _, i := range random.Perm(len(keys))[:len(keys)/2] {
		chosen[keys[i]] = true
	}
	return func(row int32) bool { return chosen[key(row)] }
}

// beyond returns the columns of a table that grow or fall with its times, and most of whose values
// in late rows are outside the range of the early ones: trees send them all to one side. Parts of
// dates stand for the date. A column that is given is left out.
func beyond(f *data.Frame, times []float64, s *timeSets, but string) []string {
	var names []string
	order := slices.Concat(s.early, s.late)
	byTime(order, times)
	for i := range f.Columns {
		field := &f.Schema.Fields[i]
		name := field.Source()
		if field.Kind != data.Numeric || field.Text != nil || name == but ||
			slices.Contains(names, name) {
			continue
		}
		values := numbersOf(f, i, data.AllRows(f.Rows()))
		if follows(values, times, order) && leaves(values, s) {
			names = append(names, name)
		}
	}
	return names
}

// leaves reports whether most late values are outside the range of the early ones.
func leaves(values []float64, s *timeSets) bool {
	low, high := math.Inf(1), math.Inf(-1)
	for _, row := range s.early {
		if v := values[row]; v == v {
			low, high = min(low, v), max(high, v)
		}
	}
	outside := 0
	for _, row := range s.late {
		if v := values[row]; v < low || v > high {
			outside++
		}
	}
	return low <= high && 2*outside > len(s.late)
}

// follows reports whether values grow, or fall, from each time to the next, but for a few.
func follows(values, times []float64, order []int32) bool {
	const few = 0.02
	up, down := 0, 0
	for i := 1; i < len(order); i++ {
		a, b := order[i-1], order[i]
		switch {
		case times[a] == times[b]:
		case values[a] < values[b]:
			up++
		case values[a] > values[b]:
			down++
		}
	}
	return float64(min(up, down)) <= float64(few*float64(up+down))
}

// byTime sorts rows by their times; of one time they stay in their order.
func byTime(rows []int32, times []float64) {
	slices.SortStableFunc(rows, func(a, b int32) int { return cmp.Compare(times[a], times[b]) })
}

// numbersOf returns the values of some rows of a column of numbers.
func numbersOf(f *data.Frame, column int, rows []int32) []float64 {
	values := make([]float64, len(rows))
	f.Columns[column].PickNumbers(values, rows)
	return values
}
