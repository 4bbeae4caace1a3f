package bag

import (
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn/internal/ensembles"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
)

// compact returns a member with compact trees, and the decrease of impurity by splits on each of
// the table's columns; nil if the member is no tree with statistics. columns are the places of the
// columns that the member was trained on, nil = all.
func (j *job) compact(m model.Model, columns []int) (model.Model, []float64) {
	small, own := ensembles.CompactMember(m)
	if own == nil || columns == nil {
		return small, own
	}
	gain := make([]float64, len(j.frame.Columns))
	for f, at := range columns {
		gain[at] = own[f]
	}
	return small, gain
}

// permuted returns how much worse member number i predicts the rows out of its bag when columns are
// permuted.
func (j *job) permuted(m model.Model, i int, columns []int, out []int32,
	workers int) ([]float64, error) {
	p, err := m.Bind(&j.frame.Schema, j.options(workers))
	if err != nil {
		return nil, err
	}
	permuter := j.pool.Get().(*ensembles.Permuter)
	defer j.pool.Put(permuter)
	permuter.DecideBy(j.decision(m))
	predict := func(dst []float64, columns []data.Column, rows []int32) error {
		exchanged := *j.frame
		exchanged.Columns = columns
		return j.predictInto(dst, p, &exchanged, rows, m.Outputs())
	}
	return permuter.Member(predict, looks(m, columns), out, func(unit int) *rng.Stream {
		return rng.New(j.Seed, forPermutation, uint64(i), uint64(unit))
	})
}

// looks returns the places of the table's columns that a member's predictions depend on, nil if
// they may depend on all. columns are those that the member was trained on, nil = all.
func looks(m model.Model, columns []int) []int32 {
	e, ok := m.(*model.Ensemble)
	if !ok {
		if columns == nil {
			return nil
		}
		seen := make([]int32, len(columns))
		for i, at := range columns {
			seen[i] = int32(at)
		}
		return seen
	}
	seen := e.Uses()
	for i, f := range seen {
		if columns != nil {
			seen[i] = int32(columns[f])
		}
	}
	return seen
}

// importances combines the importances of the members, in their order.
func (j *job) importances() []training.Importances {
	var found []training.Importances
	if !slices.ContainsFunc(j.gains, func(gain []float64) bool { return gain == nil }) {
		found = append(found, training.ByImpurity(&j.frame.Schema, j.gains))
	}
	if j.learner.Importance == ImportancePermutation {
		found = append(found, ensembles.Importances(training.Permutation, &j.frame.Schema, j.groups,
			j.increases))
	}
	return found
}
