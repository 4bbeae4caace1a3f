package hist

import "sync"

// treeMemory is memory of a tree that its grower uses again once the tree is released. Small trees
// spend a fifth of their time on memory that they do not have yet.
type treeMemory struct {
	nodes, split []*open
	leaves       []Leaf
	values       []float64 // of leaves
	side         [][]uint8 // by node that is split, of rows that come to it; see visit
	unseen       []unseen  // of placeUnseen, with the weight of each node's rows
	weight       []float64

	mu      sync.Mutex // of those below: several workers make children
	portion []*[siblingsAtOnce]siblings
	used    int // siblings
}

// unseen is the splits for which the rule is applied together: that of one node, or those of a
// level of a symmetric tree, which are one split.
type unseen struct {
	of    []*open
	first bool // values that the node had not go to the first child
	// rows by bin of the column in the children whose values may move, see counted, and the leaves
	// below those of them whose rows have to be counted
	counts []int32
	leaves []*open
}

// split returns the split that all nodes have.
func (u *unseen) split() *split { return &u.of[0].split }

// siblings is the children of a leaf, and their sums where there is one output.
type siblings struct {
	of    [2]open
	stats [2]stat
}

const siblingsAtOnce = 16

// take returns siblings that are not in use, of any content.
func (m *treeMemory) take() *siblings {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.used == len(m.portion)*siblingsAtOnce {
		m.portion = append(m.portion, new([siblingsAtOnce]siblings))
	}
	m.used++
	return &m.portion[(m.used-1)/siblingsAtOnce][(m.used-1)%siblingsAtOnce]
}

// newBranches returns a tree with a root alone, in memory that is not in use.
func (in *inputs) newBranches(root *open) branches {
	if in.memory, in.spare = in.spare, nil; in.memory == nil {
		in.memory = &treeMemory{}
	}
	return branches{nodes: append(in.memory.nodes[:0], root), split: in.memory.split[:0]}
}
