package weighted

import (
	"math/bits"
	"slices"

	"github.com/coppice-ml/coppice/learn/internal/exact/internal/growth"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/scan"
	"github.com/coppice-ml/coppice/tree"
)

// C4.5 need not sort the rows of a node by a column of few values. (ID3 must, because the smallest
// difference of gains decides there.) It adds their weights to a table of values and classes. It
// notes which places are in use, and goes through these. The sums of x log2 x on both sides of a
// split point change by the classes of one value:
//
//	value        3     5  6        in use   3: a, c    5: b    6: a
//	class a     1.5   0   2
//	class b      0    1   0
//	class c      4    0   0
//
// What such a sum loses in rounding is far below the differences that matter in C4.5. The split
// that is chosen is judged again by sums in the order of the sorted column, so that its numbers do
// not depend on how it was found.

// fewClasses is the number of classes up to which the bits of a word name those that a value has.
const fewClasses = 64

// loaded is the rows of a node, in order, for all its columns.
type loaded struct {
	weight []float64
	class  []uint8
	whole  info      // of all rows
	xlogs  []float64 // by class, of the node's statistics
	sum    float64   // of xlogs
}

// load copies the numbers of the rows for columns of few values.
func (c *c45) load(nd *growth.Node) {
	t, l := c.task, &c.loaded
	l.weight, l.class = l.weight[:0], l.class[:0]
	for _, pos := range nd.Rows {
		l.weight = append(l.weight, t.Weight(pos))
		l.class = append(l.class, uint8(t.Pop.Class[pos]))
	}
	l.xlogs, l.sum = l.xlogs[:0], 0
	for _, w := range nd.Stats {
		x := xlog(w)
		l.xlogs = append(l.xlogs, x)
		l.sum += x
	}
	l.whole = info{weight: nd.Weight}
	l.whole.known, l.whole.parent = impurity(nd.Stats)
}

// tables is a scanner's memory for columns of few values.
type tables struct {
	sums  []float64 // by value and class; zero between columns
	held  []uint64  // by value: the classes that it has; zero between columns
	known []float64 // by class: weight of the rows with a value
	first []float64 // by class: weight of the first side
	logs  []float64 // by class: its xlog
	rest  []float64 // by class: xlog of the last side
}

// fill adds a node's rows to the table of a column.
func (t *tables) fill(few []uint8, values int, shift uint, rows []uint32, l *loaded) {
	if need := (values + 1) << shift; len(t.sums) < need {
		t.sums = make([]float64, need)
	}
	if len(t.held) < values+1 {
		t.held = make([]uint64, values+1)
	}
	weight, class := l.weight[:len(rows)], l.class[:len(rows)]
	for j, pos := range rows {
		k, c := uint(few[pos]), uint(class[j])
		t.sums[k<<shift|c] += weight[j]
		t.held[k] |= 1 << (c & 63)
	}
}

// tabled is numeric for a column of few values. What it finds has no fractions, and numbers that
// judge makes exact.
func (c *c45) tabled(s *scan.Scanner, nd *growth.Node, feature int) rated {
	t, shift := &c.tables[s.Worker], c.task.Shift
	few, values := c.columns[feature].few.Rank, c.columns[feature].values
	n := len(values)
	t.fill(few, n, shift, nd.Rows, &c.loaded)
	defer t.clear(n, shift)
	f, logs := c.known(t, nd, n)
	least := c.least(f.known)
	if clearlyLess(c.rowsWith(few, n, nd, t.held[n] != 0), float64(2*least)) {
		return noSplit
	}
	w := walk{values: values, info: f, least: least, rest: logs, previous: -1, best: noSplit}
	last := n - 1
	for last >= 0 && t.held[last] == 0 {
		last--
	}
	for k := range last + 1 {
		if t.held[k] == 0 {
			continue
		}
		w.split(k)
		if k < last { // no split point follows
			w.move(t, k, shift)
		}
	}
	b := &w.best
	if !b.Found() || c.tooMany(&b.Gain, w.splitPoints, f.weight) {
		return noSplit
	}
	b.Feature, b.tried = int32(feature), w.splitPoints
	b.ratio = f.with(b.Per, f.known-b.Per).ratio(b.Gain)
	b.Per = 0
	return *b
}

// walk goes through the values of a column.
type walk struct {
	values      []float64
	info        info
	least       float64
	weight      float64 // of the first side
	first, rest float64 // sums of the classes' xlogs on both sides
	previous    int     // the value before; -1 = none
	splitPoints int     // that leave enough weight on both sides
	best        rated   // per is the weight of its first side
}

