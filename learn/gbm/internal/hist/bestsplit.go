package hist

// searcher finds the best split of a leaf by all columns that may split it.
type searcher struct {
	*inputs
	hist    *builder
	columns featureSampler
	counter *rowCounter
	seekers []*seeker // by worker
	own     []bool    // by column of the matrix: whether this rank looks at it; nil: at all
}

// seeker is what a worker finds splits with.
type seeker struct {
	finder
	looking *open // the leaf that it looks at with others
	best    split // the best one that it found of that leaf
}

// finder finds splits of a leaf by one column after the other. Each worker has its own.
type finder interface {
	// begin prepares for a leaf, which has a histogram.
	begin(l *open)
	// scan returns the best split by a column, in memory that the next scan uses again. A split
	// that is no better than sofar need not be found.
	scan(column int, sofar *split) *split
	// addPoints adds what the splits of the leaf by a column score that are allowed, as a level of
	// a symmetric tree is split: between bins in their order, one category against the rest, or in
	// Order. The bin of a split is its place among these.
	addPoints(column int, to *pointScores)
	// splitAt returns the one of them at a place, none where the leaf does not allow it.
	splitAt(column, bin int, missing bool) split
	// sumsOfFirst returns the sums of the first child of a leaf that has a split, by output.
	sumsOfFirst(l *open) []pair
	// readsHistogram reports whether sumsOfFirst requires the histogram of the leaf.
	readsHistogram() bool
}

// newSearcher makes a searcher. find makes the finder of a worker.
func newSearcher(hist *builder, find func(columnScan) finder) *searcher {
	in := hist.inputs
	s := &searcher{inputs: in, hist: hist, counter: &rowCounter{inputs: in, rows: hist.rows},
		columns: featureSampler{c: &in.c,
			inherit: in.c.Conventions == LightGBM && in.c.Policy != Symmetric}}
	scan := columnScan{inputs: in, least: in.c.leastGain(), counter: s.counter}
	for range in.team {
		s.seekers = append(s.seekers, &seeker{finder: find(scan)})
	}
	return s
}

// columnsOf returns the columns that may split a leaf, ascending, of those that this rank has.
func (s *searcher) columnsOf(l *open) []int32 {
	columns := s.columns.ofLeaf(l)
	if s.own == nil || l.moved.rows != nil {
		return columns
	}
	var own []int32
	for _, c := range columns {
		if s.own[c] {
			own = append(own, c)
		}
	}
	return own
}

// splits reports whether a column may split a leaf: false if too few of its rows are away from the
// column's most frequent bin.
func (s *searcher) splits(l *open, column int32) bool {
	c := &s.tables.m.Columns[column]
	if !c.Listed || len(l.hist.away) == 0 {
		return true
	}
	return l.hist.away[s.tables.lay.listed.number[c.Group]] >= s.hist.leastAway
}

// search finds the best split of a leaf on one worker. Where there is none its histogram is free
// for others.
func (s *searcher) search(l *open, w *worker) {
	s.find(l, w)
	s.settle(l)
}

// find is search that keeps the histogram. A leaf whose rows have moved has a histogram while it is
// searched only, by the rank that has them: all ranks must have the same memory for histograms.
func (s *searcher) find(l *open, w *worker) {
	l.split, l.able = none(), l.able[:0]
	if !s.c.mayBeSplit(l) || l.moved.isAway(s.ranks.group.Rank()) {
		return
	}
	if l.moved.rows != nil {
		s.hist.fillMoved(l)
		defer s.hist.release(l)
	}
	by := s.seekers[w.number]
	by.begin(l)
	for _, c := range s.columnsOf(l) {
		if s.splits(l, c) {
			s.take(l, by.scan(int(c), &l.split))
		}
	}
}

// take takes a split that was found by a column if it is better than those before it.
func (s *searcher) take(l *open, found *split) {
	if s.columns.inherit && found.column >= 0 {
		l.able = append(l.able, int32(found.column))
	}
	if found.better(&l.split) {
		l.split = *found
	}
}

// searchTogether is search on all workers, each looking at some columns.
func (s *searcher) searchTogether(l *open) {
	if l.hist != nil && l.hist.few() || s.ranks.several() {
		s.search(l, s.team[0])
		return
	}
	s.findTogether(l)
	s.settle(l)
}

// findTogether is searchTogether that keeps the histogram.
func (s *searcher) findTogether(l *open) {
	if l.moved.rows != nil {
		s.find(l, s.team[0])
		return
	}
	l.split, l.able = none(), l.able[:0]
	if !s.c.mayBeSplit(l) {
		return
	}
	columns := s.columnsOf(l)
	able := make([]bool, len(columns))
	for _, by := range s.seekers {
		by.looking, by.best = nil, none()
	}
	each := columnsEach(len(columns))
	s.team.each((len(columns)+each-1)/each, func(i int, w *worker) {
		s.look(l, columns, able, i*each, min(len(columns), (i+1)*each), w)
	})
	for _, by := range s.seekers {
		if by.best.better(&l.split) {
			l.split = by.best
		}
	}
	s.inherit(l, columns, able)
}

// findAll is find for leaves: on a worker each where they are many, else on all workers.
func (s *searcher) findAll(leaves []*open) {
	s.team.eachOrTogether(len(leaves), func(i int, w *worker) { s.find(leaves[i], w) },
		func(i int) { s.findTogether(leaves[i]) })
}

// columnsEach returns how many columns a worker looks at before it takes others.
func columnsEach(columns int) int { return 1 + min(columns/256, 63) }

// look makes the best split by the columns from ... to-1 of some that of a worker, unless it has a
// better one of the leaf. It reports by place which of them are able to split the leaf.
func (s *searcher) look(l *open, columns []int32, able []bool, from, to int, w *worker) {
	by := s.seekers[w.number]
	if by.looking != l {
		by.begin(l)
		by.looking = l
	}
	for k, c := range columns[from:to] {
		if !s.splits(l, c) {
			continue
		}
		found := by.scan(int(c), &by.best)
		able[from+k] = found.column >= 0
		if found.better(&by.best) {
			by.best = *found
		}
	}
}

// inherit notes which of the columns that were looked at may split the leaves below a leaf.
func (s *searcher) inherit(l *open, columns []int32, able []bool) {
	if !s.columns.inherit {
		return
	}
	for k, is := range able {
		if is {
			l.able = append(l.able, columns[k])
		}
	}
}

// settle frees the histogram of a leaf that is not split, or for which memory is short until it is.
func (s *searcher) settle(l *open) {
	if l.split.column < 0 || s.hist.pool.crowded() {
		s.hist.release(l)
	}
}
