package engine

import (
	"unsafe"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/tree"
)

// plan is how a tree is walked and what its leaves add.
type plan struct {
	*tree.Tree
	nodes    []kernel.Node // the tree's own
	way      way
	output   int32     // which output the tree feeds, -1 = all
	value    []float64 // by slot, the tree's own or fractions made of its counts
	nonzeros *nonzeros // what is not zero in value; nil: all of it may be something
}

// way is how blocks of rows go down a tree.
type way uint8

const (
	fast           way = iota // the kernel takes every row to a leaf
	withoutMissing            // the kernel takes rows without missing values to a leaf
	plainly                   // every row has the plain walk
)

// maxPlaces is the number of features up to which blocks keep a table for the kernel.
const maxPlaces = 1 << 16

// packed returns nodes in the form of the kernel, which is that of package tree too: the same
// memory.
func packed(nodes []tree.Node) []kernel.Node {
	return unsafe.Slice((*kernel.Node)(unsafe.Pointer(unsafe.SliceData(nodes))), len(nodes))
}

var _ [unsafe.Sizeof(tree.Node{})]byte = [unsafe.Sizeof(kernel.Node{})]byte{}

// newPlan marks the columns that a row needs, surrogates and directions included: the block has no
// others. Features of the survey are numbers + 1, as nodes hold them. Counts become probabilities
// here, so that no row divides.
func newPlan(t *tree.Tree, s *Survey, output int32, used *usedColumns) plan {
	p := plan{Tree: t, nodes: packed(t.Nodes), output: output, value: t.Leaf.Value, way: s.way(t)}
	for _, f := range s.features {
		used.mark(f)
	}
	if t.Dirs != nil {
		for _, f := range t.Dirs.Feature {
			used.mark(uint32(f) + 1)
		}
	}
	if t.Surrogates != nil {
		for _, f := range t.Surrogates.Feature {
			used.mark(uint32(f) + 1)
		}
	}
	if t.Leaf.Linear != nil {
		for _, f := range t.Leaf.Linear.Feature {
			used.mark(uint32(f) + 1)
		}
	}
	w := t.Leaf.Width
	if t.Leaf.Kind == tree.Counts {
		p.value = make([]float64, len(t.Leaf.Value))
		for at := 0; at+w <= len(p.value); at += w {
			tree.Probabilities(p.value[at:at+w], t.Leaf.Value[at:at+w])
		}
	}
	if output < 0 && w > 2 {
		p.nonzeros = nonzerosOf(p.value, w)
	}
	return p
}
