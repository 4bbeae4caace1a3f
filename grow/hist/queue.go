package hist

import "github.com/coppice-ml/coppice/grow"

// queue is the order in which leaves are split: of largest gain first, or first come, first served, which is level by level.
type queue struct {
	best  grow.Queue // of numbers in open
	level bool
	open  []*open
	next  int
}

func newQueue(p Policy) *queue { return &queue{best: grow.BestFirst(), level: p == DepthWise} }

// push adds a leaf that has a split.
func (q *queue) push(l *open) {
	if l.split.column < 0 {
		return
	}
	q.open = append(q.open, l)
	if !q.level {
		q.best.Push(grow.Open{Node: l.node, Gain: l.split.gain, Slot: len(q.open) - 1})
	}
}

// pop returns the next leaf, nil if there is none.
func (q *queue) pop() *open {
	if q.level {
		if q.next == len(q.open) {
			return nil
		}
		q.next++
		return q.open[q.next-1]
	}
	o, ok := q.best.Pop()
	if !ok {
		return nil
	}
	return q.open[o.Slot]
}
