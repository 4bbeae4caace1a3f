package kernel

import "slices"

// ranked is a node of a tree that compares ranks. A row with a code of a value goes second if
//
//	sets         side >> (code - base) & 1      base and turn 0, side has a bit for each code
//	thresholds   side >> (code - base < 0) & 1  base: the least code to go second, side 1, turn 63
//
// which is one and the same step, with a shift by turn in between. Leaves have leafBase.
type ranked struct {
	side  uint64
	child uint32 // and turn, in the lowest 6 bits; of leaves what Descend writes for them
	base  uint16
	value uint16
}

const (
	turnBits  = 6
	splitTurn = 63
	leafBase  = 1<<16 - 1
)

// region is the rows of a node: those from lo to hi of the list.
type region struct{ node, lo, hi int32 }

const (
	stripped  = 2048 // rows of a node from which on they use strips
	scattered = 32   // rows of a node up to which they continue by themselves
	wanderers = 128  // the largest number of such rows
)

// wanderer is a row and the node that it has reached.
type wanderer struct {
	node uint32
	row  uint32 // times 4
}

// byRanks is Descend by ranks. As in route, the rows of a node are a list that is partitioned by
// the node's test. But there is one list, in which the rows of a node become those of its children
// in order:
//
//	0 1 2 3 4 5 6 7
//	0 2 3 7 | 1 4 5 6
//	0 3 | 2 7 | 1 4 5 6
//
// The rows of short lists continue by themselves, those of some lists together. It reports whether
// the numbers of nodes and slots fit.
func (d *Descent) byRanks(out []int32) bool {
	s := d.Sieve
	if !d.rank() {
		return false
	}
	s.lay(len(out))
	wait := append(s.wait[:0], region{0, 0, int32(len(out))})
	for len(wait) > 0 {
		r := wait[len(wait)-1]
		wait = wait[:len(wait)-1]
		n := &s.ranked[r.node]
		switch {
		case r.hi-r.lo <= scattered:
			s.scatter(d, r, out)
		case n.base == leafBase:
			for _, row := range s.rows[r.lo:r.hi] {
				out[row/4] = int32(n.child >> turnBits)
			}
		default:
			mid := r.lo + int32(s.divide(d.Ranks, n, int(r.lo), int(r.hi)))
			child := int32(n.child >> turnBits)
			wait = append(wait, region{child + 1, mid, r.hi}, region{child, r.lo, mid})
		}
	}
	s.wait = wait
	s.wander(d, out)
	return true
}

// rank makes ranked nodes of all nodes. It handles all thresholds in one loop and all sets in
// another, so that no branch depends on the kind of a node.
func (d *Descent) rank() bool {
	s, k := d.Sieve, d.Ranks
	n := len(d.Nodes)
	s.ranked = slices.Grow(s.ranked[:0], n)[:n]
	s.thresholds = slices.Grow(s.thresholds[:0], n+1)[:n+1]
	s.sets = slices.Grow(s.sets[:0], n+1)[:n+1]
	nodes, ranks, isNumeric, isSet := d.Nodes, s.ranked[:n], s.thresholds[:n+1], s.sets[:n+1]
	thresholds, sets, over := uint(0), uint(0), uint32(0)
	slots := uint32(0)
	if d.Slots {
		slots--
	}
	for i := range nodes {
		look, child := nodes[i].Look, uint32(nodes[i].Child)
		end := child&slots | uint32(i)&^slots
		ranks[i] = ranked{child: end << turnBits, base: leafBase}
		isNumeric[thresholds], isSet[sets] = int32(i), int32(i)
		set := look >> 1 & 1
		thresholds += uint(look &^ set & 1)
		sets += uint(set)
		over |= end
	}
	for _, i := range s.thresholds[:thresholds] {
		node := &d.Nodes[i]
		over |= uint32(node.Child)
		s.ranked[i] = ranked{1, uint32(node.Child)<<turnBits | splitTurn,
			uint16(k.scale[node.Look>>8].upTo(node.SplitPoint) + 1), k.at[node.Look>>4]}
	}
	for _, i := range s.sets[:sets] {
		node := &d.Nodes[i]
		over |= uint32(node.Child)
		set := int(node.SplitPoint)
		flip := uint64(node.Look&1) - 1 // all ones where a set is of those that go first
		side := flip
		if at := d.SetAt[set]; at < d.SetAt[set+1] {
			side ^= d.Sets[at]
		}
		side = side&^(3<<ownLevels) | (flip&1|uint64(node.Look>>4&1)<<1)<<ownLevels
		s.ranked[i] = ranked{side, uint32(node.Child) << turnBits, 0, k.at[node.Look>>4]}
	}
	return over <= MaxRankedNodes
}

