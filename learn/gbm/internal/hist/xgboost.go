package hist

// xgboost is the way of XGBoost 1.7:
//
//   - Where one category is split from the rest, missing values are tried on both sides.
//   - Sets of many categories are made in the order of the values of the leaves that each would be.
//     CatSmooth and MinCategory have no meaning.
//   - One category fewer than MaxCategories makes a side.
type xgboost struct{ own }

// alone returns all categories: missing values may go with one that no row of the leaf has.
func (xgboost) alone(s *scanner) ([]int32, bool) { return s.all(), true }

// order orders all categories by the values of leaves that they would have alone. The value is 0 of
// those that are too light for a leaf, and of those that no row of the leaf has. All of them count
// among the MaxCategories that one side may have, minus one.
func (xgboost) order(s *scanner) ([]int32, int) {
	all := s.all()
	most := len(all)
	if limit := s.c.MaxCategories; limit > 0 {
		most = min(most, limit)
	}
	s.sortBy(all, most, func(b int32) float64 {
		if s.side.h[b] < s.score.lowest {
			return 0
		}
		return s.score.terms.value(pair{s.side.g[b], s.side.h[b]}, free(), 0, 0)
	})
	return all, most - 1
}
