package scan

import (
	"math"

	"github.com/coppice-ml/coppice/grow/criterion"
	"github.com/coppice-ml/coppice/grow/exact/internal/growth"
	"github.com/coppice-ml/coppice/grow/exact/internal/sorting"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/tree"
)

// batchSize is the number of candidate splits that a criterion judges in one call.
const batchSize = 64

// Scanner is the working memory of one worker.
type Scanner struct {
	sorting.Buffer
	Task   *Task
	Worker int // its number in the team
	crit   criterion.Criterion
	// statistics of the rows that splits are judged on: all, or those with a value unless the rule
	// is Learned
	Total  []float64
	Own    []float64 // memory for total where it is not the node's
	Rows   int       // their number, with multiplicity
	heavy  float64   // their weight
	parent float64   // their impurity, in the terms of crit
	Tie    float64

	left, right []float64 // batchSize x width: statistics of candidates
	il, ir      []float64
	divisor     []float64 // of the candidates' gains, see criterion.Ratio; 0 means 1
	mark        []Mark
	n           int
	Best        Mark
	Gain, Per   float64 // of the best candidate: gain and divisor
	weight      float64 // of its first side

	classes               []uint32  // whose statistics are kept; nil = all
	byClass               []float64 // sum
	Prefix, Missing, Both []float64 // width
	zero                  []float64 // width, always zero
	Stale                 bool      // missing is not zero
	marks                 []uint64  // a set of places; empty between nodes
	ranks                 []uint32  // scanTable: the ranks that the node has
	Groups                groups
	draws                 rng.Stream // merge

	Column  criterion.Column  // search
	Cuts    [2]criterion.Best // search
	running criterion.Running // nil but for Values
	Lineup  lineup            // judgeLineup
	tried   []trial           // what was judged, if it is not nil: Candidates
}

// Mark names a candidate: a boundary or a subset, and where missing values go.
type Mark struct {
	At      int
	Missing tree.Missing
}

// NoMark is the best candidate where there is none.
const NoMark = -1

func NewScanner(t *Task) *Scanner {
	w := t.Width
	s := &Scanner{Task: t, crit: t.Criterion,
		left: make([]float64, batchSize*w), right: make([]float64, batchSize*w),
		il: make([]float64, batchSize), ir: make([]float64, batchSize), divisor: make([]float64, batchSize),
		mark: make([]Mark, batchSize),
		Own:  make([]float64, w), zero: make([]float64, w), Prefix: make([]float64, w), Missing: make([]float64, w), Both: make([]float64, w),
		byClass: make([]float64, w)}
	if t.Values != nil {
		s.running = t.Definition.Running()
	}
	return s
}

// Begin turns the scanner to a column of a node in which missingRows rows, whose statistics are in
// s.missing, have no value. It returns the number of missing rows that splits must place.
func (s *Scanner) Begin(nd *growth.Node, missingRows int) int {
	s.n, s.Best, s.Gain, s.Per = 0, Mark{At: NoMark}, math.Inf(-1), 0
	s.Total, s.Rows, s.heavy, s.parent = s.kept(nd), nd.Count, nd.Weight, nd.Impurity
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

// Forget makes s.missing zero. Whoever writes to it sets stale, so that columns without missing
// values pay nothing.
func (s *Scanner) Forget() {
	if s.Stale {
		clear(s.Missing)
		s.Stale = false
	}
}

// Offer adds the split that sends rows with the given statistics first, unless it leaves a child
// too small.
func (s *Scanner) Offer(first []float64, rows int, m Mark) {
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
		s.Judge()
	}
}

// weighty reports whether MinLeaf rows fit into both sides of a split whose first has the given
// weight.
func (s *Scanner) weighty(first float64) bool {
	least := s.Task.LeastWeight(s.Task.MinLeaf)
	return first >= least && s.heavy-first >= least
}

