package table

import (
	"fmt"

	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
	"github.com/coppice-ml/coppice/learn/gbm/internal/hist"
	"github.com/coppice-ml/coppice/ranks"
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
func (s *Request) own(whole bool) *bins.Own {
	g := ranks.Of(s.Group)
	if g.Size() == 1 {
		return nil
	}
	own := &bins.Own{Gather: g.Gather, Whole: whole || g.Rank() == 0}
	own.From, own.To = s.ownRange(g)
	return own
}

// checkOwn reports that a rank has no memory for the codes of its own rows, of so many columns.
func (s *Request) checkOwn(own *bins.Own, columns int) error {
	if own == nil {
		return nil
	}
	what := fmt.Sprintf("training on rows %d to %d of %d, of rank %d of %d", own.From, own.To-1,
		s.Frame.Rows(), s.Group.Rank(), s.Group.Size())
	codes := int64(own.To-own.From) * int64(columns) * codesOfValue
	if s.Columns.LocalPoints {
		codes *= 2 // those of a tree, too
	}
	return s.Memory.Check(what, s.heldBytes()+codes)
}

// codesOfValue is the bytes of the codes of a value: by column, and by row for the tree.
const codesOfValue = 2

// ownRange returns the rows of the table that a rank reads: from the first row of the training set
// that it has up to that of the next rank.
func (s *Request) ownRange(g ranks.Group) (from, to int) {
	first := func(rank int) int {
		at, _ := hist.RankRows(len(s.Rows), rank, g.Size())
		switch {
		case rank == 0:
			return 0
		case rank == g.Size() || at >= len(s.Rows):
			return s.Frame.Rows()
		}
		return int(s.Rows[at])
	}
	return first(g.Rank()), first(g.Rank() + 1)
}
