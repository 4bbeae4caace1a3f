package hist

// byWeight orders all categories of a column as XGBoost 1.7 does: by the values of leaves that they
// would have alone, which is 0 of those that are too light for a leaf, and of those that no row of
// the leaf has. All of them count among the MaxCategories that one side may have, less one.
func (s *scanner) byWeight(column int) ([]int32, int) {
	all := s.all(column)
	most := len(all)
	if limit := s.r.c.MaxCategories; limit > 0 {
		most = min(most, limit)
	}
	s.sortBy(all, most, func(b int32) float64 {
		if s.h[b] < s.lowest {
			return 0
		}
		return s.terms.value(pair{s.g[b], s.h[b]}, free(), 0, 0)
	})
	return all, most - 1
}

// all returns all categories of a column.
func (s *scanner) all(column int) []int32 {
	all := s.sort.order[:0]
	for b := range s.r.m.Columns[column].Values {
		all = append(all, int32(b))
	}
	s.sort.order = all
	return all
}
