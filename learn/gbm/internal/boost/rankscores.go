package boost

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/learn/gbm/internal/hist"
	"github.com/coppice-ml/coppice/learn/gbm/internal/table"
	"github.com/coppice-ml/coppice/ranks"
)

// rankScores is the rows whose scores other ranks have: each adds trees to those of its own rows.
// The scores of all rows are put together only where something reads them, which is the metrics of
// the training set, checkpoints, and the end:
//
//	round 1 ... 10     rank 0: scores of rows 0 ...     rank 1: scores of rows 500 ...
//	metrics            both: scores of all rows
type rankScores struct {
	group    ranks.Group
	from, to int // own rows
	missing  bool
}

// ownRows reports whether a rank needs the scores of its own rows only: if derivatives are those of
// single rows, all of which are trained on in each round, and leaves keep the engine's values.
func (s *setup) ownRows(t *table.Table, sc *scores, d derivatives, leaves leafValues) bool {
	_, rowwise := d.(*rowwiseDerivatives)
	_, newton := leaves.(newtonLeaves)
	return rowwise && newton && !s.Config.samples() && !s.dart() && sc.rows.same() &&
		len(t.Matrices) == 1 && (t.Blocks == nil || t.Matrices[0].Partial)
}

func newRankScores(g ranks.Group, by *hist.Grower) *rankScores {
	if ranks.Of(g).Size() == 1 {
		return nil
	}
	from, to := by.OwnRows()
	return &rankScores{group: g, from: from, to: to}
}

// miss notes that scores of own rows change.
func (o *rankScores) miss() {
	if o != nil {
		o.missing = true
	}
}

// complete gets the scores of the rows of both sets that other ranks have. All ranks call it.
func (s *scores) complete(ctx context.Context) error {
	if err := s.completeTrain(ctx); err != nil {
		return err
	}
	return s.follow.complete(ctx, s)
}

// completeTrain gets those of the training set.
func (s *scores) completeTrain(ctx context.Context) error {
	o := s.others
	if o == nil || !o.missing {
		return nil
	}
	n := s.rows.rows
	for at := 0; at < len(s.raw); at += n {
		raw := s.raw[at : at+n]
		own := make([]byte, 0, 8*(o.to-o.from))
		for _, v := range raw[o.from:o.to] {
			own = binary.LittleEndian.AppendUint64(own, math.Float64bits(v))
		}
		all, err := o.group.Gather(ctx, own)
		if err != nil {
			return err
		}
		for rank, b := range all {
			if len(b) > 8*len(raw) {
				return fmt.Errorf("rank %d sent %d bytes of scores, want %d at most", rank, len(b),
					8*len(raw))
			}
			for i := range len(b) / 8 {
				raw[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
			}
			raw = raw[len(b)/8:]
		}
	}
	o.missing = false
	return nil
}
