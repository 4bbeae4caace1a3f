package metric

import (
	"cmp"
	"slices"

	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/internal/scoreorder"
)

// list is the rows of one group, and memory for those of the next.
type list struct {
	scoreorder.Sorter // of the rows
	grade             []float64
	best              []float64 // ndcg: the greatest gains, descending
}

// groupsAtOnce is the number of groups that a worker takes at a time.
const groupsAtOnce = 16

// groupMetric is a metric of each group, and its mean over groups. Rows of weight 0 are left out; a
// group weighs what its rows weigh on average. A group without a row of a grade above 0 counts 1,
// as in XGBoost and LightGBM, since all its orders are equally good.
type groupMetric struct {
	name string
	// worst orders rows of equal predictions by rising grade, so that the metric does not depend on
	// the order of the rows of a table.
	worst bool
	gains bool // it is of gains, which grades from 0 to 1000 have
	group func(l *list) float64
}

// of returns the metric of a sample: the mean over groups in the order of their first rows.
func (m *groupMetric) of(s *Sample) (float64, error) {
	if err := m.defined(s.Group == nil, strangeGrade(s)); err != nil {
		return 0, err
	}
	groups := grouped(s)
	values, workers := make([]float64, len(groups)), max(1, s.Workers)
	lists := make([]list, workers)
	parallel.Each(workers, (len(groups)+groupsAtOnce-1)/groupsAtOnce, func(worker, block int) {
		from := block * groupsAtOnce
		for k, rows := range groups[from:min(from+groupsAtOnce, len(groups))] {
			values[from+k] = lists[worker].evaluate(s, rows, m)
		}
	})
	var all mean
	for k, rows := range groups {
		all.add(values[k], groupWeight(s, rows))
	}
	return all.value(m.name)
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

// evaluate returns the metric of the rows of a group.
func (l *list) evaluate(s *Sample, rows []int32, m *groupMetric) float64 {
	l.Sort(rows, s.Pred)
	if m.worst {
		l.sortTies(s.Y)
	}
	l.grade = l.grade[:0]
	relevant := false
	for _, row := range l.Order {
		l.grade = append(l.grade, s.Y[row])
		relevant = relevant || s.Y[row] > 0
	}
	if !relevant {
		return 1
	}
	return m.group(l)
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
