package boost

import (
	"context"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/gbm/internal/hist"
	"github.com/coppice-ml/coppice/learn/gbm/internal/table"
	"github.com/coppice-ml/coppice/learn/internal/boosting"
)

// scores is the score store: the raw scores of all rows before the next round. Trees are added to
// those by matrix row, and both sets read theirs from there:
//
//	raw          output 0: row 0, row 1, ...   output 1: row 0, row 1, ...
//	train.Raw    the same array, or those of the positions
//	valid.Raw    see validScores
type scores struct {
	sets
	rows   rowMap
	raw    []float64 // output-major, by matrix row
	among  []int32   // matrix rows whose scores are kept, ascending; nil: all
	follow validScores
	others *rankScores // nil: the scores of all rows are here
}

// newScores lays out the scores of both sets, yet without values.
func newScores(ctx context.Context, s *setup, t *table.Table, both *sets) (*scores, error) {
	sc := &scores{sets: *both}
	var err error
	if sc.rows, err = newRowMap(s.Rows, t.Rows()); err != nil {
		return nil, err
	}
	k := sc.train.Objective.Outputs()
	sc.train.Raw = make([]float64, k*len(sc.train.Rows))
	if sc.raw = sc.train.Raw; !sc.rows.same() {
		sc.raw = make([]float64, k*sc.rows.rows)
	}
	if sc.valid != nil {
		sc.valid.Raw = make([]float64, k*len(sc.valid.Rows))
	}
	var valid []int32
	if sc.follow, valid, err = newValidScores(ctx, s, t, sc); err != nil {
		return nil, err
	}
	if !sc.rows.same() {
		sc.among = data.Distinct(append(valid, sc.rows.at...))
	}
	return sc, nil
}

// start gives all rows the scores of the model so far and the user's initial scores.
func (s *scores) start(ctx context.Context, from *setup, t *table.Table, e *ensemble) error {
	for _, p := range []*boosting.Set{s.train, s.valid} {
		if p == nil {
			continue
		}
		if err := t.AddScores(ctx, p.Raw, p.Rows, e.model, e.roundOf); err != nil {
			return err
		}
		if err := p.AddStart(from.Target.Offset, from.Frame.Rows(), from.loss); err != nil {
			return err
		}
	}
	if !s.rows.same() {
		s.rows.put(s.train, s.rows.at, s.raw)
	}
	s.follow.put(s)
	return nil
}

// allOutputs is the output of a tree whose leaves have a value for each.
const allOutputs = -1

// add adds a tree of an output, times a factor.
func (s *scores) add(t *hist.Grown, output int, factor float64) {
	s.others.miss()
	t.Add(ofOutput(s.raw, output, s.rows.rows), s.among, factor)
	s.follow.add(s, t, output, factor)
}

// ofOutput returns the scores of an output, or all of them, of n rows each.
func ofOutput(raw []float64, output, n int) []float64 {
	if output == allOutputs {
		return raw
	}
	return raw[output*n : (output+1)*n]
}

// collect gives both sets the scores of their rows, after they have changed by matrix row.
func (s *scores) collect() {
	if !s.rows.same() {
		s.rows.take(s.train, s.rows.at, s.raw)
	}
	s.follow.take(s)
}
