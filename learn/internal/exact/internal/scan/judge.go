package scan

import (
	"math"

	"github.com/coppice-ml/coppice/internal/criterion"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/growth"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/sorting"
	"github.com/coppice-ml/coppice/tree"
)

// batchSize is the number of candidate splits that a criterion judges in one call.
const batchSize = 64

// Judge compares the candidate splits of one column of a node: each is offered, they are judged in
// batches, and the best stays.
type Judge struct {
	Task *Task
	crit criterion.Criterion
	judged
	sums
	batch
	winner
	tried []trial // what was judged, if it is not nil: Candidates
}

// judged is the rows that splits are judged on: all rows of the node, or those with a value unless
// the rule is Learned.
type judged struct {
	Total []float64 // their statistics
	Rows  int       // their number, with multiplicity
	Tie   float64   // gains that are closer are equal
	heavy float64   // their weight
	// no row of the node is without a value
	complete bool
	parent   float64 // their impurity, in the terms of the criterion
}

// sums are statistics of some rows of the node. They have the width of what is kept: see keep.
type sums struct {
	Prefix  []float64 // the rows that go first
	Missing []float64 // the rows without a value
	Stale   bool      // Missing is not zero
	Own     []float64 // memory for Total where it is not the node's
	Both    []float64 // scratch buffer of OfferBoth
	zero    []float64 // always zero
	classes []uint32  // whose statistics are kept; nil = all
	byClass []float64 // scratch buffer of sum
}

// batch is the candidates to be judged together, and what the criterion finds of them.
type batch struct {
	left, right []float64 // batchSize x width: statistics of both sides
	il, ir      []float64 // impurities of both sides
	divisor     []float64 // of the gains, see criterion.Ratio; 0 means 1
	mark        []Mark
	n           int
}

// winner is the best candidate so far.
type winner struct {
	Best      Mark
	Gain, Per float64 // gain and divisor
	weight    float64 // of its first side
}

// Mark names a candidate: a boundary or a subset, and where missing values go.
type Mark struct {
	At      int
	Missing tree.Missing
}

// NoMark is the best candidate where there is none.
const NoMark = -1

func newJudge(t *Task) Judge {
	w := t.Width
	return Judge{Task: t, crit: t.Criterion,
		batch: batch{left: make([]float64, batchSize*w), right: make([]float64, batchSize*w),
			il: make([]float64, batchSize),
			ir: make([]float64, batchSize), divisor: make([]float64, batchSize),
			mark: make([]Mark, batchSize)},
		sums: sums{Own: make([]float64, w), zero: make([]float64, w), Prefix: make([]float64, w),
			Missing: make([]float64, w),
			Both:    make([]float64, w), byClass: make([]float64, w)}}
}

// Begin starts a column of a node in which missingRows rows, whose statistics are in Missing, have
// no value. It returns the number of missing rows that splits must place.
func (s *Judge) Begin(nd *growth.Node, missingRows int) int {
	s.n, s.Best, s.Gain, s.Per = 0, Mark{At: NoMark}, math.Inf(-1), 0
	s.Total, s.Rows, s.heavy, s.parent = s.kept(nd), nd.Count, nd.Weight, nd.Impurity
	s.complete = missingRows == 0
	reduced := missingRows > 0 && s.Task.Rule != growth.Learned
	if reduced {
		s.Rows, missingRows = nd.Count-missingRows, 0
		copy(s.Own, s.Total)
		s.Total = s.Own
		for i, v := range s.Missing {
			s.Total[i] -= v
		}
		s.heavy = s.Task.WeightOf(s.Total)
	}
	s.Tie = float64(growth.RelativeTie * nd.Impurity)
	if s.crit != nil && (reduced || s.Task.Pop.Class == nil) {
		var total [1]float64
		s.crit.Impurity(total[:], s.Total, s.Total)
		s.parent = total[0]
	}
	return missingRows
}

// ClearMissing makes Missing zero. Code that writes to it sets Stale, so that columns without
// missing values cost nothing.
func (s *Judge) ClearMissing() {
	if s.Stale {
		clear(s.Missing)
		s.Stale = false
	}
}

