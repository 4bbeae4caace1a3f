package boost

import (
	"context"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
	"github.com/coppice-ml/coppice/learn/gbm/internal/hist"
	"github.com/coppice-ml/coppice/learn/gbm/internal/table"
	"github.com/coppice-ml/coppice/ranks"
	"github.com/coppice-ml/coppice/tree"
)

// validScores is the way in which the scores of the validation set are updated in a round. All ways
// end at the same scores, to the last bit. The first that is possible is the fastest:
//
//	validByRow     rows are in the matrix      a grown tree adds to them as to the training set
//	validOfRanks   the same, of several ranks  a grown tree adds to the rows that a rank has
//	validInBins    rows have the same bins     a grown tree adds to their own matrix
//	validByModel   always                      the finished trees of the round predict
type validScores interface {
	// put copies the scores of the set to the matrix rows that it has.
	put(s *scores)
	// add adds a tree that has just been grown.
	add(s *scores, t *hist.Grown, output int, factor float64)
	// take gives the set its scores, after those of a round have changed by matrix row.
	take(s *scores)
	// addRound adds the finished trees of a round, of some weight.
	addRound(s *scores, e *ensemble, trees []*tree.Tree, weight float64) error
	// complete gets the scores of rows that other ranks have.
	complete(ctx context.Context, s *scores) error
}

// noValid is the way without a validation set; the others have its methods where they do nothing.
type noValid struct{}

func (noValid) put(*scores)                                              {}
func (noValid) add(*scores, *hist.Grown, int, float64)                   {}
func (noValid) take(*scores)                                             {}
func (noValid) addRound(*scores, *ensemble, []*tree.Tree, float64) error { return nil }
func (noValid) complete(context.Context, *scores) error                  { return nil }

// validByRow is the way of a set whose rows were prepared: trees are added to their scores as to
// those of the training set.
type validByRow struct {
	noValid
	at []int32 // their matrix rows
}

func (v *validByRow) put(s *scores)  { s.rows.put(s.valid, v.at, s.raw) }
func (v *validByRow) take(s *scores) { s.rows.take(s.valid, v.at, s.raw) }

// validInBins is the way of a set that has a matrix of its own, with the bins of the training set.
type validInBins struct {
	noValid
	matrix *bins.Matrix
}

func (v *validInBins) add(s *scores, t *hist.Grown, output int, factor float64) {
	t.AddTo(v.matrix, ofOutput(s.valid.Raw, output, v.matrix.Len()), factor)
}

// validByModel is the way that always works: the trees of a round predict for the set as a model.
type validByModel struct {
	noValid
	table *table.Table
}

func (v *validByModel) addRound(s *scores, e *ensemble, trees []*tree.Tree, weight float64) error {
	m := e.empty()
	m.Trees = trees
	for i := range trees {
		m.Output = append(m.Output, e.outputOf(i))
	}
	if weight != 1 {
		m.Weights = slices.Repeat([]float64{weight}, len(trees))
	}
	return v.table.AddValidScores(s.valid.Raw, s.valid.Rows, m)
}

// newValidScores chooses the way, and returns the matrix rows of the validation set for the way
// that uses them. A grown tree adds its final values by bins. A model is needed where these change
// later (dropout), or are not computed from bins (linear leaves, thresholds between values, columns
// derived by several orders, bins of each round, categories without a bin).
func newValidScores(ctx context.Context, s *setup, t *table.Table,
	sc *scores) (validScores, []int32, error) {
	if sc.valid == nil {
		return noValid{}, nil, nil
	}
	if t.Blocks != nil && t.Matrices[0].Partial {
		v, err := newValidOfRanks(ctx, t.Others, s.Group)
		return v, nil, err
	}
	if t.Blocks != nil {
		return &validInBins{matrix: t.Others}, nil, nil
	}
	byModel := &validByModel{table: t}
	if s.Config.Linear || s.dart() || s.Config.LocalPoints {
		return byModel, nil, nil
	}
	from, rows, m := s.Frame, s.Valid, t.Matrices[0]
	if len(t.Inputs.Columns) > 0 {
		// matrices of several orders have bins of their own
		if from = t.ValidFrame(); from == nil || len(t.Matrices) > 1 || ranks.Of(s.Group).Size() > 1 {
			return byModel, nil, nil
		}
		rows = data.AllRows(len(rows))
	} else if !sc.rows.same() { // else only the training set has matrix rows
		if at := matrixRowsOf(rows, t.Rows()); at != nil {
			return &validByRow{at: at}, slices.Clone(at), nil
		}
	}
	if s.Config.Follows(hist.XGBoostExact) || !allInBins(from, m, rows) {
		return byModel, nil, nil
	}
	if v, err := s.divideValid(ctx, m); v != nil || err != nil {
		return v, nil, err
	}
	matrix, err := bins.Encode(ctx, from, rows, m.Columns, bins.Options{Unpacked: true},
		s.Job.Workers)
	return &validInBins{matrix: matrix}, nil, err
}

// matrixRowsOf returns the matrix rows of frame rows, among prepared ones; nil if one has none.
func matrixRowsOf(rows, prepared []int32) []int32 {
	at := make([]int32, len(rows))
	for i, r := range rows {
		k, found := slices.BinarySearch(prepared, r)
		if !found {
			return nil
		}
		at[i] = int32(k)
	}
	return at
}

// allInBins reports whether all categories of some rows have bins in a matrix.
func allInBins(f *data.Frame, m *bins.Matrix, rows []int32) bool {
	for i := range m.Columns {
		c := &m.Columns[i]
		if !c.Nominal() {
			continue
		}
		codes := f.Columns[c.Feature].Codes()
		for _, r := range rows {
			code := codes[r]
			if code != data.MissingCode && (uint(code) >= uint(len(c.Level)) || c.Level[code] < 0) {
				return false
			}
		}
	}
	return true
}
