package exact

import (
	"context"

	"github.com/coppice-ml/coppice/grow"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/tree"
)

// random is the strategy of random thresholds. It has the values themselves, which nobody sorts.
// All trees of a table share those of all rows; small subtrees have columns of their own.
type random struct {
	chooser
	partition
	columns    [][]float64 // by column, by row; nil of categories
	codes      []*codes    // by column; nil of numbers
	thresholds int         // drawn for each column of a node
	drawings   []drawing   // by worker
}

// drawing is one worker's memory for the splits of a column.
type drawing struct {
	draws rng.Stream
	cuts  []float64 // ascending
}

// randomGrowth grows trees on a table of numbers, one after the other in the same memory.
type randomGrowth struct{ *growth }

func newRandom(p *Prepared, pop *grow.Population, cfg *Config) *randomGrowth {
	var l *labels
	thresholds, mtry := cfg.Drawn, cfg.Mtry
	if cfg.Blind {
		l, thresholds, mtry = newUnlabeled(pop), 1, 1
	} else {
		l = newLabels(pop, &cfg.Criterion, false, cfg.plain)
	}
	t := newTask(l, cfg.Missing, cfg.Limits.MinLeaf)
	t.subsets.upTo = cfg.Levels
	n := len(p.columns)
	s := &random{columns: p.numbers.columns, codes: make([]*codes, n), thresholds: thresholds}
	for i := range p.columns {
		if p.numbers.columns[i] == nil {
			s.codes[i] = &codes{feature: i, code: p.columns[i].code, levels: p.columns[i].levels}
		}
	}
	s.setChooser(t, newTeam(t, cfg.Workers, n), newSampler(mtry, n), cfg.Redraw)
	g := newGrowth(t, s, cfg.Limits, outputOf(l, cfg.Leaves))
	if g.bestFirst = cfg.BestFirst; !g.bestFirst && g.limits.Leaves <= 0 {
		g.deferrals = &defers{upTo: blockRows, workers: len(s.team), grower: func() subtreeGrower { return newRandomSubtree(s, p.numbers, g) }}
	}
	return &randomGrowth{g}
}

func (r *random) setChooser(t *task, w team, f *sampler, redraw int) {
	r.chooser = chooser{team: w, task: t, scan: r.scanColumn, sampler: f, redraw: redraw, found: make([]split, len(r.columns))}
	r.drawings = make([]drawing, len(w))
}

// again makes ready for another population of the same rows. It reports false, and does nothing,
// where that takes a new growth.
func (r *randomGrowth) again(pop *grow.Population) bool {
	if !alike(pop, r.pop) || r.values != nil {
		return false
	}
	r.labels.pop = pop
	r.reset()
	return true
}

func (r *random) splittable(*node) bool { return true }

func (r *random) divide(nd *node, children []*node) { nd.halve(r.part(&nd.best, nd.list), children) }

// part puts the rows that a split sends first before the others, in order, and returns their
// number.
func (r *random) part(b *split, rows []uint32) int {
	if c := r.codes[b.feature]; c != nil {
		return r.byCodes(c, b, rows)
	}
	x, rest, missingFirst := r.columns[b.feature], r.scratch(len(rows)), b.missingFirst()
	n, m := 0, 0
	for _, row := range rows {
		rows[n], rest[m] = row, row
		v, first := x[row], 0
		if v <= b.cut {
			first = 1
		}
		if v != v && missingFirst {
			first = 1
		}
		n += first
		m += 1 - first
	}
	copy(rows[n:], rest[:m])
	return n
}

func (r *random) settle(*node, int) {}

// randomSubtree grows subtrees on columns of their rows alone.
type randomSubtree struct {
	*growth
	s, above *random
	numbers  *numbers
	all      []uint32 // by row: the row of the table
	rows     []uint32 // all rows of the subtree
}

func newRandomSubtree(above *random, x *numbers, g *growth) subtreeGrower {
	t := above.task.below(g.labels.of(&grow.Population{Classes: g.pop.Classes}))
	s := &random{columns: make([][]float64, len(above.columns)), codes: make([]*codes, len(above.codes)), thresholds: above.thresholds}
	for i, c := range above.codes {
		if c != nil {
			s.codes[i] = &codes{feature: i, levels: c.levels}
		}
	}
	var f *sampler
	if above.sampler != nil {
		f = newSampler(above.sampler.mtry, len(above.columns))
	}
	s.setChooser(t, team{newScanner(t)}, f, above.redraw)
	return &randomSubtree{growth: newGrowth(t, s, g.limits, g.output), s: s, above: above, numbers: x}
}

func (r *randomSubtree) growSubtree(ctx context.Context, b *tree.Builder, total float64, nd *node) {
	r.b, r.total = b, total
	r.all = append(r.all[:0], nd.list...)
	r.numbers.fill(r.s.columns, r.all)
	gather(r.pop, r.above.task.pop, r.all)
	for i, c := range r.s.codes {
		if c != nil {
			c.code = take(c.code, r.above.codes[i].code, r.all)
		}
	}
	r.rows = r.rows[:0]
	for i := range r.all {
		r.rows = append(r.rows, uint32(i))
	}
	nd.list, nd.lo, nd.hi = r.rows, 0, len(r.rows)
	if r.values != nil {
		r.values.sort(r.pop.Y)
		nd.byValue = r.sortByValue(nd.list)
	}
	r.run(ctx, nd)
}
