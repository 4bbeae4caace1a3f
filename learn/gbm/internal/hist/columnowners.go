package hist

import (
	"cmp"
	"context"
	"slices"

	"github.com/coppice-ml/coppice/internal/kernel"
)

// owners states which rank has the histograms of which columns, where several ranks grow a tree of
// one output by words. Each adds its rows to all cells, and gets the sums of its own:
//
//	rank 0   cells of a b c d --+               +--> sums of a b --> best of a, b --+
//	rank 1   cells of a b c d --+--> SumParts --+--> sums of c d --> best of c, d --+--> Gather
//
// All ranks then take the best split of all, by the rule of one process. Siblings are differences,
// on each rank of its cells. Columns that share cells have one owner, and owners have about as many
// cells. Of leaves of few rows one rank has all cells; see moves. In other trees all ranks have all
// sums.
type owners struct {
	runs  [][]run // cells of a histogram, by rank; nil: every rank has all
	cells []int   // how many they are
	rank  int
	own   []bool // by column of the matrix: whether this rank has it

	moves moves // of leaves of few rows
	// rows of each rank from which on a batch of leaves is two portions: portionRows
	portion int

	sizes   []int // memory of share
	message []int64
	bytes   []byte
}

// run is cells that lie together.
type run struct{ at, n int }

// several reports whether columns have owners.
func (o *owners) several() bool { return o.runs != nil }

// begin divides the columns of a tree of so many rows, whose layout is known.
func (o *owners) begin(e *engine, rows int) {
	o.runs = nil
	if !e.ranks.several() || e.c.Policy == Symmetric || len(e.sums) > 1 || e.sums[0].double {
		return
	}
	m, size := e.tables.m, 0
	o.rank, size = e.ranks.place()
	used, all := make([]bool, len(m.Groups)), 0
	for _, c := range e.columns.ofTree {
		if g := m.Columns[c].Group; !used[g] {
			used[g] = true
			all += m.Groups[g].Codes
		}
	}
	o.runs, o.cells = make([][]run, size), make([]int, size)
	o.sizes, o.own = resize(o.sizes, size), resize(o.own, len(m.Columns))
	clear(o.own)
	before := 0
	for g, is := range used {
		if !is {
			continue
		}
		n := m.Groups[g].Codes
		rank := (2*before + n) * size / (2*all + 1) // of the middle of its cells
		o.runs[rank] = append(o.runs[rank], run{int(e.tables.lay.at[g]), n})
		o.cells[rank] += n
		before += n
		for _, c := range m.Groups[g].Columns {
			o.own[c] = rank == o.rank
		}
	}
	o.moves.begin(e, rows, before, size)
}

// togetherRows is the number of rows of each rank up to which leaves are tried in one message.
// togetherLeaves is the divisor of a tree's leaves that gives how many large ones are tried: more
// would turn out not to be split.
// togetherBytes bounds the histograms of a message.
const (
	togetherRows   = 1 << 14
	togetherLeaves = 16
	togetherBytes  = 64 << 20
)

// togetherShared returns how many leaves are tried in one message. Ranks wait for each other at
// each. Without a limit of leaves all that are tried are split.
func (e *engine) togetherShared() batchLimit {
	n := e.c.Leaves
	if n == 0 {
		n = togetherLeaves * togetherLeaves
	}
	return batchLimit{leaves: 1 + n/togetherLeaves, rows: togetherRows * len(e.owners.runs),
		most: max(1, togetherBytes/max(1, e.hist.pool.size))}
}

// columnsOf returns the columns that may split a leaf, ascending, of those that this rank has.
func (e *engine) columnsOf(l *open) []int32 {
	columns := e.columns.ofLeaf(l)
	if !e.owners.several() || l.moved.rows != nil {
		return columns
	}
	var own []int32
	for _, c := range columns {
		if e.owners.own[c] {
			own = append(own, c)
		}
	}
	return own
}

// share starts to complete histograms of this rank's rows by those of the others. Once the function
// that it returns has been called, the cells of its columns are the sums of all. Numbers of rows
// are completed, too.
func (e *engine) share(hists []*histogram, counts []int32) (finish func()) {
	o := &e.owners
	x := o.message[:0]
	for rank, runs := range o.runs {
		for _, h := range hists {
			for _, c := range runs {
				x = append(x, h.packed[c.at:c.at+c.n]...)
			}
		}
		for _, n := range counts {
			x = append(x, int64(n))
		}
		o.sizes[rank] = len(hists)*o.cells[rank] + len(counts)
	}
	o.message = x
	wait := e.ranks.parts(x, o.sizes)
	return func() {
		wait()
		for _, n := range o.sizes[:o.rank] {
			x = x[n:]
		}
		for _, h := range hists {
			for _, c := range o.runs[o.rank] {
				x = x[copy(h.packed[c.at:c.at+c.n], x):]
			}
		}
		for i := range counts {
			counts[i] = int32(x[i])
		}
	}
}

