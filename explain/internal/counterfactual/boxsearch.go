package counterfactual

import (
	"context"
	"slices"
)

// worker searches one combination of columns at a time, by branch and bound over boxes: ranges of
// choices.
type worker struct {
	s         *search
	v         *variants
	reaches   *reachableLeaves
	columns   []int
	low, high []int32
	bound     change // of a box
	tried     []int32
}

// Boxes of so few changes are predicted: fewer where trees rule boxes out at less cost.
const (
	cellsWithReach = 16
	cellsWithout   = 1024
)

func newWorker(s *search) *worker {
	w := &worker{s: s, v: newVariants(s, cellsWithout)}
	if s.reach != nil {
		w.reaches = &reachableLeaves{reach: s.reach}
	}
	return w
}

// begin prepares a combination of columns; the box is that of all choices.
func (w *worker) begin(columns []int) {
	w.columns, w.low, w.high = columns, w.low[:0], w.high[:0]
	for _, c := range columns {
		w.low, w.high = append(w.low, 0), append(w.high, int32(w.s.columns[c].len()))
	}
	if w.reaches != nil {
		w.reaches.begin(w.s, columns)
	}
	w.v.clear()
}

func (w *worker) search(ctx context.Context, columns []int) error {
	w.begin(columns)
	return w.box(ctx)
}

// box searches the changes from low up to high.
func (w *worker) box(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	w.bound.columns, w.bound.at, w.bound.cost = w.columns, w.low, 0
	cells, widest, most := 1, 0, cellsWithout
	for i, c := range w.columns {
		w.bound.cost += w.s.columns[c].least(w.low[i], w.high[i])
		n := int(w.high[i] - w.low[i])
		cells = min(cells*n, 1<<30)
		if n > int(w.high[widest]-w.low[widest]) {
			widest = i
		}
	}
	if !w.s.better(&w.bound) {
		return nil
	}
	if w.reaches != nil {
		most = cellsWithReach
		if !w.reaches.possible(w.low, w.high) {
			return nil
		}
	}
	if cells <= most {
		return w.try(cells)
	}
	return w.halve(ctx, widest)
}

// halve searches the halves of a box, the one of lower cost first.
func (w *worker) halve(ctx context.Context, i int) error {
	low, high := w.low[i], w.high[i]
	mid := low + (high-low)/2
	x := &w.s.columns[w.columns[i]]
	halves := [2][2]int32{{low, mid}, {mid, high}}
	if x.least(mid, high) < x.least(low, mid) {
		halves[0], halves[1] = halves[1], halves[0]
	}
	for _, h := range halves {
		w.low[i], w.high[i] = h[0], h[1]
		if err := w.box(ctx); err != nil {
			return err
		}
	}
	w.low[i], w.high[i] = low, high
	return nil
}

// try predicts all changes of a box.
func (w *worker) try(cells int) error {
	k := len(w.columns)
	w.tried = w.tried[:0]
	at := slices.Clone(w.low)
	n := 0
	for range cells {
		c := change{w.columns, at, w.s.cost(w.columns, at)}
		if w.s.better(&c) {
			w.v.set(n, w.columns, at)
			w.tried = append(w.tried, at...)
			n++
		}
		for i := k - 1; i >= 0; i-- {
			if at[i]++; at[i] < w.high[i] {
				break
			}
			at[i] = w.low[i]
		}
	}
	if n == 0 {
		return nil
	}
	out, err := w.v.predict(n)
	if err != nil {
		return err
	}
	width := w.s.p.Width()
	for r := range n {
		if w.s.goal.Reached(out[r*width:][:width]) {
			at := w.tried[r*k:][:k]
			w.s.offer(&change{w.columns, at, w.s.cost(w.columns, at)})
		}
	}
	return nil
}
