package kernel

// Codes are the categories of a block in 16 bits, for lists of rows:
//
//	code         0 ... 64 x Width - 1   64 x Width                            64 x Width + 1
//	stands for   itself                 any that no set of the column holds   a missing value
type Codes struct {
	Width []int32  // by column: the words of its longest set in any tree, 0 = it has none
	First []int32  // by column: where its codes start in Code; row r's is r further
	Code  []uint16 // nil if a column is wider than MaxWidth
}

// MaxWidth is the number of words of a set up to which rows have codes.
const MaxWidth = 1<<10 - 2

// CodeOf returns the code of a value in a column of a width.
func CodeOf(x float64, width int32) uint16 {
	switch {
	case x >= 0 && x < float64(64*width):
		return uint16(x)
	case x == x: // it is a number
		return uint16(64 * width)
	}
	return uint16(64*width + 1)
}

// few is the number of rows of a node up to which rows continue one by one, because a partition
// would take longer.
const few = 4

// Sieve is the memory in which the rows of a block, at most 1<<16, are partitioned.
type Sieve struct {
	all    []uint16    // 0, 1, 2 ...
	list   [2][]uint16 // the rows of the nodes at hand
	side   [MaxWidth + 2]uint64
	single stragglers

	// of partitions by ranks
	ranked           []ranked
	thresholds, sets []int32  // numbers of nodes
	rows, spare      []uint16 // each times 4
	wait             []region
	wanderer         [wanderers]wanderer
	scattered        int
}

// heap is the rows of a node.
type heap struct {
	node   uint32
	lo, hi int
	list   int // which of Sieve.list
}

// route is Descend for trees with sets, and column by column (Tile is TileRows). The rows of a node
// are a list, which the node's test partitions into two. So the test is loaded once for all of
// them, and in a node far down the rows' values are in the cache. The rows of short lists continue
// by themselves. Children are written to the other array than their node:
//
//	list 0   | 0 1 2 3 4 5 6 7 |
//	list 1   | 0 2 3 7 | 6 5 4 1 |      those that go second from the end, in reverse
//	list 0   | 2 7 | 3 0 |
//
// The longer list waits. So no more than log2 of the rows do.
func (d *Descent) route(out []int32) {
	s := d.Sieve
	s.grow(len(out))
	var wait [17]heap
	waiting := 0
	at := heap{hi: len(out), list: 1}
	rows := s.all[:len(out)]
	for {
		node := &d.Nodes[at.node]
		switch {
		case uint64(node.Look>>4) >= uint64(len(d.Place)):
			end := d.end(at.node)
			for _, r := range rows {
				out[r] = end
			}
		case len(rows) <= few || node.Look&2 != 0 && !d.sided(node, len(rows)):
			s.single.add(d, at.node, rows, out)
		default:
			less, more := d.partition(at, rows)
			if at = more; less.lo < less.hi {
				at, wait[waiting] = less, more
				waiting++
			}
			rows = s.list[at.list][at.lo:at.hi]
			continue
		}
		if waiting == 0 {
			break
		}
		waiting--
		at = wait[waiting]
		rows = s.list[at.list][at.lo:at.hi]
	}
	s.single.finish(d, out)
}

// partition partitions the rows of a node and returns those of its children, the shorter list
// first. The sides of a set are in the Sieve.
func (d *Descent) partition(h heap, rows []uint16) (less, more heap) {
	node, to := &d.Nodes[h.node], 1-h.list
	list, n := d.Sieve.list[to][h.lo:h.hi], 0
	if node.Look&2 == 0 {
		n = partitionByPoint(list, rows, d.X[d.Place[node.Look>>4]:], node.SplitPoint)
	} else {
		column := node.Look >> 8
		n = partitionSet(list, rows, d.Codes.Code[d.Codes.First[column]:], d.Codes.Width[column],
			&d.Sieve.side)
	}
	first := heap{uint32(node.Child), h.lo, h.lo + n, to}
	second := heap{uint32(node.Child) + 1, h.lo + n, h.hi, to}
	if n > len(rows)-n {
		return second, first
	}
	return first, second
}

// grow allocates memory for lists of some rows.
func (s *Sieve) grow(rows int) {
	for r := len(s.all); r < rows; r++ {
		s.all = append(s.all, uint16(r))
	}
	for i := range s.list {
		if len(s.list[i]) < rows {
			s.list[i] = make([]uint16, rows)
		}
	}
}

// sided writes down, in the sieve, the side that a node with a set sends each code to, a bit each:
// 1 is the second. It reports whether that was worth it for so many rows, and could be done.
func (d *Descent) sided(node *Node, rows int) bool {
	if d.Codes.Code == nil {
		return false
	}
	width := d.Codes.Width[node.Look>>8]
	if int(width) > 2*rows {
		return false
	}
	set := int(node.SplitPoint)
	words := d.Sets[d.SetAt[set]:d.SetAt[set+1]]
	flip := uint64(node.Look&1) - 1 // all ones where a set is of those that go first
	side := d.Sieve.side[: width+1 : width+1]
	for i := range side {
		side[i] = flip
	}
	for i, w := range words {
		side[i] = w ^ flip
	}
	side[width] = flip&1 | uint64(node.Look>>4&1)<<1
	return true
}

// partitionByPointPlain writes the rows whose value is not above a split point to the beginning of
// a list. The others, and those without a value, go to its end, in reverse. It returns how many the
// former are. It is the twin of the assembly.
//
// Each row is written to both places, of which one moves on.
func partitionByPointPlain(to, rows []uint16, x []float64, threshold float64) int {
	to = to[:len(rows)]
	n := 0
	for i, r := range rows {
		to[n] = r
		to[len(rows)-1-i+n] = r
		n += int(one(x[r] <= threshold))
	}
	return n
}

// partitionSetPlain is partitionByPointPlain by the sides of codes.
func partitionSetPlain(to, rows []uint16, codes []uint16, side *[MaxWidth + 2]uint64) int {
	to = to[:len(rows)]
	n := 0
	for i, r := range rows {
		to[n] = r
		to[len(rows)-1-i+n] = r
		c := codes[r]
		n += 1 - int(side[c>>6%1024]>>(c&63)&1)
	}
	return n
}
