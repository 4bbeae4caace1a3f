package native

import (
	"io"
	"math"
	"unsafe"

	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// forest is the section of trees: structures of arrays, tree after tree. With two trees of 3 and 5 nodes,
//
//	tree.nodes    3     5
//	node.kind     c l l c c l l l
//	node.child    1     1 3          (numbers inside each tree)
//
// The arrays tree.* give the length of each tree's part of the others, so that no offsets can contradict each other.
type forest struct {
	trees []*tree.Tree

	nodes []uint32        // number of nodes
	words []uint32        // length of Sets
	slots []uint32        // number of values, each of width numbers
	width []uint32        // Leaf.Width
	leaf  []tree.LeafKind // Leaf.Kind
	has   []uint8         // which of the arrays that may be nil the tree has

	output  []int32
	weights []float64
	bias    []float64
}

// The bits of forest.has.
const (
	hasSets  = 1 << iota // SetAt
	hasSlots             // Leaf.Slot
	hasStats             // Stats
	hasAll   = 1<<iota - 1
)

// perTree lists the arrays with one element per tree, and the start values.
func (f *forest) perTree() []array {
	return []array{
		whole("tree.nodes", required, &f.nodes),
		whole("tree.words", required, &f.words),
		whole("tree.slots", required, &f.slots),
		whole("tree.width", required, &f.width),
		whole("tree.leaf", required, &f.leaf),
		whole("tree.has", required, &f.has),
		whole("output", required, &f.output),
		whole("weights", required, &f.weights),
		whole("bias", required, &f.bias),
	}
}

// perNode lists the arrays that hold a part for every tree.
func (f *forest) perNode() []array {
	return []array{
		parts(f, "node.kind", required, everyNode, func(t *tree.Tree) *[]tree.Kind { return &t.Kind }),
		parts(f, "node.feature", required, everyNode, func(t *tree.Tree) *[]int32 { return &t.Feature }),
		parts(f, "node.cut", required, everyNode, func(t *tree.Tree) *[]float64 { return &t.Cut }),
		parts(f, "node.child", required, everyNode, func(t *tree.Tree) *[]int32 { return &t.Child }),
		parts(f, "node.arity", required, everyNode, func(t *tree.Tree) *[]int32 { return &t.Arity }),
		parts(f, "node.missing", required, everyNode, func(t *tree.Tree) *[]tree.Missing { return &t.Missing }),
		parts(f, "node.setat", required, setIndex, func(t *tree.Tree) *[]int32 { return &t.SetAt }),
		parts(f, "node.slot", required, slotIndex, func(t *tree.Tree) *[]int32 { return &t.Leaf.Slot }),
		parts(f, "sets", required, setWords, func(t *tree.Tree) *[]uint64 { return &t.Sets }),
		parts(f, "values", required, values, func(t *tree.Tree) *[]float64 { return &t.Leaf.Value }),
		parts(f, "stats.rows", 0, stats, func(t *tree.Tree) *[]uint32 { return &t.Stats.Rows }),
		parts(f, "stats.weight", 0, stats, func(t *tree.Tree) *[]float64 { return &t.Stats.Weight }),
		parts(f, "stats.impurity", 0, stats, func(t *tree.Tree) *[]float64 { return &t.Stats.Impurity }),
		parts(f, "stats.gain", 0, stats, func(t *tree.Tree) *[]float64 { return &t.Stats.Gain }),
	}
}

// The lengths of tree i's parts.

func everyNode(f *forest, i int) uint64 { return uint64(f.nodes[i]) }
func setWords(f *forest, i int) uint64  { return uint64(f.words[i]) }
func values(f *forest, i int) uint64    { return uint64(f.slots[i]) * uint64(f.width[i]) }
func stats(f *forest, i int) uint64     { return f.ifHas(i, hasStats, uint64(f.nodes[i])) }
func slotIndex(f *forest, i int) uint64 { return f.ifHas(i, hasSlots, uint64(f.nodes[i])) }
func setIndex(f *forest, i int) uint64  { return f.ifHas(i, hasSets, uint64(f.nodes[i])+1) }

func (f *forest) ifHas(i int, bit uint8, n uint64) uint64 {
	if f.has[i]&bit == 0 {
		return 0
	}
	return n
}

// parts is the array that the slices of all trees make; length gives the part of each tree, and slice is asked only
// of trees where that is not 0.
func parts[T element](f *forest, name string, flags uint16, length func(*forest, int) uint64, slice func(*tree.Tree) *[]T) array {
	a := newArray[T](name, flags)
	a.count = func() int64 {
		n := uint64(0)
		for i := range f.trees {
			n += length(f, i)
		}
		return int64(n)
	}
	a.emit = func(w io.Writer) error {
		for i, t := range f.trees {
			if length(f, i) == 0 {
				continue
			}
			if _, err := w.Write(rawBytes(*slice(t))); err != nil {
				return err
			}
		}
		return nil
	}
	a.load = func(raw []byte, n int64) bool {
		all := view[T](raw)
		for i, t := range f.trees {
			k := length(f, i)
			if k > uint64(len(all)) {
				return false
			}
			if k > 0 {
				*slice(t), all = all[:k:k], all[k:]
			}
		}
		return len(all) == 0
	}
	return a
}

// newForest measures the trees of a valid ensemble.
func newForest(e *model.Ensemble) *forest {
	f := &forest{trees: e.Trees, output: e.Output, weights: e.Weights, bias: e.Bias}
	for _, t := range e.Trees {
		has := uint8(0)
		if t.SetAt != nil {
			has |= hasSets
		}
		if t.Leaf.Slot != nil {
			has |= hasSlots
		}
		if t.Stats != nil {
			has |= hasStats
		}
		f.nodes = append(f.nodes, uint32(t.Len()))
		f.words = append(f.words, uint32(len(t.Sets)))
		f.slots = append(f.slots, uint32(len(t.Leaf.Value)/t.Leaf.Width))
		f.width = append(f.width, uint32(t.Leaf.Width))
		f.leaf = append(f.leaf, t.Leaf.Kind)
		f.has = append(f.has, has)
	}
	return f
}

// parseTrees reads the trees, count of them, and the numbers of the ensemble beside them.
func parseTrees(p *payload, e *model.Ensemble, count int, b *budget) error {
	t, err := parseTable(p)
	if err != nil {
		return err
	}
	f := &forest{}
	if err := t.load(f.perTree()); err != nil {
		return err
	}
	for _, n := range []int{len(f.nodes), len(f.words), len(f.slots), len(f.width), len(f.leaf), len(f.has)} {
		// Arrays that are 0 for every tree are written too, as they are not empty.
		if n != count {
			return p.corrupt(0, "sizes of %d trees, the header has %d", n, count)
		}
	}
	if err := f.allocate(p, b); err != nil {
		return err
	}
	if err := t.load(f.perNode()); err != nil {
		return err
	}
	if err := t.rest(); err != nil {
		return err
	}
	e.Trees, e.Output, e.Weights, e.Bias = f.trees, f.output, f.weights, f.bias
	return nil
}

// allocate makes the trees without their arrays, once their sizes have been found to be possible. Node numbers and
// positions of values inside a tree are int32.
func (f *forest) allocate(p *payload, b *budget) error {
	n := len(f.nodes)
	size := int64(unsafe.Sizeof(tree.Tree{}) + unsafe.Sizeof(tree.NodeStats{}) + unsafe.Sizeof(f.trees[0]))
	// The validation of trees marks every node.
	if err := b.take(int64(n)*size + int64(len(p.data))); err != nil {
		return err
	}
	trees := make([]tree.Tree, n)
	stat := make([]tree.NodeStats, n)
	f.trees = make([]*tree.Tree, n)
	for i := range trees {
		t := &trees[i]
		switch {
		case f.has[i]&^hasAll != 0:
			return unsupported("tree %d has parts that this program does not know: use a newer program", i)
		case f.nodes[i] == 0 || f.nodes[i] > math.MaxInt32 || f.words[i] > math.MaxInt32 || f.width[i] > math.MaxInt32 || values(f, i) > math.MaxInt32:
			return p.corrupt(0, "tree %d has %d nodes, %d words of sets, %d values of width %d", i, f.nodes[i], f.words[i], f.slots[i], f.width[i])
		}
		t.Leaf.Kind, t.Leaf.Width = f.leaf[i], int(f.width[i])
		if f.has[i]&hasStats != 0 {
			t.Stats = &stat[i]
		}
		f.trees[i] = t
	}
	return nil
}
