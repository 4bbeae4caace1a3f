package ranked

import (
	"context"
	"slices"

	"github.com/coppice-ml/coppice/internal/invariant"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/growth"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/scan"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/sorting"
	"github.com/coppice-ml/coppice/tree"
)

// classCounts grows the subtrees of ranks whose rows are counted by class and judged by the Gini
// index, as those of most forests are. Most nodes of a forest have a handful of rows, so most of
// the time is what a node costs besides its rows. Here a node is nothing but a segment of rows and
// two integers, which its parent's scan has computed: the number of its rows and the sum of its
// squared class counts. The tree is the one that growth.Growth would grow, to the last bit.
//
// Each row has a cell: its class, and how often it counts. Ranks of few values, and codes of few
// categories, are bytes.
type classCounts struct {
	sub   *subtree
	s     *scan.Scanner
	above *strategy
	giniJudge
	fewJudge
	counting *counting // more than two classes: nil = there are too many

	filled []bool    // by column: the bytes are those of this block
	rest   []uint32  // partitionBytes: rows that go last
	stats  []float64 // count
	// tiedUnseenLast
	firstStats []float64
	open       []openNode  // the last is next
	plain      growth.Node // the current node as blocks and scanners take it
}

// openNode is a node that may be split.
type openNode struct {
	id, depth, lo, hi int32
	key               uint64
	sums              sums
}

// mostClasses is the number of classes up to which subtrees are grown by counts of classes.
const mostClasses = 1 << 8

func newClassCounts(sub *subtree) *classCounts {
	n, t := len(sub.s.columns), sub.s.Task
	l := &classCounts{sub: sub, s: sub.s.Team[0], above: sub.above,
		counting: newCounting(t.Pop.Classes), filled: make([]bool, n),
		rest: make([]uint32, growth.SubtreeRows), stats: make([]float64, t.Width)}
	l.giniJudge = giniJudge{ones: t.Width == 2, least: int64(sub.Limits.MinLeaf), shift: t.Shift,
		perClass: make([]classCount, t.Width)}
	l.fewJudge = fewJudge{giniJudge: &l.giniJudge, next: make([]uint16, growth.SubtreeRows)}
	return l
}

// grow grows the subtree of a node whose rows have just become the block.
func (l *classCounts) grow(ctx context.Context, root *growth.Node) {
	clear(l.filled)
	pop := l.sub.Pop
	l.cells = slices.Grow(l.cells[:0], len(pop.Class))[:len(pop.Class)]
	for i, class := range pop.Class {
		n := uint64(pop.Multiplicity(i))
		if l.ones {
			l.cells[i] = n | n<<32&-uint64(class)
		} else {
			l.cells[i] = uint64(class) | n<<32
		}
	}
	var s sums
	for class, w := range root.Stats {
		n := int64(w)
		s.rows += n
		if !l.ones {
			s.side += n * n
		} else if class == 1 {
			s.side = n
		}
	}
	l.open = append(l.open[:0], openNode{id: int32(root.Id), depth: int32(root.Depth),
		hi: int32(len(root.Rows)), key: root.Key, sums: s})
	for len(l.open) > 0 && ctx.Err() == nil {
		l.nd = l.open[len(l.open)-1]
		l.open = l.open[:len(l.open)-1]
		l.split()
	}
}

// split splits the current node if it finds how.
func (l *classCounts) split() {
	l.rows = l.sub.rows[l.nd.lo:l.nd.hi]
	l.impurity = l.impurityOf(l.nd.sums)
	l.tie = float64(growth.RelativeTie * l.impurity)
	l.look()
	if l.best.kind != tree.Leaf && max(l.best.gain, 0)/l.sub.Whole.Weight+0x1p-52 >= l.sub.Limits.MinGain {
		l.carryOut()
	} else if l.sub.Output.Leaves {
		l.record(&l.nd)
	}
	if l.classesCounted {
		clear(l.perClass)
		l.classesCounted = false
	}
}