// subtract is histogram.subtract for the cells that this rank has.
func (o *owners) subtract(h, partial *histogram) {
	for _, c := range o.runs[o.rank] {
		kernel.SubtractWords(h.packed[c.at:c.at+c.n], partial.packed[c.at:c.at+c.n])
	}
}

// halves is a leaf that is split: what is known of its first child before all ranks are asked.
type halves struct {
	mid   int32
	first []pair
	// histograms of the lighter child's rows, and of the other's where that of the leaf was not
	// kept; nil: there will be no splits below
	light, heavy *histogram
	movedMid     int32 // mid among the rows that have moved to this rank
}

// tryShared splits leaves, and finds the best splits of their children. It returns those that may
// be split. Many rows are split in two portions, so that the ranks compute while sums are added up:
//
//	computing   split 1 | split 2     | find 1       | find 2
//	messages            | sums of 1   | sums of 2    |        | best splits of all
func (e *engine) tryShared(_ context.Context, leaves []*open) (children []*open, err error) {
	if e.move(leaves); e.ranks.failed() != nil {
		return nil, e.ranks.failed()
	}
	found := 0 // children that were searched
	finish := func() {}
	for _, portion := range e.portions(leaves) {
		parted := e.halveAll(portion)
		finish() // of the portion before
		hists, counts := sharedOf(portion, parted)
		summed := e.share(hists, counts)
		e.findAll(children[found:])
		found = len(children)
		finish = func() {
			if summed(); e.ranks.failed() == nil {
				e.descendAll(portion, parted, counts)
				children = appendChildren(children, portion)
			}
		}
	}
	finish()
	e.findAll(children[found:])
	return children, e.agreeAll(children)
}

// portionRows is the number of rows of each rank from which on a batch of leaves is two portions:
// splitting half of them takes longer than the message that is added.
const portionRows = 1 << 15

// portions divides leaves where they have enough rows, about in the middle of these. Leaves whose
// rows have moved take little time.
func (e *engine) portions(leaves []*open) [][]*open {
	all := 0
	for _, l := range leaves {
		all += l.ownedRows()
	}
	if all < e.owners.portion*len(e.owners.runs) {
		return [][]*open{leaves}
	}
	n, before := 0, 0
	for n < len(leaves)-1 && (n == 0 || 2*before+leaves[n].ownedRows() <= all) {
		before += leaves[n].ownedRows()
		n++
	}
	if n == 0 {
		return [][]*open{leaves}
	}
	return [][]*open{leaves[:n], leaves[n:]}
}

// ownedRows returns the number of rows of a leaf that have not moved.
func (l *open) ownedRows() int {
	if l.moved.rows != nil {
		return 0
	}
	return l.len()
}

// halveAll partitions the rows of leaves: each rank its own, of which it adds up those of the
// lighter child. That the other child may have fewer rows makes no difference: differences are
// exact. Of leaves whose rows have moved to one rank there are no histograms before they are
// searched.
func (e *engine) halveAll(leaves []*open) []halves {
	parted := make([]halves, len(leaves))
	e.eachShared(len(leaves), func(i int, w *worker) {
		parted[i] = e.halve(leaves[i], w, e.hist.fill)
	}, func(i int) {
		parted[i] = e.halve(leaves[i], nil, e.hist.fillOwn)
	})
	return parted
}

// sharedOf returns what is added up of leaves that were partitioned: the histograms of their
// children, and the numbers of rows of the first ones.
func sharedOf(leaves []*open, parted []halves) (hists []*histogram, counts []int32) {
	for i, l := range leaves {
		counts = append(counts, parted[i].mid-l.begin)
		for _, h := range []*histogram{parted[i].light, parted[i].heavy} {
			if h != nil {
				hists = append(hists, h)
			}
		}
	}
	return hists, counts
}

// descendAll makes the children of leaves, once what was shared of them is that of all ranks.
func (e *engine) descendAll(leaves []*open, parted []halves, counts []int32) {
	for i, l := range leaves {
		p := &parted[i]
		below := e.descend(l, p.mid, counts[i], p.first)
		l.moveChildren(p.movedMid)
		switch {
		case p.light == nil:
		case below && p.heavy == nil:
			e.owners.subtract(l.hist, p.light)
			p.heavy, l.hist = l.hist, nil
			fallthrough
		case below:
			light, heavy := l.lighter(p.first)
			light.hist, heavy.hist = p.light, p.heavy
		default:
			e.hist.pool.give(p.light)
			if p.heavy != nil {
				e.hist.pool.give(p.heavy)
			}
		}
	}
}

// eachShared calls one for 0 to n-1 on all workers side by side where they are many, else together,
// which works on each with all of them.
func (e *engine) eachShared(n int, one func(i int, w *worker), together func(i int)) {
	if n >= 2*len(e.team) {
		e.team.each(n, one)
		return
	}
	for i := range n {
		together(i)
	}
}