// lay makes the list of all rows, each times 4.
func (s *Sieve) lay(rows int) {
	n := rows + slack
	s.spare = slices.Grow(s.spare[:0], n)[:n]
	s.rows = slices.Grow(s.rows[:0], n)[:n]
	for r := range s.rows {
		s.rows[r] = uint16(4 * r)
	}
}

// divide partitions the rows of a node, and returns how many go first.
func (s *Sieve) divide(k *Ranks, n *ranked, lo, hi int) int {
	if hi-lo >= stripped {
		y := k.strips[k.strip(int(n.value)):]
		if n.child&splitTurn == splitTurn {
			return partitionRanks(s.rows, s.spare, lo, hi, y, strip, n.base)
		}
		return partitionLevels(s.rows, s.spare, lo, hi, y, strip, n.side)
	}
	x := k.X[k.start[n.value]:]
	if n.child&splitTurn == splitTurn {
		return partitionRanks(s.rows, s.spare, lo, hi, x, panel, n.base)
	}
	return partitionLevels(s.rows, s.spare, lo, hi, x, panel, n.side)
}

// scatter adds the rows of a node.
func (s *Sieve) scatter(d *Descent, r region, out []int32) {
	if s.scattered+scattered > wanderers {
		s.wander(d, out)
	}
	rows := s.rows[r.lo:r.hi]
	to := s.wanderer[s.scattered:][:len(rows)]
	for i, row := range rows {
		to[i] = wanderer{uint32(r.node), uint32(row)}
	}
	s.scattered += len(rows)
}

// wander takes those that are scattered to leaves.
func (s *Sieve) wander(d *Descent, out []int32) {
	if s.scattered > 0 {
		wander(s.wanderer[:s.scattered], s.ranked, d.Ranks, out)
		s.scattered = 0
	}
}

// wanderPlain takes rows to leaves, level by level, and writes where they end; what it writes for
// them before is written over. It is the twin of the assembly.
func wanderPlain(going []wanderer, nodes []ranked, k *Ranks, out []int32) {
	for len(going) > 0 {
		left := 0
		for _, w := range going {
			n := &nodes[w.node]
			code := int(k.X[int(k.start[n.value])+panel/4*int(w.row)])
			at := (code - int(n.base)) >> (n.child & splitTurn)
			child := n.child >> turnBits
			out[w.row/4] = int32(child)
			going[left] = wanderer{child + uint32(n.side>>(at&63)&1), w.row}
			left += int(one(n.base != leafBase))
		}
		going = going[:left]
	}
}

// partitionRanksPlain puts the rows lo to hi of a list whose code is less than another one before
// the others, each in their order, and returns how many they are. A row, which is a number times 4,
// has its code stride codes behind that of the row before. spare is as long as the list. It is the
// twin of the assembly.
func partitionRanksPlain(
	rows, spare []uint16, lo, hi int, x []uint16, stride int, base uint16,
) int {
	first, last := lo, 0
	for _, r := range rows[lo:hi] {
		second := int(one(x[stride*int(r)/4] >= base))
		rows[first], spare[last] = r, r
		first += 1 - second
		last += second
	}
	copy(rows[first:hi], spare)
	return first - lo
}

// partitionLevelsPlain is partitionRanksPlain by a word that has the side of each code, 1 for the
// second.
func partitionLevelsPlain(
	rows, spare []uint16, lo, hi int, x []uint16, stride int, side uint64,
) int {
	first, last := lo, 0
	for _, r := range rows[lo:hi] {
		second := int(side >> (x[stride*int(r)/4] & 63) & 1)
		rows[first], spare[last] = r, r
		first += 1 - second
		last += second
	}
	copy(rows[first:hi], spare)
	return first - lo
}