// look scans columns as scan.Chooser does.
func (l *classCounts) look() {
	f := l.sub.s.Sampler
	l.best.kind = tree.Leaf
	first := f.Start(l.nd.key)
	if l.counting != nil {
		l.counting.filled = false
	}
	for _, feature := range first {
		l.scan(feature)
	}
	for l.best.kind == tree.Leaf && len(l.rows) > l.above.Redraw && f.More() {
		l.scan(f.Next())
	}
	f.End()
}

// scan scans one column, and keeps its best candidate if it is better than those of the columns
// before. What the column is stored as decides how. All ways leave out cases of scanGeneral, and
// find the same candidate to the last bit: one that cannot hold leaves the column to it.
func (l *classCounts) scan(feature int32) {
	l.startColumn()
	w := &l.above.columns[feature]
	if c := w.codes; c != nil {
		if c.Few == nil || !l.ones || l.s.Task.Merges(c.Levels) {
			l.scanGeneral(feature)
			return
		}
		l.scanCodes(l.bytesOf(feature), uint32(c.Levels), l.s.Task.ByCode(c.Levels))
		if l.better() {
			l.takeCodes(feature, uint32(c.Levels))
		}
		return
	}
	if w.few.Rank != nil {
		found := true
		switch bytes, values := l.bytesOf(feature), w.few.Values; {
		case l.ones:
			l.scanOnes(bytes, uint32(values))
		case l.counts(values + 1):
			found = l.scanCounted(bytes, values+1)
		default:
			found = l.scanRanks(bytes, uint32(values))
		}
		if !found {
			l.scanGeneral(feature)
			return
		}
		if l.better() {
			l.take(feature)
		}
		return
	}
	order := l.sub.block.sorted(l.s, int(feature), l.rows)
	known := l.known(order)
	switch {
	case l.ones && len(known) == len(order):
		l.scanOrderOnes(known)
	case l.ones:
		l.scanGapsOnes(known, order[len(known):])
	case len(known) == len(order):
		l.scanOrder(known)
	default:
		l.scanGeneral(feature)
		return
	}
	if l.better() {
		l.take(feature)
		l.best.low, l.best.high = known[l.best.at-1].Pos, known[min(l.best.at, len(known)-1)].Pos
	}
}

// known returns the entries of the rows with a value.
func (l *classCounts) known(order []sorting.Entry) []sorting.Entry {
	n, shift := len(order), l.s.Task.Shift
	for n > 0 && order[n-1].Key>>shift == l.s.Task.MissingRank {
		n--
	}
	return order[:n]
}

// bytesOf returns the ranks or codes of a column, which are fetched when a node first needs them.
func (l *classCounts) bytesOf(feature int32) []uint8 {
	to, from := &l.sub.s.columns[feature], &l.above.columns[feature]
	if from.codes != nil {
		if !l.filled[feature] {
			to.codes.Few = growth.Take(to.codes.Few, from.codes.Few, l.sub.all)
		}
		l.filled[feature] = true
		return to.codes.Few
	}
	if !l.filled[feature] {
		to.few.Rank = growth.Take(to.few.Rank, from.few.Rank, l.sub.all)
	}
	l.filled[feature] = true
	return to.few.Rank
}

// plainNode returns the current node with the fields that a store uses.
func (l *classCounts) plainNode() *growth.Node {
	l.plain.Rows = l.rows
	return &l.plain
}

// scanGeneral is scan by the subtree's own scanner.
func (l *classCounts) scanGeneral(feature int32) {
	l.countRows()
	nd := l.plainNode()
	nd.Key, nd.Count, nd.Weight, nd.Impurity, nd.Few.Classes = l.nd.key, int(l.nd.sums.rows),
		float64(l.nd.sums.rows), l.impurity, nil
	nd.Stats = append(nd.Stats[:0], l.count(l.rows, l.nd.sums)...)
	l.sub.SetFew(nd)
	b := l.sub.s.scanColumn(l.s, nd, int(feature))
	if best := &l.best; b.Found() && (best.kind == tree.Leaf || b.Gain > best.gain+l.tie) {
		best.kind, best.gain, best.feature, best.general = b.Kind, b.Gain, feature, b
	}
}

