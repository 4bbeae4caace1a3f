package metric

import (
	"cmp"
	"slices"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/parallel"
)

// list is the rows of one group, and memory for those of the next.
type list struct {
	kernel.ScoreOrder // of the rows
	grade             []float64
	best              []float64 // ndcg: the greatest gains, descending
	apart             bool      // rows of equal scores have an order
}

// tie returns the end of the rows whose score is that at a place, where they begin.
func (l *list) tie(from int) int {
	to := from + 1
	// a score that is no number equals nothing, not even itself
	for !l.apart && to < len(l.Score) && l.Score[to] == l.Score[from] {
		to++
	}
	return to
}

// groupsAtOnce is the number of groups that a worker takes at a time.
const groupsAtOnce = 16

// Queries counts the groups of a ranking. Rows of weight 0 are no part of them.
type Queries struct {
	// those that metrics are means over: those with a relevant row, which is one of a grade above 0
	Counted int `json:"counted"`
	All     int `json:"all"`
}

// CountQueries counts the groups of a sample.
func CountQueries(s *Sample) Queries {
	var q Queries
	for _, rows := range grouped(s) {
		q.All++
		if slices.ContainsFunc(rows, func(row int32) bool { return s.Y[row] > 0 }) {
			q.Counted++
		}
	}
	return q
}

// groupMetric is a metric of each group, and its mean over groups. Rows of weight 0 are left out; a
// group weighs what its rows weigh on average. A group without a relevant row is left out, since
// all its orders are equally good; see also Sample.Compat.
type groupMetric struct {
	name string
	// with Sample.Compat rows of equal predictions are ordered by rising grade
	worst bool
	gains bool // it is of gains, which grades from 0 to 1000 have
	// the expected value of a group over all orders of its rows of equal predictions
	group func(l *list) float64
}

// mean returns the metric of a sample: the mean over groups in the order of their first rows, and
// how many these are.
func (m *groupMetric) mean(s *Sample) (float64, Queries, error) {
	if err := m.defined(s.Group == nil, strangeGrade(s)); err != nil {
		return 0, Queries{}, err
	}
	groups := grouped(s)
	values, workers := make([]float64, len(groups)), max(1, s.Workers)
	counts := make([]bool, len(groups))
	lists := make([]list, workers)
	parallel.Each(workers, (len(groups)+groupsAtOnce-1)/groupsAtOnce, func(worker, block int) {
		from := block * groupsAtOnce
		for k, rows := range groups[from:min(from+groupsAtOnce, len(groups))] {
			values[from+k], counts[from+k] = lists[worker].evaluate(s, rows, m)
		}
	})
	all := groupMean{metric: m}
	for k, rows := range groups {
		all.add(values[k], groupWeight(s, rows), counts[k])
	}
	return all.value()
}

// groupMean is the mean of a metric over the groups that count.
type groupMean struct {
	metric  *groupMetric
	mean    mean
	queries Queries
}

func (m *groupMean) add(value, weight float64, counts bool) {
	m.queries.All++
	if counts {
		m.queries.Counted++
		m.mean.add(value, weight)
	}
}

func (m *groupMean) value() (float64, Queries, error) {
	if m.queries.All > 0 && m.queries.Counted == 0 {
		return 0, m.queries, &Undefined{m.metric.name, "no query has a row of a grade above 0"}
	}
	v, err := m.mean.value(m.metric.name)
	return v, m.queries, err
}

// defined returns why the metric has no value where there are no groups or strange grades.
func (m *groupMetric) defined(none, strange bool) error {
	switch {
	case m.gains && strange:
		return &Undefined{m.name, "it needs grades from 0 to 1000"}
	case none:
		return &Undefined{m.name, "it needs groups"}
	}
	return nil
}

// strangeGrade reports whether a grade is below 0 or above 1000.
func strangeGrade(s *Sample) bool {
	return slices.ContainsFunc(s.Y, func(y float64) bool { return y < 0 || y > 1000 })
}

// groupWeight returns what a group of some rows weighs.
func groupWeight(s *Sample, rows []int32) float64 {
	weight := 0.0
	for _, row := range rows {
		weight += s.weight(int(row))
	}
	return weight / float64(len(rows))
}

// evaluate returns the metric of the rows of a group, and whether the group counts.
func (l *list) evaluate(s *Sample, rows []int32, m *groupMetric) (value float64, counts bool) {
	l.Sort(rows, s.Pred)
	if l.apart = m.worst && s.Compat; l.apart {
		l.sortTies(s.Y)
	}
	l.grade = l.grade[:0]
	relevant := false
	for _, row := range l.Order {
		l.grade = append(l.grade, s.Y[row])
		relevant = relevant || s.Y[row] > 0
	}
	if !relevant {
		return 1, s.Compat
	}
	return m.group(l), true
}

// sortTies orders rows of equal scores by rising grade.
func (l *list) sortTies(grade []float64) {
	for from := 0; from < len(l.Order); {
		to := from + 1
		for to < len(l.Order) && l.Score[to] == l.Score[from] {
			to++
		}
		slices.SortStableFunc(l.Order[from:to], func(a, b int32) int {
			return cmp.Compare(grade[a], grade[b])
		})
		from = to
	}
}

// grouped returns the rows of each group that weigh anything.
func grouped(s *Sample) [][]int32 {
	number := map[int64]int{}
	of := make([]int32, len(s.Group)) // the group of each row; -1 = none
	var sizes []int
	last, before := -1, int64(0) // the group found last: mostly rows of a group stand together
	for i, g := range s.Group {
		if of[i] = -1; s.weight(i) == 0 {
			continue
		}
		if last < 0 || before != g {
			k, ok := number[g]
			if !ok {
				k = len(sizes)
				number[g] = k
				sizes = append(sizes, 0)
			}
			last, before = k, g
		}
		of[i] = int32(last)
		sizes[last]++
	}
	all, groups := make([]int32, len(s.Group)), make([][]int32, len(sizes))
	for k, n := range sizes {
		groups[k], all = all[:0:n], all[n:]
	}
	for i, k := range of {
		if k >= 0 {
			groups[k] = append(groups[k], int32(i))
		}
	}
	return groups
}
