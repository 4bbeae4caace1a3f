package hist

import "github.com/coppice-ml/coppice/learn/internal/grow"

// queue is leaves that wait for their turn: that of largest gain comes first, of equal gains the
// lower node; or they come as they were pushed, which is level by level.
type queue struct {
	level  bool
	byGain grow.Heap[*open]
	open   []*open // by level: from next on
	next   int
}

func newQueue(p Policy) *queue {
	return &queue{level: p == DepthWise, byGain: grow.Heap[*open]{Before: before}}
}

func before(a, b *open) bool {
	return a.split.gain > b.split.gain || a.split.gain == b.split.gain && a.node < b.node
}

func (q *queue) push(l *open) {
	if q.level {
		q.open = append(q.open, l)
		return
	}
	q.byGain.Push(l)
}

// peek returns the leaf that is next, nil if there is none.
func (q *queue) peek() *open {
	switch {
	case !q.level:
		l, _ := q.byGain.Peek()
		return l
	case q.next < len(q.open):
		return q.open[q.next]
	}
	return nil
}

// pop takes the next leaf out of the queue, nil if there is none.
func (q *queue) pop() *open {
	l := q.peek()
	switch {
	case l == nil:
	case q.level:
		q.next++
	default:
		q.byGain.Pop()
	}
	return l
}
