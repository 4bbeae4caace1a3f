package oob

import (
	"slices"

	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/model/engine"
	"github.com/coppice-ml/coppice/tree"
)

// divided stands for the end of a row that does not end at one node.
const divided = -1

// walker is the memory of walks through one tree after the other.
type walker struct {
	t      *tree.Tree
	answer []float64 // by node: what it predicts, a class or a number
	share  []float64 // a divided row's prediction
	value  []float64 // one node's part of it
	end    []int32   // by out-of-bag row: node where it ends, or divided
	before []float64 // by out-of-bag row: loss
	turns  [][]turn  // by unit: rows that look at it
	stamp  []int32   // by unit: 1 + the last out-of-bag row that has a turn
}

// turn is the first node on a row's path that looks at a unit. Whatever the unit's values, the row comes there; a row
// whose path has no such node ends where it always did.
type turn struct {
	row  int32 // index of the out-of-bag row
	node int32
}

// Tree is Member for a tree over the columns: it walks again, from the first node that looks at the unit, only those rows that
// pass one.
func (p *Permuter) Tree(t *tree.Tree, out []int32, stream func(unit int) *rng.Stream) []float64 {
	total := p.weigh(out)
	if total == 0 {
		return nil
	}
	w := &p.walker
	w.start(t, p)
	for i, position := range out {
		end, loss := p.walk(int32(i), position)
		w.end = append(w.end, end)
		w.before = append(w.before, loss)
	}
	original := slices.Clone(p.columns)
	result := make([]float64, len(p.units))
	for unit, turns := range w.turns {
		if len(turns) == 0 {
			continue
		}
		restore := p.permute(unit, out, stream(unit))
		sum := 0.0
		for _, turn := range turns {
			position := out[turn.row]
			if p.same(p.units[unit], original, p.rows[position]) {
				continue
			}
			if end, loss := p.follow(turn.node, position); end == divided || end != w.end[turn.row] {
				sum += p.change(position, loss, w.before[turn.row])
			}
		}
		restore()
		result[unit] = sum / total
	}
	return result
}

// start makes the walker ready for a tree.
func (w *walker) start(t *tree.Tree, p *Permuter) {
	w.t = t
	w.value = make([]float64, t.Leaf.Width)
	w.share = make([]float64, t.Leaf.Width)
	w.answer = w.answer[:0]
	for n := range int32(t.Len()) {
		answer := 0.0
		if w.read(n) {
			answer = w.value[0]
			if p.truth.Class != nil {
				answer = float64(best(w.value))
			}
		}
		w.answer = append(w.answer, answer)
	}
	w.end, w.before = w.end[:0], w.before[:0]
	if w.turns == nil {
		w.turns = make([][]turn, len(p.units))
		w.stamp = make([]int32, len(p.units))
	}
	for u := range w.turns {
		w.turns[u] = w.turns[u][:0]
		w.stamp[u] = 0
	}
}

// read puts what a node predicts into value; false if it has no value.
func (w *walker) read(n int32) bool {
	v := w.t.Value(n)
	copy(w.value, v)
	if w.t.Leaf.Kind == tree.Counts && v != nil {
		engine.Shares(w.value, w.value)
	}
	return v != nil
}

// walk takes an out-of-bag row from the root to its end, notes the turns on its way, and returns the end and the loss.
func (p *Permuter) walk(i, position int32) (end int32, loss float64) {
	w := &p.walker
	row := p.rows[position]
	n := int32(0)
	for len(w.t.Looks(n)) > 0 {
		p.note(i, n, n)
		next := w.t.NextRow(n, p.columns, row)
		if next >= 0 {
			n = next
			continue
		}
		if w.t.SplitOf(n).Missing == tree.MissingStop {
			break
		}
		// Below n the row takes several paths: whatever is looked at there, it has to be divided anew.
		w.t.Visit(p.columns, row, func(m int32, _ float64, _ bool) {
			if m > n {
				p.note(i, m, n)
			}
		})
		return divided, p.divide(position)
	}
	return n, p.lossOf(w.answer[n], position)
}

// note records for each unit that node n looks at, itself or by its surrogates, that row i has to turn at node from.
func (p *Permuter) note(i, n, from int32) {
	w := &p.walker
	for _, f := range w.t.Looks(n) {
		p.noteFeature(i, f, from)
	}
	if s := w.t.Surrogates; s != nil {
		for k := s.At[n]; k < s.At[n+1]; k++ {
			p.noteFeature(i, s.Feature[k], from)
		}
	}
}

func (p *Permuter) noteFeature(i, f, from int32) {
	w := &p.walker
	for _, u := range p.within[f] {
		if w.stamp[u] != i+1 {
			w.stamp[u] = i + 1
			w.turns[u] = append(w.turns[u], turn{i, from})
		}
	}
}

// follow takes a row from node n to its end.
func (p *Permuter) follow(n, position int32) (end int32, loss float64) {
	w := &p.walker
	row := p.rows[position]
	for len(w.t.Looks(n)) > 0 {
		next := w.t.NextRow(n, p.columns, row)
		if next < 0 {
			if w.t.SplitOf(n).Missing == tree.MissingStop {
				break
			}
			return divided, p.divide(position)
		}
		n = next
	}
	return n, p.lossOf(w.answer[n], position)
}

// divide returns the loss of a row that goes several ways: its prediction is the sum over its ends of what they
// predict, times the part of the row that ends there.
func (p *Permuter) divide(position int32) float64 {
	w := &p.walker
	clear(w.share)
	w.t.Visit(p.columns, p.rows[position], func(n int32, part float64, end bool) {
		if end && w.read(n) {
			for k, v := range w.value {
				w.share[k] += float64(part * v)
			}
		}
	})
	return p.loss(w.share, position)
}
