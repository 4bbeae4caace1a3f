package hist

import (
	"github.com/coppice-ml/coppice/internal/kernel"
)

// scanner finds the splits of a leaf of one output.
type scanner struct {
	columnScan
	program program

	score  leafScore
	fast   bool               // whether the sums are words, and scores those of kernel.SplitPoints
	most   float64            // hessian of a row of the leaf; 0: it was not looked for
	record float64            // no column with a fast score up to this one is better than those before it
	points kernel.SplitPoints // of the leaf

	side   scalarSide
	sets   setScratch
	first  [1]pair   // memory
	gains  []float64 // memory
	words  []int64   // memory
	packed []int64   // words of a column of categories by bin; nil where they are not packed so
}

// program is how a program searches for splits where programs differ; see Conventions.
type program interface {
	// scan makes the best split by the column that is looked at that of the scanner's side. A split
	// that is no better than sofar need not be found.
	scan(s *scanner, sofar *split)
	// alone returns the categories that are split one against the rest, of which it loads the sums,
	// and whether missing values are tried on both sides.
	alone(s *scanner) (categories []int32, bothSides bool)
	// order orders the categories of which sets are made, loads their sums, and returns how many a
	// set may have.
	order(s *scanner) (order []int32, most int)
}

// newScanner returns the finder of a worker.
func newScanner(of columnScan) finder {
	s := &scanner{columnScan: of}
	s.side.leaf = &s.score
	switch of.c.Conventions {
	case XGBoost:
		s.program = xgboost{}
	case XGBoostExact:
		s.program = xgboostExact{}
	case LightGBM:
		s.program = lightGBM{}
	default:
		s.program = own{}
	}
	return s
}

func (s *scanner) begin(l *open) {
	s.leaf, s.most = l, 0
	s.score = scoreOf(l, &s.c, &s.sums[0])
	s.fast = !s.sums[0].double && s.score.plain && !s.c.ExtraRandom
	s.record = 0
	if s.fast {
		total, lowest := s.score.sum.word(), max(s.score.lowest, s.score.enough)
		s.points = kernel.NewSplitPoints(total, s.score.terms.l2, lowest)
	}
	s.beat(max(0, s.score.base)) // what scores no more gains nothing
}

// beat raises the record.
func (s *scanner) beat(score float64) { s.record = max(s.record, score) }

// look makes a column the one that is looked at.
func (s *scanner) look(column int) {
	s.bins, s.side.column = &s.tables.m.Columns[column], column
}

// prepare makes room for the sums of the column. Those of categories may be read in part; see
// heavy.
func (s *scanner) prepare() {
	n, h := s.bins.Bins(), s.leaf.hist
	s.side.sign = s.c.sign(s.side.column)
	s.side.g, s.side.h, s.side.counts = resize(s.side.g, n), resize(s.side.h, n), nil
	s.packed = nil
	if s.bins.Nominal() && s.bins.Default < 0 && h.packed != nil {
		at := int(h.at(&s.tables.lay, s.bins)) + int(s.bins.First)
		s.packed = h.packed[at:][:n]
	}
}

// load prepares, and reads all sums of the column.
func (s *scanner) load() {
	s.prepare()
	s.read()
}

func (s *scanner) read() {
	h := s.leaf.hist
	h.column(s.bins, 0, h.at(&s.tables.lay, s.bins), s.score.sum, s.side.g, s.side.h)
}

func (s *scanner) scan(column int, sofar *split) *split {
	s.look(column)
	s.program.scan(s, sofar)
	return &s.side.best
}

func (s *scanner) sumsOfFirst(l *open) []pair {
	s.first[0] = l.split.first
	return s.first[:]
}

func (s *scanner) readsHistogram() bool { return false }

// eachSplitPoint calls f for every split by the column that is looked at and that the leaf allows.
func (s *scanner) eachSplitPoint(f func(found *split)) {
	s.load()
	if s.c.MinLeaf > 1 {
		s.side.counts = s.count(s.side.column)
	}
	eachSplitPoint(&s.side, s.bins, s.c.orderOf(s.side.column, s.bins), func(found *split) {
		found.gain *= s.score.scale
		if s.c.Cosine {
			found.norm = s.score.norm(found.first)
		}
		s.c.weigh(found)
		f(found)
	})
}

// own is the way of the package itself.
type own struct{}

func (own) scan(s *scanner, sofar *split) {
	found := &s.side.best
	if s.hasPoints() {
		score := s.scanWords()
		if !found.better(sofar) {
			return
		}
		if !s.doubtful(found) {
			if s.c.ColumnWeight == nil {
				s.beat(score)
			}
			return
		}
		s.scanCounted()
		s.raise(sofar)
		return
	}
	if s.prepare(); s.packed == nil {
		s.read()
	}
	s.scanSums()
	grouped := s.bins.Nominal() && s.c.MinGroup > 1
	if !found.better(sofar) || !s.doubtful(found) && !grouped {
		return
	}
	s.side.counts = s.count(s.side.column)
	s.scanSums()
	s.raise(sofar)
}

// raise makes a split whose rows were counted the record, if it is better than another one.
func (s *scanner) raise(sofar *split) {
	found := &s.side.best
	if s.fast && s.c.ColumnWeight == nil && found.better(sofar) {
		s.beat((found.gain/s.score.scale + s.score.base) * (1 - 1e-9))
	}
}

// doubtful reports whether a child of the split may have fewer rows than MinLeaf.
func (s *scanner) doubtful(found *split) bool {
	return s.c.doubtful(min(found.first.h, s.score.sum.h-found.first.h), s.sums[0].most)
}

// scanSums finds the best split by the column, whose sums are loaded.
func (s *scanner) scanSums() {
	s.side.best = none()
	if s.bins.Nominal() {
		s.scanNominal()
	} else {
		s.scanOrdered(&s.side, s.side.column, s.side.h, s.sums[0].floor(), s.score.sum.h)
	}
	s.finish()
}

// finish turns the gain of the best split into the caller's units.
func (s *scanner) finish() { s.judge(&s.side.best, s.score.base, s.score.scale) }