// Offer adds the split that sends rows with the given statistics first, unless it leaves a child
// too small.
func (s *Judge) Offer(first []float64, rows int, m Mark) {
	least := s.Task.MinLeaf
	if rows < least || s.Rows-rows < least {
		return
	}
	if s.Task.RowWeight > 0 && !s.weighty(s.Task.WeightOf(first)) {
		return
	}
	w := len(s.Total)
	l, r := s.left[s.n*w:(s.n+1)*w], s.right[s.n*w:(s.n+1)*w]
	for i, v := range first {
		l[i] = v
		r[i] = s.Total[i] - v
	}
	s.mark[s.n] = m
	if s.n++; s.n == batchSize {
		s.Decide()
	}
}

// weighty reports whether MinLeaf rows fit into both sides of a split whose first has the given
// weight.
func (s *Judge) weighty(first float64) bool {
	least := s.Task.LeastWeight(s.Task.MinLeaf)
	return first >= least && s.heavy-first >= least
}

// OfferBoth adds a split with missing values on either side, where the node has any.
func (s *Judge) OfferBoth(first []float64, rows, missingRows, at int) {
	if missingRows == 0 {
		s.Offer(first, rows, Mark{at, tree.MissingLast})
		return
	}
	for i, v := range first {
		s.Both[i] = v + s.Missing[i]
	}
	s.Offer(s.Both, rows+missingRows, Mark{at, tree.MissingFirst})
	s.Offer(first, rows, Mark{at, tree.MissingLast})
}

// Decide computes the gains of the batch. The first of equal candidates stays.
func (s *Judge) Decide() {
	n, w := s.n, len(s.Total)
	if n == 0 {
		return
	}
	s.crit.Impurity(s.il[:n], s.left[:n*w], s.Total)
	s.crit.Impurity(s.ir[:n], s.right[:n*w], s.Total)
	if s.Task.ratio != nil {
		for i := range n {
			s.divisor[i] = s.Task.WeightOf(s.left[i*w : (i+1)*w])
		}
		s.Task.ratio.SplitInfo(s.divisor[:n], s.heavy)
	}
	for i := range n {
		gain := s.parent - (s.il[i] + s.ir[i])
		if s.better(gain, s.divisor[i]) {
			s.take(gain, s.divisor[i], s.Task.WeightOf(s.left[i*w:(i+1)*w]), s.mark[i])
		}
		if s.tried != nil && gain > math.Inf(-1) {
			s.tried = append(s.tried, trial{s.mark[i], gain})
		}
	}
	s.n = 0
}

// Compare makes a split that was judged elsewhere the best, under a mark without a side, if it
// beats those so far.
func (s *Judge) Compare(b *growth.Split, at int) {
	s.Decide()
	if s.better(b.Gain, b.Per) {
		s.take(b.Gain, b.Per, 0, Mark{At: at})
	}
}

// better reports whether gain / per beats the best candidate by more than the tie.
func (s *Judge) better(gain, per float64) bool {
	return gain > growth.Compared(s.Gain, s.Per, per)+s.Tie
}

// take makes a candidate the best.
func (s *Judge) take(gain, per, weight float64, m Mark) {
	s.Gain, s.Per, s.weight, s.Best = gain, per, weight, m
}

// Place sets where missing values go that the split did not have to place, and the fractions of the
// others.
func (s *Judge) Place(b *growth.Split, missingRows int) {
	b.Complete = s.complete
	switch {
	case s.Task.Rule != growth.Learned:
		fraction := min(1, s.weight/s.heavy)
		b.Fractions = []float64{fraction, 1 - fraction}
		b.Missing = s.Task.Rule.Node()
	case missingRows == 0:
		b.Missing = s.heavier()
	}
}

// heavier returns the rule that sends missing values to the heavier child of the best split, of
// equal ones to the first: growth.Growth settles these once the children are there.
func (s *Judge) heavier() tree.Missing {
	if s.weight >= s.heavy-s.weight {
		return tree.MissingFirst
	}
	return tree.MissingLast
}

// NumericSplit turns the best mark into a split point between two of the ranks that the node has;
// rank gives the i-th of n. Missing values that the node did not have go to the heavier child.
func (s *Judge) NumericSplit(rank func(i int) uint32, n, missingRows int) growth.Split {
	if s.Best.At == NoMark {
		return growth.Split{Feature: -1}
	}
	below := rank(s.Best.At - 1)
	b := growth.Split{Gain: s.Gain, Per: s.Per, Kind: tree.Numeric, Rank: below,
		Next: sorting.MissingRank, Missing: s.Best.Missing}
	if s.Best.At < n {
		b.Next = rank(s.Best.At)
	}
	s.Place(&b, missingRows)
	return b
}
