package boost

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
	"github.com/coppice-ml/coppice/learn/gbm/internal/hist"
	"github.com/coppice-ml/coppice/learn/gbm/internal/table"
	"github.com/coppice-ml/coppice/learn/internal/boosting"
	"github.com/coppice-ml/coppice/loss"
	"github.com/coppice-ml/coppice/ranks"
)

// validOfRanks is the way of a set of which each rank has some rows in bins: a grown tree adds to
// their scores alone. The scores of the others are put together only where something reads them:
// metrics that are no sums over the rows, and checkpoints.
type validOfRanks struct {
	noValid
	matrix  *bins.Matrix // of own rows
	from    int          // the first of them in the set
	group   ranks.Group
	missing bool // scores of other rows are not those after the last round
	// The rows of some rank are not those whose losses it adds up. All ranks must agree on it, as
	// they get the scores of others together.
	apart bool
}

// newValidOfRanks finds the place of the rows that a rank has.
func newValidOfRanks(ctx context.Context, m *bins.Matrix, g ranks.Group) (*validOfRanks, error) {
	v := &validOfRanks{matrix: m, group: g}
	all, err := g.Gather(ctx, binary.LittleEndian.AppendUint64(nil, uint64(m.Len())))
	if err != nil {
		return nil, err
	}
	starts := make([]int, len(all)+1)
	for rank, b := range all {
		if len(b) != 8 {
			return nil, fmt.Errorf("rank %d sent %d bytes for its number of rows, want 8", rank,
				len(b))
		}
		starts[rank+1] = starts[rank] + int(binary.LittleEndian.Uint64(b))
	}
	v.from = starts[g.Rank()]
	for rank := range all {
		from, to := ranks.Span(starts[len(all)], loss.SumRows, rank, len(all))
		v.apart = v.apart || from != starts[rank] || to != starts[rank+1]
	}
	return v, nil
}

// divideValid puts the rows of a validation set that a rank has in bins. nil: the set is too small
// for that, or there is one rank.
func (s *setup) divideValid(ctx context.Context, m *bins.Matrix) (*validOfRanks, error) {
	g := ranks.Of(s.Group)
	if !dividesRows(len(s.Valid), g) || table.GrowsAlone(m) {
		return nil, nil
	}
	v := &validOfRanks{group: g}
	var to int
	v.from, to = ranks.Span(len(s.Valid), loss.SumRows, g.Rank(), g.Size())
	var err error
	v.matrix, err = bins.Encode(ctx, s.Frame, s.Valid[v.from:to], m.Columns,
		bins.Options{Unpacked: true}, s.Job.Workers)
	return v, err
}

func (v *validOfRanks) add(s *scores, t *hist.Grown, output int, factor float64) {
	v.missing = true
	n := len(s.valid.Rows)
	if output != allOutputs {
		t.AddTo(v.matrix, s.valid.Raw[output*n:][v.from:][:v.matrix.Len()], factor)
		return
	}
	own := v.own(s) // output-major, as the rows of the matrix are
	t.AddTo(v.matrix, own, factor)
	for o := range len(own) / max(1, v.matrix.Len()) {
		copy(s.valid.Raw[o*n+v.from:], own[o*v.matrix.Len():(o+1)*v.matrix.Len()])
	}
}

// own returns the scores of the rank's rows, output-major.
func (v *validOfRanks) own(s *scores) []float64 {
	n := len(s.valid.Rows)
	var own []float64
	for at := 0; at < len(s.valid.Raw); at += n {
		own = append(own, s.valid.Raw[at+v.from:][:v.matrix.Len()]...)
	}
	return own
}

// complete gets the scores of the rows that other ranks have.
func (v *validOfRanks) complete(ctx context.Context, s *scores) error {
	if !v.missing {
		return nil
	}
	n, outputs := len(s.valid.Rows), s.valid.Objective.Outputs()
	var own []byte
	for _, x := range v.own(s) {
		own = binary.LittleEndian.AppendUint64(own, math.Float64bits(x))
	}
	all, err := v.group.Gather(ctx, own)
	if err != nil {
		return err
	}
	first := 0
	for rank, b := range all {
		rows := len(b) / 8 / outputs
		if len(b) != 8*rows*outputs || first+rows > n {
			return fmt.Errorf("rank %d sent %d bytes of scores of the validation set", rank, len(b))
		}
		for o := range outputs {
			for i := range rows {
				s.valid.Raw[o*n+first+i] = math.Float64frombits(
					binary.LittleEndian.Uint64(b[8*(o*rows+i):]))
			}
		}
		first += rows
	}
	if first != n {
		return fmt.Errorf("the ranks have %d rows of the validation set, want %d", first, n)
	}
	v.missing = false
	return nil
}

// divide gives the ranks of a training their parts of the evaluation of a set whose scores all
// have.
func (s *scores) divide(ctx context.Context, g ranks.Group) {
	if g = ranks.Of(g); g.Size() == 1 {
		return
	}
	gather := func(own []byte) ([][]byte, error) { return g.Gather(ctx, own) }
	if dividesRows(len(s.train.Rows), g) || s.others != nil {
		d := boosting.Divide(len(s.train.Rows), g, gather)
		if s.others != nil { // whole blocks of derivatives, which are several of sums
			d.From, d.To = s.others.from, s.others.to
			d.Complete = func() error { return s.completeTrain(ctx) }
		}
		s.train.Divided = d
	}
	v, apart := s.follow.(*validOfRanks)
	if s.valid == nil || !apart && !dividesRows(len(s.valid.Rows), g) {
		return
	}
	d := boosting.Divide(len(s.valid.Rows), g, gather)
	if apart {
		d.Apart = v.apart
		d.Complete = func() error { return v.complete(ctx, s) }
	}
	s.valid.Divided = d
}

// dividesRows reports whether several ranks divide what goes over so many rows: a message takes as
// long as a few thousand of them.
func dividesRows(rows int, g ranks.Group) bool {
	return g.Size() > 1 && rows >= 2*loss.SumRows*g.Size()
}