// count returns the weight of each class in a set of rows. The result is valid until the next call.
func (l *classCounts) count(rows []uint32, s sums) []float64 {
	if l.ones {
		l.stats[0], l.stats[1] = float64(s.rows-s.side), float64(s.side)
		return l.stats
	}
	clear(l.stats)
	for _, row := range rows {
		c := l.cells[row]
		l.stats[uint8(c)] += float64(c >> 32)
	}
	return l.stats
}

// carryOut carries out the best split of the current node and opens its children.
func (l *classCounts) carryOut() {
	nd, b := &l.nd, &l.best
	s := tree.Split{Kind: b.kind, Feature: b.feature, Gain: max(b.gain, 0)}
	var n int32
	if b.general.Kind != tree.Leaf {
		n = l.divideGeneral(&s)
	} else {
		n = l.divide(&s)
	}
	if invariant.On {
		l.checkChildren(n)
	}
	l.settleUnseen(&s, n)
	child, mid := l.sub.Builder.Split(nd.id, s), nd.lo+n
	l.enqueue(openNode{id: child, depth: nd.depth + 1, lo: nd.lo, hi: mid,
		key: rng.Seed(nd.key, growth.ChildStream, 0), sums: b.first})
	l.enqueue(openNode{id: child + 1, depth: nd.depth + 1, lo: mid, hi: nd.hi,
		key: rng.Seed(nd.key, growth.ChildStream, 1), sums: b.last})
}

// checkChildren checks the sums of both children, of which the first has the first n rows. The scan
// of a column computed them before the rows were partitioned, and no later step adds the rows up
// again: a wrong sum would go down the whole tree.
func (l *classCounts) checkChildren(n int32) {
	for i, rows := range [][]uint32{l.rows[:n], l.rows[n:]} {
		var own sums
		var byClass [mostClasses]int64
		for _, row := range rows {
			c := l.cells[row]
			if l.ones {
				own.rows += int64(uint32(c))
				own.side += int64(c >> 32)
				continue
			}
			k := int64(c >> 32)
			own.rows += k
			own.side += k * (2*byClass[uint8(c)] + k)
			byClass[uint8(c)] += k
		}
		want := [2]sums{l.best.first, l.best.last}[i]
		invariant.Check(own == want, "child %d has sums %v, its scan %v", i, own, want)
	}
}

// enqueue opens a node if it may be split, else it is a leaf.
func (l *classCounts) enqueue(nd openNode) {
	s, most := nd.sums, &l.sub.Limits
	opens := !l.pure(s) && int(s.rows) >= max(most.MinSplit, 2*most.MinLeaf) &&
		(most.Depth == 0 || int(nd.depth) < most.Depth)
	if opens {
		l.open = append(l.open, nd)
	}
	if !opens || !l.sub.Output.Leaves {
		l.record(&nd)
	}
}

// record writes a node's value and statistics into the tree.
func (l *classCounts) record(nd *openNode) {
	g, s := l.sub, nd.sums
	g.Builder.SetValue(nd.id, l.count(g.rows[nd.lo:nd.hi], s))
	if g.Output.Leaves {
		g.Builder.SetCover(nd.id, float64(s.rows))
		return
	}
	g.Builder.SetStats(nd.id, int(s.rows), float64(s.rows), l.impurityOf(s)/float64(s.rows))
}

// divide puts the rows that go first before the others and returns their number. It completes the
// split.
func (l *classCounts) divide(s *tree.Split) int32 {
	b := &l.best
	s.Missing = b.missing
	missingFirst := b.places && b.missing == tree.MissingFirst
	w := &l.above.columns[b.feature]
	if w.codes != nil {
		l.setCodes(s, b.first.rows < b.last.rows)
		return l.partitionBytes(l.bytesOf(b.feature))
	}
	split := growth.Split{Feature: b.feature, Rank: b.rank, Next: b.next, Low: b.low, High: b.high}
	l.sub.s.setSplitPoint(&split)
	if s.SplitPoint = split.SplitPoint; w.few.Rank == nil {
		c := &l.sub.block.columns[b.feature]
		return int32(l.sub.block.byPlaces(c, c.place[b.low]+1, missingFirst, l.rows))
	}
	b.goes = rankSet{}
	for rank := range b.rank + 1 {
		b.goes.add(rank)
	}
	if missingFirst {
		b.goes.add(uint32(w.few.Values))
	}
	return l.partitionBytes(l.bytesOf(b.feature))
}

