package hist

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
	"github.com/coppice-ml/coppice/learn/internal/grow"
)

// Values that no row of a node had go by the rule of grow.UnseenLast, which needs the weights of
// both children. It is applied once a tree is grown, since it moves none of the tree's own rows:
//
//	split of a node     in the set        other categories    missing values
//	as it was found     to the first      to the last         to the last, or where they gain most
//	last is heavier     to the first      to the last         the same; to the last where none was
//	first is heavier    last's own codes  to the first        the same; to the first where none was
//	                    go to the last
//
// So the set of a node holds the categories of its lighter child, and the others go to the heavier
// one, known or not.

// placeUnseen applies the rule to all splits of a tree.
func (t *grown) placeUnseen(ctx context.Context) error {
	if !t.in.c.Unseen || len(t.split) == 0 {
		return nil
	}
	weight := t.weights()
	var open []*unseen
	all := t.unseen()
	for i := range all {
		u := &all[i]
		u.first = !t.unseenLast(u, weight)
		switch s, c := u.split(), &t.in.tables.m.Columns[u.split().column]; {
		case c.Nominal() && (!u.first || c.Values == bins.MaxBins):
			// the set stays; rows of categories beyond the most that have bins count as missing
		case !c.Nominal() && s.missing == u.first:
		case !c.Nominal() && !c.Missing:
			u.setMissing()
		default:
			open = append(open, u)
		}
	}
	if len(open) == 0 {
		return t.in.ranks.failed()
	}
	if err := t.countUnseen(ctx, open); err != nil {
		return err
	}
	for _, u := range open {
		u.place(&t.in.tables.m.Columns[u.split().column],
			t.in.c.orderOf(u.split().column, &t.in.tables.m.Columns[u.split().column]))
	}
	return nil
}

// unseen returns the splits of a tree, those together that are one.
func (t *grown) unseen() []unseen {
	all := t.in.memory.unseen[:0]
	for from, to := 0, 0; from < len(t.split); from = to {
		to = from + 1
		for t.in.c.Policy == Symmetric && to < len(t.split) &&
			t.split[to].depth == t.split[from].depth {
			to++
		}
		all = append(all, unseen{of: t.split[from:to]})
	}
	t.in.memory.unseen = all
	return all
}

// unseenLast is the rule.
func (t *grown) unseenLast(u *unseen, weight []float64) bool {
	var first, last grow.Side
	outputs := len(t.in.sums)
	for _, l := range u.of {
		first.Weight += weight[l.first.node]
		last.Weight += weight[l.last.node]
	}
	root := t.nodes[0]
	for k := range outputs {
		all := t.mean(root.outputs[k].sum.g, weight[0], k)
		one, other := 0.0, 0.0
		for _, l := range u.of {
			one += l.first.outputs[k].sum.g
			other += l.last.outputs[k].sum.g
		}
		one, other = t.mean(one, first.Weight, k), t.mean(other, last.Weight, k)
		first.Distance += math.Abs(one - all)
		last.Distance += math.Abs(other - all)
		if first.Mean == last.Mean {
			first.Mean, last.Mean = one, other
		}
	}
	return grow.UnseenLast(first, last, t.in.seed, 0, int(u.of[0].node))
}

// mean returns the mean step of rows of some weight, given the sum of their gradients.
func (t *grown) mean(g, weight float64, output int) float64 {
	if !(weight > 0) {
		return 0
	}
	return -float64(g*t.in.sums[output].unitG) / weight
}