// OfferBoth adds a split with missing values on either side, where the node has any.
func (s *Scanner) OfferBoth(first []float64, rows, missingRows, at int) {
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

// Judge computes the gains of the batch. The first of equal candidates stays.
func (s *Scanner) Judge() {
	n, w := s.n, len(s.Total)
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

// better reports whether gain / per beats the best candidate by more than the tie.
func (s *Scanner) better(gain, per float64) bool {
	return gain > growth.Compared(s.Gain, s.Per, per)+s.Tie
}

// take makes a candidate the best.
func (s *Scanner) take(gain, per, weight float64, m Mark) {
	s.Gain, s.Per, s.weight, s.Best = gain, per, weight, m
}

// ScanOrder walks the known values in ascending order and offers a cut wherever the value changes.
// The split's column and cut are for the caller to fill in.
//
//	rank    0 0 0 | 2 2 | 5 | - - -
//	              ^     ^   ^ known against missing
func (s *Scanner) ScanOrder(nd *growth.Node, order []sorting.Entry) growth.Split {
	t := s.Task
	last := order[len(order)-1].Key >> t.Shift
	if order[0].Key>>t.Shift == last {
		return growth.Split{Feature: -1, Constant: true}
	}
	scans := (t.Scanner != nil || t.Weighed != nil) && nd.Part == nil
	s.Forget()
	if scans && nd.Classes != nil {
		s.keep(nd)
		defer s.keepAll()
	}
	known, missingRows := order, 0
	if last == t.MissingRank {
		var unknown []sorting.Entry
		known, unknown = t.SortedKnown(order)
		s.Stale = true
		missingRows = s.sum(s.Missing, unknown, nd.Origin)
	}
	missingRows = s.Begin(nd, missingRows)
	switch {
	case t.Values != nil:
		s.walkValues(nd, known, order[len(known):], missingRows)
	case scans:
		s.search(nd, known, missingRows)
	default:
		s.walk(nd, known, missingRows)
	}
	b := s.CutSplit(func(i int) uint32 { return known[i].Key >> t.Shift }, len(known), missingRows)
	if b.Found() {
		b.Low, b.High = known[s.Best.At-1].Pos, known[min(s.Best.At, len(known)-1)].Pos
	}
	return b
}

// search lets the criterion find the best cut, once with the missing values on each side, and
// offers what it found in the order of the plain walk.
func (s *Scanner) search(nd *growth.Node, known []sorting.Entry, missingRows int) {
	// in the scanner, because what a call through an interface takes would be allocated anew each
	// time
	c := &s.Column
	*c = criterion.Column{Known: known, Shift: s.Task.Shift, Total: s.Total, Node: s.Rows, MinLeaf: s.Task.MinLeaf,
		Y: s.Task.Pop.Y, Count: s.Task.Pop.Count, Weight: s.Task.Signed, Origin: nd.Origin, Tie: s.Tie, Start: s.zero, Classes: s.classes, Whole: missingRows == 0}
	without, with := &s.Cuts[0], &s.Cuts[1]
	s.Task.scanColumn(c, without)
	with.At = 0
	if missingRows > 0 {
		c.Start, c.Rows, c.Whole = s.Missing, missingRows, true
		s.Task.scanColumn(c, with)
	}
	offerLast := func() {
		if without.At > 0 {
			s.Offer(without.First, without.Rows, Mark{without.At, tree.MissingLast})
		}
	}
	if without.At < with.At {
		offerLast()
	}
	if with.At > 0 {
		s.Offer(with.First, with.Rows, Mark{with.At, tree.MissingFirst})
	}
	if without.At >= with.At {
		offerLast()
	}
	if missingRows > 0 {
		clear(s.Prefix)
		rows := s.sum(s.Prefix, known, nd.Origin)
		s.Offer(s.Prefix, rows, Mark{len(known), tree.MissingLast})
	}
	s.Judge()
}

// walk is the plain twin of search, for any criterion and weights: it offers every cut.
func (s *Scanner) walk(nd *growth.Node, known []sorting.Entry, missingRows int) {
	prefix, rows := s.Prefix, 0
	clear(prefix)
	previous := known[0].Key >> s.Task.Shift
	for i, e := range known {
		if rank := e.Key >> s.Task.Shift; rank != previous {
			s.OfferBoth(prefix, rows, missingRows, i)
			previous = rank
		}
		rows += s.Task.Add(prefix, e.Pos, nd.Origin)
	}
	if missingRows > 0 {
		s.Offer(prefix, rows, Mark{len(known), tree.MissingLast})
	}
	s.Judge()
}

// Place says where missing values go that the split did not have to place, and how the others are
// shared.
func (s *Scanner) Place(b *growth.Split, missingRows int) {
	switch {
	case s.Task.Rule != growth.Learned:
		share := min(1, s.weight/s.heavy)
		b.Shares = []float64{share, 1 - share}
		b.Missing = s.Task.Rule.Node()
	case missingRows == 0:
		b.Missing = s.heavier()
	}
}

// heavier returns the rule that sends missing values to the heavier child of the best split, of
// equal ones to the first.
func (s *Scanner) heavier() tree.Missing {
	if s.weight >= s.heavy-s.weight {
		return tree.MissingFirst
	}
	return tree.MissingLast
}