// settleUnseen is growth.Growth's: it sets where values go that the node has not. The first n rows
// of the node go first.
func (l *classCounts) settleUnseen(s *tree.Split, n int32) {
	b := &l.best
	general := b.general.Kind != tree.Leaf
	open := !b.places
	if general {
		open = b.general.Complete
	}
	last := b.first.rows < b.last.rows
	if b.first.rows == b.last.rows {
		if !open && s.Kind == tree.Numeric {
			return
		}
		last = l.tiedUnseenLast(n)
	}
	if open {
		s.Missing = growth.MissingTo(last)
	}
	switch turns := s.Kind != tree.Numeric && last != (s.Kind == tree.SetFirst); {
	case turns && general && b.general.Turns:
		b.general.Turn()
		s.Kind, s.Set = b.general.Kind, b.general.Set
	case turns && !general:
		l.setCodes(s, last)
	}
}

// tiedUnseenLast is growth.Whole.UnseenLast for children of as many rows.
func (l *classCounts) tiedUnseenLast(n int32) bool {
	b := &l.best
	first, last := l.rows[:n], l.rows[n:]
	if !l.ones {
		if toLast, ok := growth.Nearer(l.distance(first, b.first), l.distance(last, b.last)); ok {
			return toLast
		}
	}
	l.firstStats = append(l.firstStats[:0], l.count(first, b.first)...)
	return l.sub.Whole.UnseenLast(
		&growth.Child{Weight: float64(b.first.rows), Stats: l.firstStats, Rows: first},
		&growth.Child{Weight: float64(b.last.rows), Stats: l.count(last, b.last), Rows: last},
		l.nd.key)
}

// distance is the square of the distance of a set's class probabilities from the root's, less that
// of the root's from 0: the sum of p (p - 2 q) over classes of probability p, at the root q.
func (l *classCounts) distance(rows []uint32, s sums) float64 {
	root, sum := l.sub.Whole.Probabilities, 0.0
	for _, row := range rows {
		c := l.cells[row]
		sum += float64(float64(c>>32) * root[uint8(c)])
	}
	n := float64(s.rows)
	return (float64(s.side)/n - float64(2*sum)) / n
}

// partitionBytes puts the rows whose bytes go first before the others, in order, and returns their
// number.
func (l *classCounts) partitionBytes(bytes []uint8) int32 {
	goes, rows, rest := l.best.goes, l.rows, l.rest[:len(l.rows)]
	n, m := 0, 0
	for _, row := range rows {
		rows[n], rest[m] = row, row
		r := bytes[row]
		first := int(goes[r>>6] >> (r & 63) & 1)
		n += first
		m += 1 - first
	}
	copy(rows[n:], rest[:m])
	return int32(n)
}

// divideGeneral is divide for a split that the scanner found. It counts the children.
func (l *classCounts) divideGeneral(s *tree.Split) int32 {
	b := &l.best.general
	if b.Kind == tree.Numeric {
		l.sub.s.setSplitPoint(b)
	}
	s.Kind, s.SplitPoint, s.Set, s.Missing = b.Kind, b.SplitPoint, b.Set, b.Missing
	first := l.rows[:l.sub.s.partition(b, l.rows)]
	var sum sums
	cross := int64(0) // of the class counts of the node and of its first child
	for _, row := range first {
		c := l.cells[row]
		if l.ones {
			sum.rows += int64(uint32(c))
			sum.side += int64(c >> 32)
			continue
		}
		k, t := int64(c>>32), &l.perClass[uint8(c)]
		sum.rows += k
		sum.side += k * (2*t.first + k)
		cross += k * t.all
		t.first += k
	}
	l.best.first, l.best.last = sum, l.others(sum, cross)
	return int32(len(first))
}
