package hist

import "github.com/coppice-ml/coppice/learn/internal/grow"

// queue is leaves that wait for their turn: that of largest gain comes first, of equal gains the
// lower node; or they come by nodes, which is level by level.
type queue struct{ grow.Heap[*open] }

func newQueue(p Policy) *queue {
	if p == DepthWise {
		return &queue{grow.Heap[*open]{Before: func(a, b *open) bool { return a.node < b.node }}}
	}
	return &queue{grow.Heap[*open]{Before: func(a, b *open) bool {
		return a.split.gain > b.split.gain || a.split.gain == b.split.gain && a.node < b.node
	}}}
}

// peek returns the leaf that is next, nil if there is none.
func (q *queue) peek() *open {
	l, _ := q.Peek()
	return l
}

// pop takes the next leaf out of the queue, nil if there is none.
func (q *queue) pop() *open {
	l, _ := q.Pop()
	return l
}
