package hist

import (
	"context"

	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
)

// exchange is what a grower does together with the growers of other ranks, each of which has the
// codes of some rows of the matrix. All ranks find the same splits; of a leaf's rows each has its
// own:
//
//	rank 0   rows 0 ...     histogram of own rows --+             +--> sums of all rows --> split
//	rank 1   rows 500 ...   histogram of own rows --+--> words ---+--> sums of all rows --> split
//
// Mostly a rank has the sums of some columns only; see owners.
//
// Operations have no errors of their own: after one that fails the others do nothing, and failed
// returns the error before anything is made of what they left.
type exchange interface {
	// begin prepares for a tree.
	begin(ctx context.Context)
	// several reports whether there are other ranks: then all operations come in one order, which
	// is the same on every rank.
	several() bool
	// part returns the rows of a matrix that this rank has, which it numbers from 0. The rows of
	// leaves have these numbers until the tree is grown.
	part(m *bins.Matrix) *bins.Matrix
	// own returns which of the tree's rows, ascending, this rank has: from ... to-1; nil rows are
	// all of so many.
	own(rows []int32, all int) (from, to int32)
	// ownBlocks returns which blocks of derivatives of so many rows this rank makes words of.
	ownBlocks(rows, blocks int) (from, to int)
	// blocksOfAll completes what was met in each block of rows by what the other ranks have met.
	blocksOfAll(found []met)
	// words adds up the words of all ranks.
	words(x []int64)
	// parts starts to add up the words of all ranks. wait leaves this one the sums of its part; see
	// ranks.Group.SumParts.
	parts(x []int64, sizes []int) (wait func())
	// gather returns the bytes of all ranks; nil after an operation that failed.
	gather(own []byte) [][]byte
	// send sends bytes to each rank, and returns what each has sent to this one; nil after an
	// operation that failed.
	send(to [][]byte) [][]byte
	// place returns which of how many ranks this is.
	place() (rank, size int)
	// fail notes an error, unless there is one.
	fail(err error)
	// counts is words for numbers of rows.
	counts(x []int32)
	// inOrder lets one rank after the other, in the order of the rows, add to numbers that are 0 at
	// first: sums of float64 depend on it.
	inOrder(x []float64, add func())
	// leavesOfAll completes the leaf of each row of the matrix by those of the other ranks' rows.
	leavesOfAll(leaf []int32, leaves int)
	failed() error
}

// noExchange is that of one process.
type noExchange struct{}

func (noExchange) begin(context.Context)                    {}
func (noExchange) several() bool                            { return false }
func (noExchange) part(m *bins.Matrix) *bins.Matrix         { return m }
func (noExchange) own(rows []int32, all int) (int32, int32) { return 0, int32(lenOr(rows, all)) }
func (noExchange) ownBlocks(_, blocks int) (int, int)       { return 0, blocks }
func (noExchange) blocksOfAll([]met)                        {}
func (noExchange) words([]int64)                            {}
func (noExchange) parts([]int64, []int) (wait func())       { return func() {} }
func (noExchange) gather(own []byte) [][]byte               { return [][]byte{own} }
func (noExchange) send(to [][]byte) [][]byte                { return to }
func (noExchange) place() (rank, size int)                  { return 0, 1 }
func (noExchange) fail(error)                               {}
func (noExchange) counts([]int32)                           {}
func (noExchange) inOrder(_ []float64, add func())          { add() }
func (noExchange) leavesOfAll([]int32, int)                 {}
func (noExchange) failed() error                            { return nil }

// lenOr returns the number of rows, nil = all.
func lenOr(rows []int32, all int) int {
	if rows == nil {
		return all
	}
	return len(rows)
}
