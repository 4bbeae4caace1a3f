package random

import (
	"context"

	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/growth"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/scan"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/tree"
)

// strategy is the strategy of random thresholds. It has the values themselves, which are never
// sorted. All trees of a table use those of all rows; small subtrees have columns of their own.
type strategy struct {
	scan.Chooser
	growth.Partition
	numbers    *numbers
	codes      []*scan.Codes // by column; nil of numbers
	thresholds int           // random ones for each column of a node
	scratches  []scratch     // by worker
	together   *together     // nil: columns are scanned one by one
}

// scratch is one worker's memory for the splits of a column.
type scratch struct {
	random     rng.Stream
	thresholds []float64 // ascending
	tile       *tile
}

// growthOf grows trees on a table of numbers, one after the other in the same memory.
type growthOf struct{ *growth.Growth }

func newGrowth(p *Prepared, t *scan.Task, cfg *Config) *growthOf {
	t.Subsets.UpTo = cfg.Levels
	n := len(p.codes)
	s := &strategy{numbers: p.numbers, codes: p.codes, thresholds: cfg.Thresholds}
	s.setChooser(t, scan.NewTeam(t, cfg.Workers, n), scan.NewSampler(cfg.Mtry, n), cfg.Redraw)
	g := growth.New(t.Labels, t.Rule, s, cfg.Limits, growth.OutputOf(t.Labels, cfg.Leaves))
	if g.BestFirst = cfg.BestFirst; !g.BestFirst && g.Limits.Leaves <= 0 {
		g.Deferred = &growth.Deferred{UpTo: growth.SubtreeRows, Workers: len(s.Team),
			Grower: func() growth.SubtreeGrower { return newSubtree(s, g) }}
	}
	return &growthOf{g}
}

func (r *strategy) setChooser(t *scan.Task, w scan.Team, f *scan.Sampler, redraw int) {
	r.Chooser = scan.Chooser{Team: w, Task: t, Scan: r.scanColumn, Sampler: f, Redraw: redraw,
		Found: make([]growth.Split, len(r.codes))}
	r.scratches = make([]scratch, len(w))
	r.together = newTogether(r)
}

// again prepares for another population of the same rows. It reports false, and does nothing, where
// that takes a new growth.
func (r *growthOf) again(pop *grow.Population) bool {
	if !growth.Alike(pop, r.Pop) || r.Values != nil {
		return false
	}
	r.Labels.Pop = pop
	r.Reset()
	return true
}

func (r *strategy) Splittable(*growth.Node) bool { return true }

func (r *strategy) Divide(nd *growth.Node, children []*growth.Node) {
	nd.Halve(r.partition(&nd.Best, nd.Rows), children)
}

// partition puts the rows that a split sends first before the others, in order, and returns their
// number.
func (r *strategy) partition(b *growth.Split, rows []uint32) int {
	if c := r.codes[b.Feature]; c != nil {
		return r.ByCodes(c.Code, c.Levels, b, rows)
	}
	return r.numbers.partition(rows, r.Scratch(len(rows)), b.Feature, b.SplitPoint,
		b.MissingFirst())
}

func (r *strategy) Settle(*growth.Node) {}

// subtree grows subtrees on columns of their rows alone.
type subtree struct {
	*growth.Growth
	s, above *strategy
	all      []uint32 // by row: the row of the table
	rows     []uint32 // all rows of the subtree
}

// newSubtree makes what one worker grows subtrees with. It shares with the tree above only what no
// growing changes; scanner, sampler and labels are its own, since others grow at the same time.
func newSubtree(above *strategy, g *growth.Growth) *subtree {
	t := above.Task.Below(g.Labels.Of(&grow.Population{Classes: g.Pop.Classes}))
	s := &strategy{numbers: above.numbers.below(), codes: make([]*scan.Codes, len(above.codes)),
		thresholds: above.thresholds}
	for i, c := range above.codes {
		if c != nil {
			s.codes[i] = &scan.Codes{Feature: i, Levels: c.Levels}
		}
	}
	var f *scan.Sampler
	if above.Sampler != nil {
		f = scan.NewSampler(above.Sampler.Mtry, len(above.codes))
	}
	s.setChooser(t, scan.Team{scan.NewScanner(t)}, f, above.Redraw)
	return &subtree{Growth: growth.New(t.Labels, t.Rule, s, g.Limits, g.Output), s: s, above: above}
}

func (r *subtree) GrowSubtree(
	ctx context.Context, b *tree.Builder, whole *growth.Whole, nd *growth.Node,
) {
	r.Builder, r.Whole = b, whole
	r.all = append(r.all[:0], nd.Rows...)
	r.s.numbers.fill(r.all, r.s.together != nil)
	growth.GatherLabels(r.Pop, r.above.Task.Pop, r.all)
	for i, c := range r.s.codes {
		if c != nil {
			c.Code = growth.Take(c.Code, r.above.codes[i].Code, r.all)
		}
	}
	r.rows = r.rows[:0]
	for i := range r.all {
		r.rows = append(r.rows, uint32(i))
	}
	nd.Rows, nd.Lo, nd.Hi = r.rows, 0, len(r.rows)
	if r.Values != nil {
		r.Values.Sort(r.Pop.Y)
		nd.ByValue = r.SortByValue(nd.Rows)
	}
	r.Run(ctx, nd)
}