// weights returns the weight of the rows of each node.
func (t *grown) weights() []float64 {
	weight := slices.Grow(t.in.memory.weight[:0], len(t.nodes))[:len(t.nodes)]
	t.in.memory.weight = weight
	if t.in.weightScale == 0 {
		for n, l := range t.nodes {
			weight[n] = float64(l.len())
		}
		return weight
	}
	e, units := t.in, make([]int64, len(t.nodes))
	rows := e.tables.whole.Rows[t.base:]
	if e.tables.behind != nil { // the tree's rows were gathered
		rows = pick(e.tables.whole.Rows, t.rows)
	}
	e.team.each(len(t.nodes), func(n int, _ *worker) {
		if l := t.nodes[n]; !t.inner(l) {
			for _, r := range t.order.of(l) {
				units[n] += int64(float64(e.c.Weight[rows[r]] * e.weightScale))
			}
		}
	})
	e.ranks.words(units)
	for n := len(t.nodes) - 1; n >= 0; n-- { // children follow their parents
		if l := t.nodes[n]; t.inner(l) {
			units[n] = units[l.first.node] + units[l.last.node]
		}
		weight[n] = float64(units[n])
	}
	return weight
}

// counted returns the child of a split whose rows may have values that are to move to the other
// one: of categories the last child, for which the set leaves all; of numbers that of missing
// values.
func (u *unseen) counted(l *open) *open {
	if l.split.set == nil && l.split.missing {
		return l.first
	}
	return l.last
}

// countUnseen counts the rows of the counted children by bin of the split's column, 1 where they
// are known.
func (t *grown) countUnseen(ctx context.Context, all []*unseen) error {
	e := t.in
	for _, u := range all {
		c := &e.tables.m.Columns[u.split().column]
		u.counts = make([]int32, c.Bins())
		for _, l := range u.of {
			if l.split.seen == nil {
				t.leavesBelow(u.counted(l), func(leaf *open) { u.leaves = append(u.leaves, leaf) })
				continue
			}
			for b, seen := range l.split.seen {
				if first := l.split.toFirst(c, b); seen && first == (u.counted(l) == l.first) {
					u.counts[b] = 1
				}
			}
		}
	}
	if e.tables.stored() {
		return t.countUnseenStored(ctx, all)
	}
	e.team.each(len(all), func(i int, _ *worker) {
		u := all[i]
		for _, leaf := range u.leaves {
			addCounts(u.counts, e.tables.m, &e.tables.m.Columns[u.split().column], t.order.of(leaf))
		}
	})
	if e.ranks.several() {
		var counts []int32
		for _, u := range all {
			counts = append(counts, u.counts...)
		}
		e.ranks.counts(counts)
		for _, u := range all {
			counts = counts[copy(u.counts, counts):]
		}
	}
	return e.ranks.failed()
}

// countUnseenStored is countUnseen of a stored matrix, which it reads once.
func (t *grown) countUnseenStored(ctx context.Context, all []*unseen) error {
	var leaves []*open
	for _, u := range all {
		for _, leaf := range u.leaves {
			if leaf.wanted == nil {
				leaves = append(leaves, leaf)
			}
			leaf.wanted = append(leaf.wanted, int32(u.split().column))
		}
	}
	if len(leaves) == 0 {
		return nil
	}
	err := t.counter.countWanted(ctx, leaves)
	for _, u := range all {
		for _, leaf := range u.leaves {
			for b, n := range leaf.counts[int32(u.split().column)] {
				u.counts[b] += n
			}
		}
	}
	for _, l := range leaves {
		l.counts = nil
	}
	return cmp.Or(err, t.in.fault)
}

// place applies the rule where it sends values to another child than the split that was found,
// given which bins the counted child has. Of ordered categories all that are known keep their side.
func (u *unseen) place(c *bins.Column, order []int32) {
	if u.counts[c.Values] == 0 {
		u.setMissing()
	}
	if !c.Nominal() {
		return
	}
	last := []int32{} // not nil, which would be a split of numbers
	if order != nil {
		first := make([]bool, c.Values)
		for _, b := range u.split().set {
			first[b] = true
		}
		for _, b := range order {
			if !first[b] {
				last = append(last, b)
			}
		}
	} else {
		for b, rows := range u.counts[:c.Values] {
			if rows > 0 {
				last = append(last, int32(b))
			}
		}
	}
	for _, l := range u.of {
		l.split.set, l.split.others = last, true
	}
}

// setMissing sends missing values to the child of values that no row had.
func (u *unseen) setMissing() {
	for _, l := range u.of {
		l.split.missing = u.first
	}
}
