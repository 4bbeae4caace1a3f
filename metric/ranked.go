package metric

import (
	"cmp"
	"slices"
)

// list is the rows of one group.
type list struct {
	weight float64
	rows   []scored // the highest prediction first
	grade  []float64
}

// perGroup returns the mean over groups of a metric, in the order of their first rows. Rows of
// weight 0 are left out; a group weighs what its rows weigh on average. A group without a row of a
// grade above 0 counts 1, as in XGBoost and LightGBM, since all its orders are equally good.
//
// worst orders rows of equal predictions by rising grade, so that the metric does not depend on the
// order of the rows of a table.
func perGroup(
	s *Sample, metric string, worst bool, evaluate func(l *list) float64,
) (float64, error) {
	if s.Group == nil {
		return 0, &Undefined{metric, "it needs groups"}
	}
	var m mean
	for _, rows := range grouped(s) {
		l := &list{}
		for _, row := range rows {
			l.rows = append(l.rows, scored{s.Pred[row], row})
			l.weight += s.weight(int(row))
		}
		slices.SortFunc(l.rows, func(a, b scored) int {
			order := cmp.Compare(b.score, a.score)
			if worst {
				order = cmp.Or(order, cmp.Compare(s.Y[a.row], s.Y[b.row]))
			}
			return cmp.Or(order, cmp.Compare(a.row, b.row))
		})
		relevant := false
		for _, r := range l.rows {
			l.grade = append(l.grade, s.Y[r.row])
			relevant = relevant || s.Y[r.row] > 0
		}
		v := 1.0
		if relevant {
			v = evaluate(l)
		}
		m.add(v, l.weight/float64(len(rows)))
	}
	return m.value(metric)
}

// grouped returns the rows of each group that weigh anything.
func grouped(s *Sample) [][]int32 {
	number := map[int64]int{}
	var groups [][]int32
	for i, g := range s.Group {
		if s.weight(i) == 0 {
			continue
		}
		k, ok := number[g]
		if !ok {
			k = len(groups)
			number[g] = k
			groups = append(groups, nil)
		}
		groups[k] = append(groups[k], int32(i))
	}
	return groups
}
