package exact

// chooser compares the best splits of a node's columns.
type chooser struct {
	team
	task   *task
	scan   func(s *scanner, nd *node, column int) split
	accept func(nd *node, b *split) bool // nil: every split may be made
	// looks at large nodes first; nil = they are scanned as all others
	large   largeNodes
	sampler *sampler // nil: nodes look at all columns
	// rows above which a node draws further columns where none has a split
	redraw int
	found  []split
}

// largeNodes is a way to look at large nodes without sorting their rows.
type largeNodes interface {
	// find enters the best splits of some columns of a node into found. Columns that have none as
	// good as the best may have none there. It reports false if it cannot tell.
	find(nd *node, columns []int32, found []split) bool
}

// best returns the best split of a node: of larger gain, then of the lower column. With a sampler,
// columns are looked at in a random order, which decides between equal gains.
func (c *chooser) best(nd *node) split {
	if c.task.values != nil {
		c.task.loadValues(nd)
	}
	if c.sampler != nil {
		return c.bestSampled(nd)
	}
	c.each(len(c.found), len(nd.list), func(s *scanner, i int) {
		c.found[i] = split{feature: -1}
		if !nd.isConstant(i) {
			c.found[i] = c.scan(s, nd, i)
		}
	})
	if c.task.rule == Learned {
		nd.noteConstants(c.found)
	}
	return c.bestOf(nd, c.found)
}

// bestSampled looks at mtry columns and, where the node has more rows than redraw, at further ones
// until one has a split.
func (c *chooser) bestSampled(nd *node) split {
	f := c.sampler
	first := f.start(nd.key)
	if c.large == nil || !c.large.find(nd, first, c.found) {
		c.each(f.mtry, len(nd.list), func(s *scanner, i int) { c.found[i] = c.scan(s, nd, int(first[i])) })
	}
	best := c.bestOf(nd, c.found[:f.mtry])
	for !best.found() && len(nd.list) > c.redraw && f.more() {
		c.found[0] = c.scan(c.team[0], nd, int(f.next()))
		best = c.bestOf(nd, c.found[:1])
	}
	f.end()
	return best
}

// bestOf returns the best of the splits that may be made.
func (c *chooser) bestOf(nd *node, found []split) split {
	best := split{feature: -1}
	for i := range found {
		if f := &found[i]; f.found() && (!best.found() || f.beats(&best, float64(relativeTie*nd.impurity))) && (c.accept == nil || c.accept(nd, f)) {
			best = *f
		}
	}
	return best
}
