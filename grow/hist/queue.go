package hist

// queue is leaves that wait for their turn: that of largest gain comes first, of equal gains the lower node; or they come as
// they were pushed, which is level by level.
type queue struct {
	level bool
	open  []*open // a binary heap: open[i] comes no later than open[2i+1] and open[2i+2]; by level from next on
	next  int
}

func newQueue(p Policy) *queue { return &queue{level: p == DepthWise} }

func before(a, b *open) bool {
	return a.split.gain > b.split.gain || a.split.gain == b.split.gain && a.node < b.node
}

func (q *queue) push(l *open) {
	q.open = append(q.open, l)
	if q.level {
		return
	}
	for i := len(q.open) - 1; i > 0; {
		up := (i - 1) / 2
		if !before(q.open[i], q.open[up]) {
			return
		}
		q.open[i], q.open[up] = q.open[up], q.open[i]
		i = up
	}
}

// peek returns the leaf that is next, nil if there is none.
func (q *queue) peek() *open {
	if q.next == len(q.open) {
		return nil
	}
	return q.open[q.next]
}

// pop takes the next leaf out of the queue.
func (q *queue) pop() *open {
	l := q.peek()
	switch {
	case l == nil:
	case q.level:
		q.next++
	default:
		q.sink()
	}
	return l
}

// sink takes the first leaf out of the heap.
func (q *queue) sink() {
	last := len(q.open) - 1
	q.open[0] = q.open[last]
	q.open = q.open[:last]
	for i := 0; ; {
		next := i
		for c := 2*i + 1; c <= 2*i+2 && c < last; c++ {
			if before(q.open[c], q.open[next]) {
				next = c
			}
		}
		if next == i {
			return
		}
		q.open[i], q.open[next] = q.open[next], q.open[i]
		i = next
	}
}
