package scan

import "github.com/coppice-ml/coppice/learn/internal/exact/internal/growth"

// Chooser compares the best splits of a node's columns.
type Chooser struct {
	Team
	Task   *Task
	Scan   func(s *Scanner, nd *growth.Node, column int) growth.Split
	Accept func(nd *growth.Node, b *growth.Split) bool // nil: every split may be made
	// scans large nodes first; nil = they are scanned as all others
	Large   LargeNodes
	Sampler *Sampler // nil: nodes scan all columns
	// rows above which a node samples further columns where none has a split
	Redraw int
	Found  []growth.Split
}

// LargeNodes scans large nodes without sorting their rows.
type LargeNodes interface {
	// Find enters the best splits of some columns of a node into found. Columns that have none as
	// good as the best may have none there. It reports false if it cannot decide.
	Find(nd *growth.Node, columns []int32, found []growth.Split) bool
}

// Best returns the best split of a node: of larger gain, then of the lower column. With a sampler,
// columns are scanned in a random order, which decides between equal gains.
func (c *Chooser) Best(nd *growth.Node) growth.Split {
	if c.Task.Values != nil {
		c.Task.LoadValues(nd)
	}
	if c.Sampler != nil {
		return c.bestSampled(nd)
	}
	c.Each(len(c.Found), len(nd.Rows), func(s *Scanner, i int) {
		c.Found[i] = growth.Split{Feature: -1}
		if !nd.IsConstant(i) {
			c.Found[i] = c.Scan(s, nd, i)
		}
	})
	if c.Task.Rule == growth.Learned {
		nd.NoteConstants(c.Found)
	}
	return c.BestOf(nd, c.Found)
}

// bestSampled scans mtry columns and, where the node has more rows than Redraw, further ones until
// one has a split.
func (c *Chooser) bestSampled(nd *growth.Node) growth.Split {
	f := c.Sampler
	first := f.Start(nd.Key)
	if c.Large == nil || !c.Large.Find(nd, first, c.Found) {
		c.Each(f.Mtry, len(nd.Rows),
			func(s *Scanner, i int) { c.Found[i] = c.Scan(s, nd, int(first[i])) })
	}
	best := c.BestOf(nd, c.Found[:f.Mtry])
	c.EndSample(nd, &best)
	return best
}

// EndSample ends what Sampler.Start began for a node. If the first columns have no split, it scans
// further ones.
func (c *Chooser) EndSample(nd *growth.Node, best *growth.Split) {
	f := c.Sampler
	for !best.Found() && len(nd.Rows) > c.Redraw && f.More() {
		c.Found[0] = c.Scan(c.Team[0], nd, int(f.Next()))
		*best = c.BestOf(nd, c.Found[:1])
	}
	f.End()
}

// BestOf returns the best of the splits that may be made.
func (c *Chooser) BestOf(nd *growth.Node, found []growth.Split) growth.Split {
	best := growth.Split{Feature: -1}
	for i := range found {
		if f := &found[i]; f.Found() &&
			(!best.Found() || f.Beats(&best, float64(growth.RelativeTie*nd.Impurity))) &&
			(c.Accept == nil || c.Accept(nd, f)) {
			best = *f
		}
	}
	return best
}