// halve partitions the rows of a leaf, on a worker or on all of them, nil, and adds up those of its
// lighter child.
func (e *engine) halve(l *open, w *worker, fill filler) (p halves) {
	switch {
	case w != nil:
		p.first = slices.Clone(w.find.sumsOfFirst(l, nil))
		p.mid = e.rows.partition(l, e.tables.m, w)
	case e.tables.m.Columns[l.split.column].Listed:
		return e.halve(l, e.team[0], fill)
	default:
		p.first = slices.Clone(e.team[0].find.sumsOfFirst(l, nil))
		p.mid = e.rows.partitionTogether(l, e.tables.m, e.team)
	}
	if e.lastBelow(l) {
		return p
	}
	if l.moved.rows != nil {
		p.movedMid = e.partitionMoved(l, cmp.Or(w, e.team[0]))
		return p
	}
	light, heavy := e.rows.rows[l.begin:p.mid], e.rows.rows[p.mid:l.end]
	if !firstIsLighter(l, p.first) {
		light, heavy = heavy, light
	}
	p.light = e.hist.take()
	fill(p.light, light)
	if l.hist == nil {
		p.heavy = e.hist.take()
		fill(p.heavy, heavy)
	}
	return p
}

// lastBelow reports whether the children of a leaf stay leaves, whatever they are.
func (e *engine) lastBelow(l *open) bool {
	return l.final || e.c.Depth > 0 && int(l.depth)+1 >= e.c.Depth
}

// firstIsLighter reports whether the first child of a leaf has less of the sum of hessians.
func firstIsLighter(l *open, first []pair) bool {
	one, all := 0.0, 0.0
	for k, s := range first {
		one += s.h
		all += l.outputs[k].sum.h
	}
	return 2*one <= all
}

// lighter returns the child that has less of the sum of hessians, and the other.
func (l *open) lighter(first []pair) (light, heavy *open) {
	if firstIsLighter(l, first) {
		return l.first, l.last
	}
	return l.last, l.first
}

// searchShared finds the best splits of leaves that have histograms: each rank those by its
// columns, of which all take the best. Leaves whose rows have moved are searched by the rank that
// has them.
func (e *engine) searchShared(_ context.Context, leaves []*open) error {
	e.findAll(leaves)
	return e.agreeAll(leaves)
}

// findAll finds the best splits of leaves by what this rank has.
func (e *engine) findAll(leaves []*open) {
	e.eachShared(len(leaves), func(i int, w *worker) { e.findShared(leaves[i], w) },
		func(i int) { e.findShared(leaves[i], nil) })
}

// agreeAll takes the best splits of leaves that the ranks have found. Leaves of which rows have to
// be counted are searched again.
func (e *engine) agreeAll(leaves []*open) error {
	for search := leaves; len(search) > 0; {
		e.agree(search)
		if err := e.ranks.failed(); err != nil {
			return err
		}
		search = slices.DeleteFunc(slices.Clone(search), func(l *open) bool {
			return len(l.wanted) == 0
		})
		e.countShared(search)
		e.findAll(search)
	}
	for _, l := range leaves {
		l.counts = nil
		e.settle(l)
	}
	return e.ranks.failed()
}

// findShared finds the best split of a leaf by what this rank has, on a worker or on all of them,
// nil.
func (e *engine) findShared(l *open, w *worker) {
	switch {
	case l.moved.rows != nil:
		e.findMoved(l, cmp.Or(w, e.team[0]))
	case w != nil:
		e.find(l, w)
	default:
		e.findTogether(l)
	}
}

// agree makes the best splits of leaves that any rank has found those of all ranks, and joins what
// else they have found of the leaves.
func (e *engine) agree(leaves []*open) {
	o := &e.owners
	o.bytes = o.bytes[:0]
	for _, l := range leaves {
		o.bytes = l.appendFound(o.bytes)
		l.split, l.able, l.wanted = none(), nil, nil
	}
	for _, b := range e.ranks.gather(o.bytes) {
		for _, l := range leaves {
			found, able, wanted, rest, err := readFound(b, len(e.tables.m.Columns))
			if err != nil {
				e.ranks.fail(err)
				return
			}
			b = rest
			if found.better(&l.split) {
				l.split = found
			}
			l.able, l.wanted = append(l.able, able...), append(l.wanted, wanted...)
		}
	}
	for _, l := range leaves {
		slices.SortFunc(l.able, cmp.Compare[int32])
	}
}

// countShared counts the rows of leaves by bin of the columns that some rank wants counted.
func (e *engine) countShared(leaves []*open) {
	var all []int32
	for _, l := range leaves {
		for _, c := range l.wanted {
			all = append(all, e.countOwn(nil, int(c), l)...)
		}
	}
	if len(leaves) == 0 {
		return
	}
	e.ranks.counts(all)
	for _, l := range leaves {
		if l.counts == nil {
			l.counts = map[int32][]int32{}
		}
		for _, c := range l.wanted {
			n := e.tables.m.Columns[c].Bins()
			l.counts[c], all = all[:n:n], all[n:]
		}
		l.wanted = nil
	}
}
