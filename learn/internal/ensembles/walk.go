package ensembles

import (
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/tree"
)

// divided stands for the end of a row that does not end at one node.
const divided = -1

// walker is the memory of walks through one tree after the other. Rows are walked one by one. The
// row is copied, so that its values are adjacent, and walked from the root. Then it is walked again
// for each unit that was used on its way. That walk has permuted values in the place of the unit's,
// and starts at the first node that uses it.
type walker struct {
	t        *tree.Tree
	answer   []float64 // by node: what it predicts, a class or a number
	mixed    []float64 // a divided row's prediction
	value    []float64 // one node's fraction of it
	used     []int32   // features that some node tests, ascending
	row      row
	permuted permutedValues
	turns    []turn  // of the row
	stamp    []int32 // by unit: the last walk that has a turn of it
	walks    int32   // through this tree
}

// turn is the first node on a row's path that tests a unit. A row gets there with any values of the
// unit; a row whose path has no such node ends at the same leaf as before.
type turn struct{ unit, node int32 }

// Tree is Member for a tree over the columns: it walks again only those rows that pass a node which
// tests the unit, from the first such node.
func (p *Permuter) Tree(t *tree.Tree, out []int32, stream func(unit int) *rng.Stream) []float64 {
	total := p.weigh(out)
	if total == 0 {
		return nil
	}
	w := &p.walker
	w.start(t, p)
	var units []int32
	for u, seen := range p.units.Touched(w.used) {
		if seen {
			units = append(units, int32(u))
		}
	}
	result := make([]float64, p.Units())
	for len(units) > 0 {
		units = units[p.fill(units, out, stream):]
		for i, position := range out {
			p.retry(i, position, result)
		}
		w.permuted.empty()
	}
	for u := range result {
		result[u] /= total
	}
	return result
}

// start prepares the walker for a tree.
func (w *walker) start(t *tree.Tree, p *Permuter) {
	w.t = t
	w.value = make([]float64, t.Leaf.Width)
	w.mixed = make([]float64, t.Leaf.Width)
	w.answer, w.used = w.answer[:0], make([]int32, 0, len(p.columns)) // not nil, which means all
	looked := make([]bool, len(p.columns))
	for n := range int32(t.Len()) {
		for _, f := range t.Looks(n) {
			looked[f] = true
		}
		answer := 0.0
		if w.read(n) {
			answer = w.value[0]
			if p.truth.Class != nil {
				answer = float64(p.chosen.Label(w.value))
			}
		}
		w.answer = append(w.answer, answer)
	}
	if t.Surrogates != nil {
		for _, f := range t.Surrogates.Feature {
			looked[f] = true
		}
	}
	for f, l := range looked {
		if l {
			w.used = append(w.used, int32(f))
		}
	}
	clear(w.stamp)
	w.walks = 0
}

// read puts what a node predicts into value; false if it has no value.
func (w *walker) read(n int32) bool {
	v := w.t.Value(n)
	copy(w.value, v)
	if w.t.Leaf.Kind == tree.Counts && v != nil {
		tree.Probabilities(w.value, w.value)
	}
	return v != nil
}

// retry adds to the result of each unit that is permuted what it changes for one out-of-bag row,
// the i-th.
func (p *Permuter) retry(i int, position int32, result []float64) {
	w := &p.walker
	w.row.load(p.columns, w.used, p.rows[position])
	end, before := p.walk(position)
	for _, turn := range w.turns {
		features := p.units.Columns(int(turn.unit))
		if !w.row.exchange(features, w.permuted.of(turn.unit), i) {
			continue
		}
		if now, loss := p.follow(turn.node, position); now == divided || now != end {
			result[turn.unit] += p.change(position, loss, before)
		}
		w.row.load(p.columns, features, p.rows[position])
	}
}

// walk takes the row from the root to its end, notes the turns on its way, and returns the end and
// the loss.
func (p *Permuter) walk(position int32) (end int32, loss float64) {
	w := &p.walker
	walk := w.t.Over(w.row.columns)
	w.walks++
	w.turns = w.turns[:0]
	for n := int32(0); ; {
		looks := w.t.Looks(n)
		if len(looks) == 0 {
			return n, p.lossOf(w.answer[n], position)
		}
		p.note(looks, n, n)
		next := walk.Next(n, 0)
		switch {
		case next >= 0:
			n = next
			continue
		case w.t.Missing(n) == tree.MissingStop:
			return n, p.lossOf(w.answer[n], position)
		}
		// Below n the row takes several paths. Whatever these test, the row has to be divided anew.
		walk.Visit(0, func(m int32, _ float64, _ bool) {
			if m > n {
				p.note(w.t.Looks(m), m, n)
			}
		})
		return divided, p.divide(position)
	}
}

// note records for each unit that node n tests, itself or by its surrogates, that the row has to
// turn at node from.
func (p *Permuter) note(looks []int32, n, from int32) {
	w := &p.walker
	for _, f := range looks {
		p.noteFeature(f, from)
	}
	if s := w.t.Surrogates; s != nil {
		for _, f := range s.Feature[s.At[n]:s.At[n+1]] {
			p.noteFeature(f, from)
		}
	}
}

func (p *Permuter) noteFeature(f, from int32) {
	w := &p.walker
	for _, u := range p.units.With(f) {
		if w.stamp[u] != w.walks {
			w.stamp[u] = w.walks
			if w.permuted.has(u) {
				w.turns = append(w.turns, turn{u, from})
			}
		}
	}
}

// follow takes the row from node n to its end.
func (p *Permuter) follow(n, position int32) (end int32, loss float64) {
	w := &p.walker
	walk := w.t.Over(w.row.columns)
	for len(w.t.Looks(n)) > 0 {
		next := walk.Next(n, 0)
		if next < 0 {
			if w.t.Missing(n) == tree.MissingStop {
				break
			}
			return divided, p.divide(position)
		}
		n = next
	}
	return n, p.lossOf(w.answer[n], position)
}

// divide returns the loss of a row that goes several ways: its prediction is the sum over its ends
// of what they predict, times the fraction of the row that ends there.
func (p *Permuter) divide(position int32) float64 {
	w := &p.walker
	clear(w.mixed)
	w.t.Over(w.row.columns).Visit(0, func(n int32, fraction float64, end bool) {
		if end && w.read(n) {
			for k, v := range w.value {
				w.mixed[k] += float64(fraction * v)
			}
		}
	})
	return p.loss(w.mixed, position)
}
