package gbm

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/internal/bins"
	"github.com/coppice-ml/coppice/internal/hist"
	"github.com/coppice-ml/coppice/ranks"
	"github.com/coppice-ml/coppice/tree"
)

// own returns the rows that one of several ranks has, nil where there is one. Each reads the rows
// of the table that it adds to histograms, and those of the validation set between them, and keeps
// their codes in memory. Labels and scores of all rows are on every rank.
//
//	table         0 ... 299 | 300 ... 599 | 600 ... 999      rows of the ranks
//	training set  matrix rows of hist.RankRows               codes on their rank alone
//	validation    the others                                 codes and trees on their rank
//
// The first rank reads the whole table while bins are fitted, so that the table is hashed. All do
// where categories are stored.
func (s *setup) own(whole bool) *bins.Own {
	g := ranks.Of(s.job.Ranks)
	if g.Size() == 1 {
		return nil
	}
	own := &bins.Own{Gather: g.Gather, Whole: whole || g.Rank() == 0}
	own.From, own.To = s.ownRange(g)
	return own
}

// checkOwn reports that a rank has no memory for the codes of its own rows, of so many columns.
func (s *setup) checkOwn(own *bins.Own, columns int) error {
	if own == nil {
		return nil
	}
	what := fmt.Sprintf("training on rows %d to %d of %d, of rank %d of %d", own.From, own.To-1,
		s.frame.Rows(), s.job.Ranks.Rank(), s.job.Ranks.Size())
	codes := int64(own.To-own.From) * int64(columns) * codesOfValue
	return s.job.Memory.Check(what, s.heldBytes()+codes)
}

// codesOfValue is the bytes of the codes of a value: by column, and by row for the tree.
const codesOfValue = 2

// ownRange returns the rows of the table that a rank reads: from the first row of the training set
// that it has up to that of the next rank.
func (s *setup) ownRange(g ranks.Group) (from, to int) {
	first := func(rank int) int {
		at, _ := hist.RankRows(len(s.rows), rank, g.Size())
		switch {
		case rank == 0:
			return 0
		case rank == g.Size() || at >= len(s.rows):
			return s.frame.Rows()
		}
		return int(s.rows[at])
	}
	return first(g.Rank()), first(g.Rank() + 1)
}

// validOfRanks is the way of a set of which each rank has the rows that it reads, in bins: a grown
// tree adds to their scores, and ranks exchange them after each round.
type validOfRanks struct {
	noValid
	matrix *bins.Matrix // of own rows
	from   int          // the first of them in the set
	group  ranks.Group
	ctx    context.Context // of the training
}

// newValidOfRanks finds the place of the rows that a rank has.
func newValidOfRanks(ctx context.Context, m *bins.Matrix, g ranks.Group) (*validOfRanks, error) {
	v := &validOfRanks{matrix: m, group: g, ctx: ctx}
	all, err := g.Gather(ctx, binary.LittleEndian.AppendUint64(nil, uint64(m.Len())))
	if err != nil {
		return nil, err
	}
	for _, b := range all[:g.Rank()] {
		if len(b) == 8 {
			v.from += int(binary.LittleEndian.Uint64(b))
		}
	}
	return v, nil
}

func (v *validOfRanks) add(s *scores, t grownTree, output int, factor float64) {
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

// addRound gets the scores of the rows that other ranks have.
func (v *validOfRanks) addRound(s *scores, _ *ensemble, _ []*tree.Tree, _ float64) error {
	n, outputs := len(s.valid.Rows), s.valid.Objective.Outputs()
	var own []byte
	for _, x := range v.own(s) {
		own = binary.LittleEndian.AppendUint64(own, math.Float64bits(x))
	}
	all, err := v.group.Gather(v.ctx, own)
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
	return nil
}
