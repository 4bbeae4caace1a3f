//go:build amd64 && !purego

package kernel

// crowd is the largest number of stragglers.
const crowd = 256

// walker is a row and the node that it has reached.
type walker struct{ node, row uint32 }

// stragglers are rows that continue by themselves, each with the node where it has come to.
// Thresholds and sets need different instructions, and a processor cannot predict which of them a
// row needs next. So they go down level by level, those at thresholds before those at sets. After
// its step a row is queued by the kind of the node that it has reached:
//
//	queue    0 leaf    1 threshold    2 set that holds the first    3 set that holds the second
//	from     0         crowd          2 crowd                       3 crowd
type stragglers struct {
	queues [2][4 * crowd]walker
	n      [4]int
	all    int
}

// add adds the rows of a node, which is none of the leaves; out is that of Descend.
func (s *stragglers) add(d *Descent, node uint32, rows []uint16, out []int32) {
	kind := d.Nodes[node].Look & 3
	for len(rows) > 0 {
		if s.all == crowd {
			s.finish(d, out)
		}
		n := min(len(rows), crowd-s.all)
		queue := s.queues[0][int(kind)*crowd+s.n[kind]:][:n]
		for i, r := range rows[:n] {
			queue[i] = walker{node, uint32(r)}
		}
		s.n[kind] += n
		s.all += n
		rows = rows[n:]
	}
}

// finish takes all of them to leaves.
func (s *stragglers) finish(d *Descent, out []int32) {
	l := level{nodes: &d.Nodes[0], place: &d.Place[0], x: &d.X[0], setAt: &d.SetAt[0]}
	if len(d.Sets) > 0 {
		l.sets = &d.Sets[0]
	}
	now, next := &s.queues[0], &s.queues[1]
	n := s.n
	for n != [4]int{} {
		for _, w := range now[:n[0]] {
			out[w.row] = d.end(w.node)
		}
		l.next, l.ends = &next[0], crowd<<16|2*crowd<<32|3*crowd<<48
		for kind := 1; kind < 4; kind++ {
			if n[kind] == 0 {
				continue
			}
			l.row, l.n = &now[kind*crowd], n[kind]
			if kind == 1 {
				stepOfSplitPoints(&l)
			} else {
				stepOfSets(&l)
			}
			queueUp(&l)
		}
		for kind := range n {
			n[kind] = int(l.ends>>(16*kind)&0xffff) - kind*crowd
		}
		now, next = next, now
	}
	s.n, s.all = [4]int{}, 0
}

// level is what the assembly works on: a queue, and the four that its rows queue up in next.
type level struct {
	nodes *Node
	place *uint32
	x     *float64
	setAt *int32
	sets  *uint64
	row   *walker // the first of the queue
	n     int     // rows in the queue, at least one
	next  *walker
	ends  uint64 // of the queues in next, 16 bits each
}

// stepOfSplitPoints takes the rows of a queue, whose nodes are split points, to their next nodes.
//
//go:noescape
func stepOfSplitPoints(l *level)

// stepOfSets does so where the nodes are sets.
//
//go:noescape
func stepOfSets(l *level)

// queueUp puts the rows of the queue into those of next.
//
//go:noescape
func queueUp(l *level)

// partitionByPoint is partitionByPointPlain.
func partitionByPoint(to, rows []uint16, x []float64, threshold float64) int {
	n, done := 0, inVectors(len(rows))
	if done > 0 {
		n = vectorsByPoint(&to[0], &rows[0], len(rows), &x[0], threshold, &packing)
	}
	return n + partitionBySplitPoint(&to[n], &rows[done], len(rows)-done, &x[0], threshold)
}

// partitionSet is partitionSetPlain.
func partitionSet(to, rows []uint16, codes []uint16, width int32, side *[MaxWidth + 2]uint64) int {
	n, done := 0, inVectors(len(rows))
	if done > 0 && width == 1 {
		n = vectorsBySet(&to[0], &rows[0], len(rows), &codes[0], side, &packing)
	} else {
		done = 0
	}
	return n + partitionBySet(&to[n], &rows[done], len(rows)-done, &codes[0], side)
}

// inVectors returns how many rows of a list, from its first, are partitioned by eights. At least
// eight are left, so that the eight at one end do not overwrite others.
func inVectors(rows int) int {
	if !hasAVX2 || rows < 24 {
		return 0
	}
	return rows&^7 - 8
}

// packing is indexed by which of eight rows go first, a bit each. An entry orders the bytes of a
// vector so that those rows are its beginning, and the others, in reverse, its end.
var packing = newPacking()

func newPacking() (p [256][16]uint8) {
	for m := range p {
		first, second := 0, 7
		for i := range uint8(8) {
			at := &second
			if m>>i&1 == 1 {
				at = &first
			}
			p[m][2**at], p[m][2**at+1] = 2*i, 2*i+1
			if at == &first {
				first++
			} else {
				second--
			}
		}
	}
	return p
}

//go:noescape
func partitionBySplitPoint(to, rows *uint16, n int, x *float64, threshold float64) int

//go:noescape
func partitionBySet(to, rows *uint16, n int, codes *uint16, side *[MaxWidth + 2]uint64) int

// vectorsByPoint partitions the rows up to inVectors(n) of a list of n, and returns how many of
// them go first.
//
//go:noescape
func vectorsByPoint(to, rows *uint16, n int, x *float64, threshold float64,
	packing *[256][16]uint8) int

// vectorsBySet does so by the sides of codes below 128.
//
//go:noescape
func vectorsBySet(to, rows *uint16, n int, codes *uint16, side *[MaxWidth + 2]uint64,
	packing *[256][16]uint8) int
