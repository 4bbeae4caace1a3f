package kernel

// Node is a node of a tree in the form that Descend walks. Look holds, from its lowest bit, the
// kind (4 bits), the rule for missing values (4 bits) and the column (24 bits):
//
//	kind         0 leaf      1 numeric               2, 3 set
//	SplitPoint   0           threshold               number of the set
//	rule         0           0: missing goes first   1: missing goes second
//	column       all ones    number of the column    number of the column
//
// The children of a node are Child and Child+1. A split point sends values up to the threshold to
// the first; a set sends the codes that it holds to the first (2) or to the second (3), and all
// others to the other.
type Node struct {
	SplitPoint float64
	Child      int32
	Look       uint32
}

// TileRows is the number of rows of a tile.
const TileRows = 64

// Descent is a tree with a block of rows that go down it. The values of the rows lie in tiles of 64
// rows, and in a tile by columns, so that those of a few rows are near each other. A block of 150
// rows of 3 columns is
//
//	X   a ... a  b ... b  c ... c | a ... a  b ... b  c ... c | a ... a  b ... b  c ... c
//	    rows 0 to 63                rows 64 to 127              rows 128 to 149, and any values
//
// Row r has its value of a column in X[Place + r/64*Tile + r%64]; with a Tile of 64 columns lie one
// after the other, whole. Place is indexed by column and rule together, because a missing value has
// two forms. It is -Inf for nodes that send it to the first child, and NaN for the others. The
// caller keeps two copies of columns in which values are missing; the values of sets are codes
// below 2^32, -1 for one that no set holds, or missing.
//
// Place is as long as 16 x columns, and the index of a leaf is beyond it. So the loop ends at every
// node whose column has no place.
type Descent struct {
	Nodes []Node
	SetAt []int32 // set s is Sets[SetAt[s]:SetAt[s+1]], 64 codes a word
	Sets  []uint64

	Place []uint32
	X     []float64
	Tile  int // values of a tile

	Floats  *Floats  // nil, or where UsesFloats of trees without sets
	Scratch *Scratch // and scratch memory

	Codes Codes  // of trees with sets, whose blocks lie column by column: Tile is TileRows
	Ranks *Ranks // nil, or all values of the block, which lists use then
	Sieve *Sieve // and scratch memory

	// Slots reports what Descend writes for a row: the Child of the node at which it ends, or else
	// the node's number.
	Slots bool
}

// secondOfSet returns 1 if a row with value x at a node with a set goes to the second child, else
// 0.
func (d *Descent) secondOfSet(node *Node, x float64) int32 {
	if !(x >= -1) {
		return int32(node.Look >> 4 & 1)
	}
	held := false
	if s := int(node.SplitPoint); x >= 0 {
		code := uint64(x)
		set := d.Sets[d.SetAt[s]:d.SetAt[s+1]]
		held = code>>6 < uint64(len(set)) && set[code>>6]>>(code&63)&1 == 1
	}
	return one(held == (node.Look&1 == 1))
}

// one returns 1 for true; the compiler makes no branch of it.
func one(b bool) int32 {
	if b {
		return 1
	}
	return 0
}

// descend is Descend in plain Go: the twin of the assembly, and what runs where there is none. The
// rows of a tile go down level by level, so that the processor works on several at once; those at
// leaves leave.
func (d *Descent) descend(out []int32) {
	var going [TileRows]uint64 // row << 32 | node
	for first := 0; first < len(out); first += TileRows {
		x := d.X[first/TileRows*d.Tile:]
		ends := out[first:min(first+TileRows, len(out))]
		for r := range ends {
			going[r] = uint64(r) << 32
		}
		for left := going[:len(ends)]; len(left) > 0; {
			if len(d.SetAt) == 0 {
				left = thresholds(d.Nodes, d.Place, x, left, ends)
			} else {
				left = d.level(x, left, ends)
			}
		}
	}
	if d.Slots {
		for r, n := range out {
			out[r] = d.Nodes[n].Child
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

// level takes rows one node further, writes down where they ended, and returns those that did not.
func (d *Descent) level(x []float64, going []uint64, ends []int32) []uint64 {
	left := 0
	for _, g := range going {
		node := &d.Nodes[uint32(g)]
		look := node.Look >> 4
		if uint64(look) >= uint64(len(d.Place)) {
			ends[g>>32] = int32(uint32(g))
			continue
		}
		v := x[d.Place[look]+uint32(g>>32)]
		second := one(!(v <= node.SplitPoint))
		if node.Look&2 != 0 {
			second = d.secondOfSet(node, v)
		}
		going[left] = g>>32<<32 | uint64(uint32(node.Child+second))
		left++
	}
	return going[:left]
}

// thresholds is level for trees without sets, where nodes need no memory but their own.
func thresholds(nodes []Node, place []uint32, x []float64, going []uint64, ends []int32) []uint64 {
	left := 0
	for _, g := range going {
		node := &nodes[uint32(g)]
		look := node.Look >> 4
		if uint64(look) >= uint64(len(place)) {
			ends[g>>32] = int32(uint32(g))
			continue
		}
		second := one(!(x[place[look]+uint32(g>>32)] <= node.SplitPoint))
		going[left] = g>>32<<32 | uint64(uint32(node.Child+second))
		left++
	}
	return going[:left]
}
