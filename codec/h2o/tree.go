package h2o

import (
	"encoding/binary"
	"math"
)

// The kinds of nodes.
const (
	leaf  = iota
	below // numbers, or codes, below the value go left
	set   // codes in the set go right
	known // all but missing values go left
)

// node is a node of a tree.
type node struct {
	kind     uint8
	left     bool // missing values and unknown categories go left
	feature  int32
	value    float32 // of a leaf, or what numbers are compared with
	first    int32   // code of the first bit of the set
	bits     int32
	set      []byte
	children [2]int32
}

// right reports whether a number, or the code of a category, goes right.
func (n *node) right(x float64, levels []string) bool {
	if math.IsNaN(x) || x < 0 && levels != nil {
		return !n.left
	}
	switch n.kind {
	case known:
		return false
	case below:
		if levels != nil && x >= float64(len(levels)) {
			return !n.left
		}
		return x >= float64(n.value)
	}
	at := int64(x) - int64(n.first)
	if at < 0 || at >= int64(n.bits) {
		return !n.left
	}
	return n.set[at/8]>>(at%8)&1 == 1
}

// Where missing values go, as the file has it.
const (
	missingApart = 1 // right, and all others left
	missingLeft  = 2
	left         = 4 // of a split that no missing value reached in training
)

// nodeSize bounds the memory of a node of a file.
const nodeSize = 96

// treeReader reads the nodes of a tree, which lie behind each other: a node, its left subtree, and
// its right one.
type treeReader struct {
	*archive
	name  string
	b     []byte
	order binary.ByteOrder
	at    int
}

// take returns the next n bytes.
func (r *treeReader) take(n int) []byte {
	if n < 0 || n > len(r.b)-r.at {
		corrupt(r.name, "the tree ends in the middle of a node, at byte %d", r.at)
	}
	b := r.b[r.at : r.at+n]
	r.at += n
	return b
}

// integer reads an integer of some bytes, without sign.
func (r *treeReader) integer(n int) int {
	b := r.take(n)
	switch n {
	case 1:
		return int(b[0])
	case 2:
		return int(r.order.Uint16(b))
	case 3:
		return int(b[0]) | int(b[1])<<8 | int(b[2])<<16
	}
	return int(int32(r.order.Uint32(b))) // a negative one is beyond the tree
}

func (r *treeReader) float() float32 {
	return math.Float32frombits(r.order.Uint32(r.take(4)))
}

// pending is a node that is still to be read.
type pending struct {
	at     int // its first byte
	parent int32
	side   int
	leaf   bool // its value alone stands there
}

// read returns the nodes, leaves in the order of the file.
func (r *treeReader) read(features int) []node {
	var nodes []node
	open := []pending{{parent: -1}}
	for len(open) > 0 {
		p := open[len(open)-1]
		open = open[:len(open)-1]
		if len(nodes) > len(r.b)/4 { // the least node has four bytes
			corrupt(r.name, "subtrees overlap")
		}
		r.Need(nodeSize)
		if p.parent >= 0 {
			nodes[p.parent].children[p.side] = int32(len(nodes))
		}
		r.at = p.at
		n, below := r.node(p.leaf, int32(len(nodes)), features)
		nodes, open = append(nodes, n), append(open, below...)
	}
	return nodes
}

// node reads a node; below are its children, the right one first.
func (r *treeReader) node(isLeaf bool, number int32, features int) (n node, below []pending) {
	kind, column := 0, noColumn
	if !isLeaf {
		kind, column = r.integer(1), r.integer(2)
	}
	if column == noColumn {
		if n.value = r.float(); !(math.Abs(float64(n.value)) <= math.MaxFloat32) {
			corrupt(r.name, "a leaf has the value %v", n.value)
		}
		return n, nil
	}
	if column >= features {
		corrupt(r.name, "a node splits column %d of %d", column, features)
	}
	n.feature = int32(column)
	r.condition(&n, kind)
	size, first := 0, r.at
	switch mask := kind & 51; {
	case mask <= 3:
		size = r.integer(mask + 1)
		first = r.at
	case mask == 48:
		size = 4
	default:
		corrupt(r.name, "a node has the type %d", kind)
	}
	if size < 0 || size > len(r.b)-first {
		corrupt(r.name, "a subtree of %d bytes at byte %d of %d", size, first, len(r.b))
	}
	return n, []pending{{first + size, number, 1, kind&0x40 != 0},
		{first, number, 0, kind&16 != 0}}
}

// noColumn is the column of a leaf.
const noColumn = 1<<16 - 1

// condition reads what decides the child of a row.
func (r *treeReader) condition(n *node, kind int) {
	missing := r.integer(1)
	n.left = missing == missingLeft || missing == left
	if missing == missingApart {
		n.kind = known
		return
	}
	bytes := 4
	switch kind & 12 {
	case 0:
		n.kind = below
		n.value = r.float()
		return
	case 8:
		n.bits = 32
	case 12:
		first, bits := r.integer(2), r.integer(4)
		if bits < 1 {
			corrupt(r.name, "a set of %d categories", bits)
		}
		n.first, n.bits, bytes = int32(first), int32(bits), (bits-1)/8+1
	default:
		corrupt(r.name, "a node has the type %d", kind)
	}
	n.kind = set
	n.set = r.take(bytes)
}
