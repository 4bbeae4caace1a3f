package exact

import (
	"math"

	"github.com/coppice-ml/coppice/grow/criterion"
	"github.com/coppice-ml/coppice/grow/exact/internal/sorting"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/tree"
)

// batchSize is the number of candidate splits that a criterion judges in one call.
const batchSize = 64

// scanner is the working memory of one worker.
type scanner struct {
	sorting.Buffer
	t      *task
	worker int // its number in the team
	crit   criterion.Criterion
	// statistics of the rows that splits are judged on: all, or those with a value unless the rule
	// is Learned
	total  []float64
	own    []float64 // memory for total where it is not the node's
	rows   int       // their number, with multiplicity
	heavy  float64   // their weight
	parent float64   // their impurity, in the terms of crit
	tie    float64

	left, right []float64 // batchSize x width: statistics of candidates
	il, ir      []float64
	divisor     []float64 // of the candidates' gains, see criterion.Ratio; 0 means 1
	mark        []mark
	n           int
	best        mark
	gain, per   float64 // of the best candidate: gain and divisor
	weight      float64 // of its first side

	classes               []uint32  // whose statistics are kept; nil = all
	byClass               []float64 // sum
	prefix, missing, both []float64 // width
	zero                  []float64 // width, always zero
	stale                 bool      // missing is not zero
	marks                 []uint64  // a set of places; empty between nodes
	ranks                 []uint32  // scanTable: the ranks that the node has
	groups                groups
	draws                 rng.Stream // merge

	column  criterion.Column  // search
	cuts    [2]criterion.Best // search
	running criterion.Running // nil but for Values
	lineup  lineup            // judgeLineup
	tried   []trial           // what was judged, if it is not nil: Candidates
}

// mark names a candidate: a boundary or a subset, and where missing values go.
type mark struct {
	at      int
	missing tree.Missing
}

// noMark is the best candidate where there is none.
const noMark = -1

func newScanner(t *task) *scanner {
	w := t.width
	s := &scanner{t: t, crit: t.criterion,
		left: make([]float64, batchSize*w), right: make([]float64, batchSize*w),
		il: make([]float64, batchSize), ir: make([]float64, batchSize), divisor: make([]float64, batchSize),
		mark: make([]mark, batchSize),
		own:  make([]float64, w), zero: make([]float64, w), prefix: make([]float64, w), missing: make([]float64, w), both: make([]float64, w),
		byClass: make([]float64, w)}
	if t.values != nil {
		s.running = t.row.Running()
	}
	return s
}

// begin turns the scanner to a column of a node in which missingRows rows, whose statistics are in
// s.missing, have no value. It returns the number of missing rows that splits must place.
func (s *scanner) begin(nd *node, missingRows int) int {
	s.n, s.best, s.gain, s.per = 0, mark{at: noMark}, math.Inf(-1), 0
	s.total, s.rows, s.heavy, s.parent = s.kept(nd), nd.rows, nd.weight, nd.impurity
	reduced := missingRows > 0 && s.t.rule != Learned
	if reduced {
		s.rows, missingRows = nd.rows-missingRows, 0
		copy(s.own, s.total)
		s.total = s.own
		for i, v := range s.missing {
			s.total[i] -= v
		}
		s.heavy = s.t.weightOf(s.total)
	}
	s.tie = float64(relativeTie * nd.impurity)
	if s.crit != nil && (reduced || s.t.pop.Class == nil) {
		var total [1]float64
		s.crit.Impurity(total[:], s.total, s.total)
		s.parent = total[0]
	}
	return missingRows
}

// forget makes s.missing zero. Whoever writes to it sets stale, so that columns without missing
// values pay nothing.
func (s *scanner) forget() {
	if s.stale {
		clear(s.missing)
		s.stale = false
	}
}

// offer adds the split that sends rows with the given statistics first, unless it leaves a child
// too small.
func (s *scanner) offer(first []float64, rows int, m mark) {
	least := s.t.minLeaf
	if rows < least || s.rows-rows < least {
		return
	}
	if s.t.rowWeight > 0 && !s.weighty(s.t.weightOf(first)) {
		return
	}
	w := len(s.total)
	l, r := s.left[s.n*w:(s.n+1)*w], s.right[s.n*w:(s.n+1)*w]
	for i, v := range first {
		l[i] = v
		r[i] = s.total[i] - v
	}
	s.mark[s.n] = m
	if s.n++; s.n == batchSize {
		s.judge()
	}
}

// weighty reports whether MinLeaf rows fit into both sides of a split whose first has the given
// weight.
func (s *scanner) weighty(first float64) bool {
	least := s.t.leastWeight(s.t.minLeaf)
	return first >= least && s.heavy-first >= least
}

// offerBoth adds a split with missing values on either side, where the node has any.
func (s *scanner) offerBoth(first []float64, rows, missingRows, at int) {
	if missingRows == 0 {
		s.offer(first, rows, mark{at, tree.MissingLast})
		return
	}
	for i, v := range first {
		s.both[i] = v + s.missing[i]
	}
	s.offer(s.both, rows+missingRows, mark{at, tree.MissingFirst})
	s.offer(first, rows, mark{at, tree.MissingLast})
}

