package engine

import (
	"math"
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

// The fields of kernel.Node.Look.
const (
	kindBits  = 0xf
	ruleAt    = 4
	ruleBits  = 0xf
	featureAt = 8
	noFeature = math.MaxUint32 >> featureAt
)

// packed returns nodes in the form of the kernel, which is that of package tree too: the same
// memory.
func packed(nodes []tree.Node) []kernel.Node {
	return unsafe.Slice((*kernel.Node)(unsafe.Pointer(unsafe.SliceData(nodes))), len(nodes))
}

var _ [unsafe.Sizeof(tree.Node{})]byte = [unsafe.Sizeof(kernel.Node{})]byte{}

func newPlan(t *tree.Tree, output int32, used *usedColumns) plan {
	p := plan{Tree: t, nodes: packed(t.Nodes), output: output, value: t.Leaf.Value}
	p.way = p.survey(used)
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

// survey visits every node once. It collects the columns, and checks what the kernel leaves to its
// callers. Leaves make no branch, since a processor could not predict it.
func (p *plan) survey(used *usedColumns) way {
	kinds, rules, wrong := uint32(0), uint32(0), uint32(0)
	last := uint32(len(p.nodes)) - 1
	for i := range p.nodes {
		d := &p.nodes[i]
		kind := d.Look & kindBits
		kinds |= 1 << kind
		rules |= 1 << (d.Look >> ruleAt & ruleBits) // leaves have MissingFirst
		feature := (d.Look>>featureAt + 1) & noFeature
		used.mark(feature)
		// a child before its parent, or beyond the end
		lies := one(uint32(d.Child)-uint32(i)-1 >= last-min(uint32(i)+1, last))
		wrong |= uint32(one(kind != uint32(tree.Leaf)) & (lies | one(feature == 0)))
		if kind > uint32(tree.Numeric) &&
			!(d.SplitPoint >= 0 && d.SplitPoint < float64(len(p.SetAt)-1)) {
			wrong = 1
		}
	}
	sound := wrong == 0 && p.soundSets()
	const direct = 1<<tree.Leaf | 1<<tree.Numeric | 1<<tree.SetFirst | 1<<tree.SetLast
	switch {
	case !sound || kinds&^direct != 0:
		return plainly
	case rules&^(1<<tree.MissingFirst|1<<tree.MissingLast) != 0:
		return withoutMissing
	}
	return fast
}

// soundSets reports whether the sets lie in order.
func (p *plan) soundSets() bool {
	at := int32(0)
	for _, next := range p.SetAt {
		if next < at {
			return false
		}
		at = next
	}
	return int(at) <= len(p.Sets)
}
