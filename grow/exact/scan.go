package exact

import (
	"math"
	"sort"

	"github.com/coppice-ml/coppice/grow/criterion"
	"github.com/coppice-ml/coppice/tree"
)

// batchSize is the number of candidate splits that a criterion judges in one call.
const batchSize = 64

// relativeTie is the share of a node's impurity below which two gains are one: sums of the same rows in the order
// of two columns differ by rounding, and the tie must go to the lower column and cut all the same.
const relativeTie = 1e-12

// split is the best split found so far of one node.
type split struct {
	gain    float64
	feature int32
	kind    tree.Kind
	cut     float64
	rank    uint32 // Cut: rows of at most this rank go first
	set     []uint64
	missing tree.Missing
}

// found reports whether there is a split at all.
func (s *split) found() bool { return s.feature >= 0 }

// scanner is the working memory of one worker.
type scanner struct {
	g      *grower
	node   *node
	crit   criterion.Criterion
	parent float64 // impurity of the node, in the terms of crit
	tie    float64

	left, right []float64 // batchSize x width: statistics of candidates
	il, ir      []float64
	mark        []mark
	n           int
	best        mark
	gain        float64
	weight      float64 // of the best candidate's first side

	prefix, missing, both []float64 // width
	spare                 []entry   // partitionOrder
	groups                groups

	cuts [2]criterion.Best // search
}

// mark names a candidate: a boundary or a subset, and where missing values go.
type mark struct {
	at      int
	missing tree.Missing
}

// noMark is the best candidate where there is none.
const noMark = -1

func newScanner(g *grower) *scanner {
	w := g.width
	return &scanner{g: g, crit: g.criterion,
		left: make([]float64, batchSize*w), right: make([]float64, batchSize*w),
		il: make([]float64, batchSize), ir: make([]float64, batchSize), mark: make([]mark, batchSize),
		prefix: make([]float64, w), missing: make([]float64, w), both: make([]float64, w)}
}

// begin turns the scanner to a column of a node.
func (s *scanner) begin(nd *node) {
	s.node, s.n = nd, 0
	s.best, s.gain = mark{at: noMark}, math.Inf(-1)
	var total [1]float64
	s.crit.Impurity(total[:], nd.stats)
	s.parent = total[0]
	s.tie = relativeTie * nd.impurity
	clear(s.prefix)
	clear(s.missing)
}

// offer adds the split that sends rows with the given statistics first, unless it leaves a child too small.
func (s *scanner) offer(first []float64, rows int, m mark) {
	least := s.g.limits.MinLeaf
	if rows < least || s.node.rows-rows < least {
		return
	}
	w := s.g.width
	l, r := s.left[s.n*w:(s.n+1)*w], s.right[s.n*w:(s.n+1)*w]
	for i, v := range first {
		l[i] = v
		r[i] = s.node.stats[i] - v
	}
	s.mark[s.n] = m
	if s.n++; s.n == batchSize {
		s.judge()
	}
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
	n, w := s.n, s.g.width
	s.crit.Impurity(s.il[:n], s.left[:n*w])
	s.crit.Impurity(s.ir[:n], s.right[:n*w])
	for i := range n {
		if gain := s.parent - (s.il[i] + s.ir[i]); gain > s.gain+s.tie {
			s.gain, s.best = gain, s.mark[i]
			s.weight = s.g.weightOf(s.left[i*w : (i+1)*w])
		}
	}
	s.n = 0
}

// scan returns the best split of a node by one column.
func (s *scanner) scan(nd *node, feature int) split {
	c := &s.g.columns[feature]
	if c.order == nil {
		return s.scanCategories(nd, feature)
	}
	return s.scanNumeric(nd, feature, c.order[nd.lo:nd.hi])
}

// scanNumeric walks the known values in ascending order and offers a cut wherever the value changes:
//
//	rank    0 0 0 | 2 2 | 5 | - - -
//	              ^     ^   ^ known against missing
func (s *scanner) scanNumeric(nd *node, feature int, order []entry) split {
	g := s.g
	last := order[len(order)-1].Key >> g.shift
	if order[0].Key>>g.shift == last {
		return split{feature: -1}
	}
	s.begin(nd)
	known, missingRows := order, 0
	if last == g.missing {
		k := sort.Search(len(order), func(i int) bool { return order[i].Key>>g.shift == g.missing })
		known = order[:k]
		missingRows = g.sum(s.missing, order[k:], nd.mean)
	}
	if g.scan != nil {
		s.search(nd, known, missingRows)
	} else {
		s.walk(nd, known, missingRows)
	}
	return s.numericSplit(feature, known, missingRows)
}

// search lets the criterion find the best cut, once with the missing values on each side, and offers what it found in
// the order of the plain walk.
func (s *scanner) search(nd *node, known []entry, missingRows int) {
	c := criterion.Column{Known: known, Shift: s.g.shift, Total: nd.stats, Node: nd.rows, MinLeaf: s.g.limits.MinLeaf,
		Y: s.g.pop.Y, Mean: nd.mean, Tie: s.tie, Start: s.prefix}
	without, with := &s.cuts[0], &s.cuts[1]
	s.g.scan.Scan(&c, without)
	with.At = 0
	if missingRows > 0 {
		c.Start, c.Rows = s.missing, missingRows
		s.g.scan.Scan(&c, with)
	}
	offerLast := func() {
		if without.At > 0 {
			s.offer(without.First, without.At, mark{without.At, tree.MissingLast})
		}
	}
	if without.At < with.At {
		offerLast()
	}
	if with.At > 0 {
		s.offer(with.First, missingRows+with.At, mark{with.At, tree.MissingFirst})
	}
	if without.At >= with.At {
		offerLast()
	}
	if missingRows > 0 {
		s.g.sum(s.prefix, known, nd.mean)
		s.offer(s.prefix, len(known), mark{len(known), tree.MissingLast})
	}
	s.judge()
}

// walk is the plain twin of search, for any criterion and weights: it offers every cut.
func (s *scanner) walk(nd *node, known []entry, missingRows int) {
	prefix, rows := s.prefix, 0
	previous := known[0].Key >> s.g.shift
	for i, e := range known {
		if rank := e.Key >> s.g.shift; rank != previous {
			s.offerBoth(prefix, rows, missingRows, i)
			previous = rank
		}
		rows += s.g.add(prefix, e.Pos, nd.mean)
	}
	if missingRows > 0 {
		s.offer(prefix, rows, mark{len(known), tree.MissingLast})
	}
	s.judge()
}

// numericSplit turns the best mark into a cut. Missing values that the node did not see go to the heavier child.
func (s *scanner) numericSplit(feature int, known []entry, missingRows int) split {
	if s.best.at == noMark {
		return split{feature: -1}
	}
	values := s.g.prepared.columns[feature].values
	shift := s.g.shift
	below := known[s.best.at-1].Key >> shift
	b := split{gain: s.gain, feature: int32(feature), kind: tree.Cut, rank: below, missing: s.best.missing}
	if s.best.at == len(known) {
		b.cut = math.Inf(1)
	} else {
		b.cut = cutBetween(values[below], values[known[s.best.at].Key>>shift])
	}
	if missingRows == 0 {
		b.missing = s.g.heavier(s.node, s.weight)
	}
	return b
}