// judge computes the gains of the batch. The first of equal candidates stays.
func (s *scanner) judge() {
	n, w := s.n, len(s.total)
	s.crit.Impurity(s.il[:n], s.left[:n*w], s.total)
	s.crit.Impurity(s.ir[:n], s.right[:n*w], s.total)
	if s.t.ratio != nil {
		for i := range n {
			s.divisor[i] = s.t.weightOf(s.left[i*w : (i+1)*w])
		}
		s.t.ratio.SplitInfo(s.divisor[:n], s.heavy)
	}
	for i := range n {
		gain := s.parent - (s.il[i] + s.ir[i])
		if s.better(gain, s.divisor[i]) {
			s.take(gain, s.divisor[i], s.t.weightOf(s.left[i*w:(i+1)*w]), s.mark[i])
		}
		if s.tried != nil && gain > math.Inf(-1) {
			s.tried = append(s.tried, trial{s.mark[i], gain})
		}
	}
	s.n = 0
}

// better reports whether gain / per beats the best candidate by more than the tie.
func (s *scanner) better(gain, per float64) bool { return gain > compared(s.gain, s.per, per)+s.tie }

// take makes a candidate the best.
func (s *scanner) take(gain, per, weight float64, m mark) {
	s.gain, s.per, s.weight, s.best = gain, per, weight, m
}

// scanOrder walks the known values in ascending order and offers a cut wherever the value changes.
// The split's column and cut are for the caller to fill in.
//
//	rank    0 0 0 | 2 2 | 5 | - - -
//	              ^     ^   ^ known against missing
func (s *scanner) scanOrder(nd *node, order []entry) split {
	t := s.t
	last := order[len(order)-1].Key >> t.shift
	if order[0].Key>>t.shift == last {
		return split{feature: -1, constant: true}
	}
	scans := (t.scan != nil || t.weighed != nil) && nd.part == nil
	s.forget()
	if scans && nd.classes != nil {
		s.keep(nd)
		defer s.keepAll()
	}
	known, missingRows := order, 0
	if last == t.missing {
		var unknown []entry
		known, unknown = t.sortedKnown(order)
		s.stale = true
		missingRows = s.sum(s.missing, unknown, nd.origin)
	}
	missingRows = s.begin(nd, missingRows)
	switch {
	case t.values != nil:
		s.walkValues(nd, known, order[len(known):], missingRows)
	case scans:
		s.search(nd, known, missingRows)
	default:
		s.walk(nd, known, missingRows)
	}
	b := s.cutSplit(func(i int) uint32 { return known[i].Key >> t.shift }, len(known), missingRows)
	if b.found() {
		b.low, b.high = known[s.best.at-1].Pos, known[min(s.best.at, len(known)-1)].Pos
	}
	return b
}

// search lets the criterion find the best cut, once with the missing values on each side, and
// offers what it found in the order of the plain walk.
func (s *scanner) search(nd *node, known []entry, missingRows int) {
	// in the scanner, because what a call through an interface takes would be allocated anew each
	// time
	c := &s.column
	*c = criterion.Column{Known: known, Shift: s.t.shift, Total: s.total, Node: s.rows, MinLeaf: s.t.minLeaf,
		Y: s.t.pop.Y, Count: s.t.pop.Count, Weight: s.t.signed, Origin: nd.origin, Tie: s.tie, Start: s.zero, Classes: s.classes, Whole: missingRows == 0}
	without, with := &s.cuts[0], &s.cuts[1]
	s.t.scanColumn(c, without)
	with.At = 0
	if missingRows > 0 {
		c.Start, c.Rows, c.Whole = s.missing, missingRows, true
		s.t.scanColumn(c, with)
	}
	offerLast := func() {
		if without.At > 0 {
			s.offer(without.First, without.Rows, mark{without.At, tree.MissingLast})
		}
	}
	if without.At < with.At {
		offerLast()
	}
	if with.At > 0 {
		s.offer(with.First, with.Rows, mark{with.At, tree.MissingFirst})
	}
	if without.At >= with.At {
		offerLast()
	}
	if missingRows > 0 {
		clear(s.prefix)
		rows := s.sum(s.prefix, known, nd.origin)
		s.offer(s.prefix, rows, mark{len(known), tree.MissingLast})
	}
	s.judge()
}

// walk is the plain twin of search, for any criterion and weights: it offers every cut.
func (s *scanner) walk(nd *node, known []entry, missingRows int) {
	prefix, rows := s.prefix, 0
	clear(prefix)
	previous := known[0].Key >> s.t.shift
	for i, e := range known {
		if rank := e.Key >> s.t.shift; rank != previous {
			s.offerBoth(prefix, rows, missingRows, i)
			previous = rank
		}
		rows += s.t.add(prefix, e.Pos, nd.origin)
	}
	if missingRows > 0 {
		s.offer(prefix, rows, mark{len(known), tree.MissingLast})
	}
	s.judge()
}

// place says where missing values go that the split did not have to place, and how the others are
// shared.
func (s *scanner) place(b *split, missingRows int) {
	switch {
	case s.t.rule != Learned:
		share := min(1, s.weight/s.heavy)
		b.shares = []float64{share, 1 - share}
		b.missing = s.t.rule.node()
	case missingRows == 0:
		b.missing = s.heavier()
	}
}

// heavier returns the rule that sends missing values to the heavier child of the best split, of
// equal ones to the first.
func (s *scanner) heavier() tree.Missing {
	if s.weight >= s.heavy-s.weight {
		return tree.MissingFirst
	}
	return tree.MissingLast
}
