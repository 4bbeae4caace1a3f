package weighted

import (
	"context"
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/internal/criterion"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/growth"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/tree"
)

// offered is a split that is judged.
type offered struct {
	kind         tree.Kind
	below, above float64 // Numeric: the values beside the split point
	code         uint32  // SetFirst
	info         info
	gain         float64 // per unit of weight
	few          bool    // too few branches have the least weight
}

// CandidatesC45 returns every split that GrowC45 would try at a node with the rows of pop, of a
// tree that is grown on the rows of all: those that leave enough weight on both sides. Splits of
// all categories are listed even where MinWeight forbids them. Gains are those of the definition;
// ratios are what C4.5 compares, with the gains of numeric columns corrected for the number of
// split points. The limits on the tree do not count.
func (p *Prepared) CandidatesC45(
	ctx context.Context, all, pop *grow.Population, cfg C45,
) (*tree.Candidates, error) {
	entropy, _ := criterion.ByName("entropy")
	cfg.plain, cfg.Workers = true, 1
	whole, err := newC45(p.table, all.Present(), &entropy, &cfg)
	if err != nil {
		return nil, err
	}
	pop = pop.Present()
	g, err := newC45(p.table, pop, &entropy, &cfg)
	if err != nil {
		return nil, err
	}
	c := g.Strategy.(*c45)
	c.training = whole.Strategy.(*c45).training
	rows := growth.RowsOf(pop, nil)
	nd := &growth.Node{Hi: len(rows), Rows: rows}
	c.task.Summarise(nd)
	out := &tree.Candidates{Columns: make([][]tree.Candidate, len(c.columns)), Best: -1,
		ByRatio: !cfg.ByGain}
	c.task.Load(nd)
	c.load(nd)
	for i := range c.columns {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out.Columns[i] = c.list(nd, i)
	}
	if !c.Splittable(nd) {
		return out, nil
	}
	best := c.byGain
	if !cfg.ByGain {
		best = c.byRatio
	}
	if b := best(nd); b.Found() {
		out.Best = int(b.Feature)
	}
	if average, usable := c.average(); usable > 0 && !cfg.ByGain {
		out.Notes = append(out.Notes, fmt.Sprintf("C4.5 chooses by gain ratio among the columns "+
			"whose best gain is average or more: %.4g bits.", average))
	}
	if slices.ContainsFunc(c.columns, func(w treeColumn) bool { return w.codes == nil }) &&
		!cfg.ByGain {
		out.Notes = append(out.Notes, "Of numbers, average and ratio take the gain less "+
			"log2(split points) / weight (Quinlan 1996).")
	}
	return out, nil
}

// list judges all splits of a column and returns them.
func (c *c45) list(nd *growth.Node, column int) []tree.Candidate {
	var all []offered
	c.offer = func(one *offered) { all = append(all, *one) }
	f := c.column(c.Team[0], nd, column)
	if c.Chi2 > 0 && f.Found() && !c.significant(nd, &f.Split, c.Chi2) {
		f = noSplit
	}
	c.offer, c.found[column] = nil, f
	list := make([]tree.Candidate, len(all))
	for i := range all {
		one := &all[i]
		t := &list[i]
		*t = tree.Candidate{Kind: one.kind, Missing: tree.MissingFractional,
			Gain: float64(one.gain * nd.Weight)}
		gain := one.gain
		switch one.kind {
		case tree.Numeric:
			c.tooMany(&gain, len(all), one.info.weight)
			t.SplitPoint = c.lowered(column,
				growth.SplitPointBetween(one.below, one.above))
			t.Best = f.Found() && t.SplitPoint == c.lowered(column, f.SplitPoint)
		case tree.SetFirst:
			t.Codes = []uint32{one.code}
			t.Best = f.Found() && tree.InSet(f.Set, one.code)
		default:
			t.Best = f.Found()
		}
		if one.few {
			t.Refused = "min_leaf"
		}
		t.SplitInfo = one.info.split() / one.info.weight
		t.Ratio = one.info.ratio(gain)
	}
	return list
}

// lowered returns the split point that lower makes of one.
func (c *c45) lowered(column int, splitPoint float64) float64 {
	values, ranks := c.columns[column].values, c.training.present[column]
	return values[ranks[lastUpTo(values, ranks, splitPoint)]]
}
