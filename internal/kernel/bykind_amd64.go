//go:build amd64 && !purego

package kernel

// crowd is the number of rows that go down a tree with sets together.
const crowd = 4 * TileRows

// walker is a row on its way.
type walker struct{ node, row uint32 }

// byKind is Descend for trees with sets. What a cut needs and what a set needs are different instructions, and nobody could
// predict which of them a row needs next. So the rows of some tiles go down level by level, those at cuts before those at
// sets; who has taken its step queues by the kind of the node where it has come to:
//
//	queue    0 leaf    1 cut          2 set that holds the first    3 set that holds the second
//	from     0         crowd          2 crowd                       3 crowd
func (d *Descent) byKind(out []int32) {
	var queues [2][4 * crowd]walker
	var at [crowd]uint32 // where the values of each row are, of a column that starts at 0
	for r := range at {
		at[r] = uint32(r/TileRows*d.Tile + r%TileRows)
	}
	l := level{nodes: &d.Nodes[0], place: &d.Place[0], at: &at, setAt: &d.SetAt[0]}
	if len(d.Sets) > 0 {
		l.sets = &d.Sets[0]
	}
	for first := 0; first < len(out); first += crowd {
		l.x = &d.X[first/TileRows*d.Tile]
		ends := out[first:min(first+crowd, len(out))]
		now, next := &queues[0], &queues[1]
		root := d.Nodes[0].Look & 3
		for r := range ends {
			now[root*crowd+uint32(r)] = walker{row: uint32(r)}
		}
		n := [4]int{}
		n[root] = len(ends)
		for n != [4]int{} {
			for _, w := range now[:n[0]] {
				ends[w.row%crowd] = d.end(w.node)
			}
			l.next, l.ends = &next[0], crowd<<16|2*crowd<<32|3*crowd<<48
			for kind := 1; kind < 4; kind++ {
				if n[kind] == 0 {
					continue
				}
				l.row, l.n = &now[kind*crowd], n[kind]
				if kind == 1 {
					stepOfCuts(&l)
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
	}
}

// end returns what Descend writes for a row that ends at a node.
func (d *Descent) end(node uint32) int32 {
	if d.Slots {
		return d.Nodes[node].Child
	}
	return int32(node)
}

// level is what the assembly works on: a queue, and the four that its rows queue up in next.
type level struct {
	nodes *Node
	place *uint32
	x     *float64
	at    *[crowd]uint32
	setAt *int32
	sets  *uint64
	row   *walker // the first of the queue
	n     int     // rows in the queue, at least one
	next  *walker
	ends  uint64 // of the queues in next, 16 bits each
}

// stepOfCuts takes the rows of a queue, whose nodes are cuts, to their next nodes.
//
//go:noescape
func stepOfCuts(l *level)

// stepOfSets does so where the nodes are sets.
//
//go:noescape
func stepOfSets(l *level)

// queueUp puts the rows of the queue into those of next.
//
//go:noescape
func queueUp(l *level)
