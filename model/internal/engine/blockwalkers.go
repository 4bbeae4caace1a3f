package engine

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/coppice-ml/coppice/internal/invariant"
	"github.com/coppice-ml/coppice/internal/kernel"
)

// walker takes the rows of a block down one tree after the other.
type walker struct {
	b       *Block
	sieve   *kernel.Sieve
	scratch kernel.Scratch
	ends    []int32 // memory for those of the rows
	looks   uint32  // what fetch has read, so that the compiler keeps it
}

// Team sets the number of goroutines of Raw and Leaves, which is 1 for a new block. They divide the
// trees, of which each has all rows: so a node is looked up once. What is written is the same for
// any number. Where trees are scanned it does nothing (Teams).
func (b *Block) Team(n int) {
	if b.scanner != nil {
		return
	}
	for len(b.team) < n {
		b.team = append(b.team, b.newWalker())
	}
	b.team = b.team[:n]
}

func (b *Block) newWalker() *walker {
	w := &walker{b: b, ends: make([]int32, len(b.gaps))}
	if b.p.lists() {
		w.sieve = new(kernel.Sieve)
	}
	return w
}

// fetch reads a tree once in the order of memory: so it comes near several times faster than rows
// that jump about in it would bring it, if there are many.
func (w *walker) fetch(nodes []kernel.Node) {
	if len(nodes) > 128*w.b.rows {
		return
	}
	const line = 4 // nodes
	for i := 0; i < len(nodes); i += line {
		w.looks += nodes[i].Look
	}
}

// descend writes into ends where the rows from first on end in tree t, or the slots of leaves that
// keep them in their nodes; -1 for those that the plain walk is for. first is 0 unless columns lie
// one after the other.
func (w *walker) descend(t int, slots bool, first int, ends []int32) {
	b := w.b
	p := &b.p.plans[t]
	if p.way != plainly {
		down := b.down
		down.X, down.Nodes, down.SetAt, down.Sets, down.Slots, down.Sieve = b.x[first:], p.nodes, p.SetAt,
			p.Sets, slots, w.sieve
		if f := b.p.folds(); f != nil {
			down.Sets, down.SetAt = f.sets[t], f.setAt[t]
		}
		down.Floats, down.Ranks, down.Scratch = b.floats, b.ranks, &w.scratch
		if down.Codes.Code != nil {
			down.Codes.Code = down.Codes.Code[first:]
		}
		if down.Ranks == nil && !down.Packs(len(ends)) {
			w.fetch(p.nodes)
		}
		down.Descend(ends)
	}
	if invariant.On && p.way != plainly && !slots {
		for _, end := range ends {
			invariant.Check(uint(end) < uint(len(p.nodes)), "a row ends at node %d of %d", end, len(p.nodes))
		}
	}
	if p.way == fast {
		return
	}
	for r := range ends {
		if b.plain(p, first+r) {
			ends[r] = -1
		}
	}
}

// Teams reports whether the most of what Raw and Leaves do is shared by a team, which goes down
// trees as the kernel does.
func (p *Program) Teams() bool {
	return p.layout() == nil && !slices.ContainsFunc(p.plans,
		func(t plan) bool { return t.way != fast || t.Leaf.Linear != nil })
}

// alone is the number of steps from tree to tree, of all rows, up to which others would not help.
const alone = 1 << 13

// march goes down all trees and calls accumulate for one after the other, with the ends that
// descend has found; slots is as there.
func (b *Block) march(slots bool, accumulate func(t int, ends []int32)) {
	trees := len(b.p.plans)
	if len(b.team) == 1 || trees*b.rows <= alone {
		w := b.team[0]
		for t := range trees {
			w.descend(t, slots && b.p.plans[t].Leaf.InNodes, 0, w.ends[:b.rows])
			accumulate(t, w.ends[:b.rows])
		}
		return
	}
	m := &march{slots: slots, do: accumulate, ends: make([][]int32, trees),
		free: make(chan []int32, 2*len(b.team))}
	for _, w := range b.team {
		m.free <- w.ends[:b.rows]
		m.free <- make([]int32, b.rows)
	}
	var all sync.WaitGroup
	for _, w := range b.team {
		all.Go(func() { m.walk(w) })
	}
	all.Wait()
	if invariant.On {
		invariant.Check(m.turn == trees, "%d trees of %d were added up", m.turn, trees)
	}
}

// march is the state of a team. Each walker takes the next free tree. The leaves that it finds wait
// for their turn, since outputs are summed in the order of the trees. The walker of the tree whose
// turn it is accumulates that tree, and later ones that are finished.
type march struct {
	slots bool
	do    func(t int, ends []int32)
	next  atomic.Int64 // the next free tree
	// memory for ends; a worker with a tree has some, so that the first of the trees never waits
	// for it
	free chan []int32

	mu           sync.Mutex
	ends         [][]int32 // by tree: the leaves of the rows
	turn         int       // of which tree it is
	accumulation bool
}

// walk takes trees until none is left. It gets memory before the number of a tree, never after:
// otherwise walkers of later trees might hold all memory while the tree whose turn it is waits for
// some.
func (m *march) walk(w *walker) {
	for {
		ends := <-m.free
		t := int(m.next.Add(1)) - 1
		if t >= len(m.ends) {
			m.free <- ends
			return
		}
		w.descend(t, m.slots && w.b.p.plans[t].Leaf.InNodes, 0, ends)
		m.mu.Lock()
		m.ends[t] = ends
		m.accumulate()
		m.mu.Unlock()
	}
}

// accumulate accumulates the trees whose turn it is. If another walker does so already, that walker
// takes the new tree too. The lock is held, but not during the work.
func (m *march) accumulate() {
	if m.accumulation {
		return
	}
	m.accumulation = true
	for m.turn < len(m.ends) && m.ends[m.turn] != nil {
		t, ends := m.turn, m.ends[m.turn]
		m.turn++
		m.mu.Unlock()
		m.do(t, ends)
		m.free <- ends
		m.mu.Lock()
	}
	m.accumulation = false
}