// split judges the split point below a value.
func (w *walk) split(k int) {
	if w.previous < 0 || w.values[w.previous]+nearValues >= w.values[k] {
		return
	}
	rest := w.info.known - w.weight
	if !atLeast(w.weight, w.least) || !atLeast(rest, w.least) {
		return
	}
	w.splitPoints++
	f := w.info
	f.children = (xlog(w.weight) - w.first) + (xlog(rest) - w.rest)
	if now := f.gain(); now-w.best.Gain > near {
		w.best = rated{Split: growth.Split{Kind: tree.Numeric, Rank: uint32(w.previous),
			Next: uint32(k), Gain: now, Per: w.weight}}
	}
}

// move moves the rows of a value to the first side.
func (w *walk) move(t *tables, k int, shift uint) {
	for held := t.held[k]; held != 0; held &= held - 1 {
		class := bits.TrailingZeros64(held)
		more := t.sums[k<<shift|class]
		w.weight += more
		t.first[class] += more
		x, y := xlog(t.first[class]), xlog(t.known[class]-t.first[class])
		w.first += x - t.logs[class]
		w.rest += y - t.rest[class]
		t.logs[class], t.rest[class] = x, y
	}
	w.previous = k
}

// with returns the numbers of a split into two branches of known weight.
func (f info) with(first, last float64) *info {
	f.branches = xlog(first) + xlog(last)
	return &f
}

// known sums up the rows of a node that have a value: what gains are made of, and the sum of the
// classes' xlogs.
func (c *c45) known(t *tables, nd *growth.Node, values int) (f info, logs float64) {
	l := &c.loaded
	t.first, t.logs = zeros(t.first, len(nd.Stats)), zeros(t.logs, len(nd.Stats))
	t.known, t.rest = append(t.known[:0], nd.Stats...), append(t.rest[:0], l.xlogs...)
	if t.held[values] == 0 {
		return l.whole, l.sum
	}
	for k, w := range t.sums[values<<c.task.Shift:][:len(nd.Stats)] {
		t.known[k] -= w
		t.rest[k] = xlog(t.known[k])
		logs += t.rest[k]
	}
	f = info{weight: nd.Weight}
	f.known, f.parent = impurity(t.known)
	return f, logs
}

// rowsWith counts the rows with a value, with their multiplicity.
func (c *c45) rowsWith(few []uint8, missing int, nd *growth.Node, some bool) float64 {
	if c.task.Pop.Count == nil && !some {
		return float64(len(nd.Rows))
	}
	n := 0
	for _, pos := range nd.Rows {
		if int(few[pos]) != missing {
			n += c.task.Multiplicity(pos)
		}
	}
	return float64(n)
}

// clear makes the table zero.
func (t *tables) clear(values int, shift uint) {
	for k, held := range t.held[:values+1] {
		for ; held != 0; held &= held - 1 {
			t.sums[k<<shift|bits.TrailingZeros64(held)] = 0
		}
		t.held[k] = 0
	}
}

// zeros returns n zeros, in the memory given if it is enough.
func zeros(memory []float64, n int) []float64 {
	memory = slices.Grow(memory[:0], n)[:n]
	clear(memory)
	return memory
}

// judge gives the chosen split point the numbers that its column in order has.
func (c *c45) judge(s *scan.Scanner, nd *growth.Node, b *rated) {
	t, column := c.task, &c.columns[b.Feature]
	order := s.ByBytes(column.few, t.Keys(), nd.Rows)
	s.ClearMissing()
	clear(s.Prefix)
	missing := 0.0
	for _, e := range order {
		if rank := e.Key >> t.Shift; rank <= b.Rank {
			t.Add(s.Prefix, e.Pos, 0)
		} else if rank == t.MissingRank {
			s.Stale = true
			t.Add(s.Missing, e.Pos, 0)
		}
	}
	if s.Stale {
		missing = t.WeightOf(s.Missing)
	}
	f := c.start(s, nd, missing)
	f.branch(s.Prefix)
	for k, w := range s.Prefix {
		s.Both[k] = max(0, s.Total[k]-w)
	}
	f.branch(s.Both)
	first := t.WeightOf(s.Prefix)
	b.Gain = f.gain()
	c.tooMany(&b.Gain, b.tried, f.weight)
	b.Fractions = fractions([]float64{first, f.known - first}, f.known)
	b.SplitPoint, b.Missing = growth.SplitPointBetween(column.values[b.Rank],
		column.values[b.Next]), tree.MissingFractional
}
