package native

import (
	"io"
	"slices"

	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// forest is the section of trees: structures of arrays, tree after tree. With two trees of 3 and 5
// nodes,
//
//	tree.nodes    3     5
//	nodes         c l l c c l l l
//	children      1     1 3          (numbers inside each tree)
//
// The arrays tree.* give the length of each tree's part of the others, so that no offsets can
// contradict each other.
type forest struct {
	trees []*tree.Tree

	nodes []uint32        // number of nodes
	slots []uint32        // number of values, each of width numbers
	width []uint32        // Leaf.Width
	leaf  []tree.LeafKind // Leaf.Kind
	has   []uint32        // which of the arrays that may be nil the tree has

	// Sizes of parts that not all models have; nil: 0 in every tree.
	sets       []uint32 // number of sets
	words      []uint32 // length of Sets
	terms      []uint32 // terms of Dirs
	surrogates []uint32 // number of surrogates
	surrWords  []uint32 // length of Surrogates.Sets
	samples    []uint32 // number of samples
	linear     []uint32 // terms of Leaf.Linear
	codes      []uint32 // codes in Sets, of trees that have them in place of words: see listed.go

	code []uint32 // those codes

	rounds  []int32
	output  []int32
	weights []float64
	bias    []float64
	targets []float64
}

// perTree lists the arrays with one element per tree, and those of the whole ensemble.
func (f *forest) perTree() []array {
	return []array{
		whole("tree.nodes", required, &f.nodes),
		whole("tree.slots", required, &f.slots),
		whole("tree.width", required, &f.width),
		whole("tree.leaf", required, &f.leaf),
		whole("tree.has", required, &f.has),
		whole("tree.sets", required, &f.sets),
		whole("tree.words", required, &f.words),
		whole("tree.terms", required, &f.terms),
		whole("tree.surrs", required, &f.surrogates),
		whole("tree.surrwords", required, &f.surrWords),
		whole("tree.samples", required, &f.samples),
		whole("tree.linear", required, &f.linear),
		whole("tree.codes", required, &f.codes).from(version1_2),
		whole("set.code", required, &f.code),
		whole("rounds", required, &f.rounds),
		whole("output", required, &f.output),
		whole("weights", required, &f.weights),
		whole("bias", required, &f.bias),
		whole("targets", required, &f.targets),
	}
}

// perNode lists the arrays that hold a part for every tree.
func (f *forest) perNode() []array {
	return slices.Concat(f.ofNodes(), f.ofLeaves(), f.ofSplits(), f.ofStats())
}

func (f *forest) ofNodes() []array {
	return []array{
		parts(f, "nodes", required, everyNode, func(t *tree.Tree) *[]tree.Node { return &t.Nodes }),
		parts(f, "set.at", required, setIndex, func(t *tree.Tree) *[]int32 { return &t.SetAt }),
		parts(f, "node.slot", required, slotIndex, func(t *tree.Tree) *[]int32 {
			return &t.Leaf.Slot
		}),
		parts(f, "node.fraction", required, fractions, func(t *tree.Tree) *[]float64 {
			return &t.Fraction
		}),
		parts(f, "node.dirat", required, dirIndex, func(t *tree.Tree) *[]int32 {
			return &t.Dirs.At
		}),
		parts(f, "node.surrat", required, surrIndex, func(t *tree.Tree) *[]int32 {
			return &t.Surrogates.At
		}),
		parts(f, "sets", required, storedWords, func(t *tree.Tree) *[]uint64 { return &t.Sets }),
	}
}

func (f *forest) ofLeaves() []array {
	return []array{
		parts(f, "values", required, values, func(t *tree.Tree) *[]float64 {
			return &t.Leaf.Value
		}),
		parts(f, "sample.at", required, sampleIndex, func(t *tree.Tree) *[]int32 {
			return &t.Leaf.Samples.At
		}),
		parts(f, "sample.rank", required, samples, func(t *tree.Tree) *[]uint32 {
			return &t.Leaf.Samples.Rank
		}),
		parts(f, "sample.weight", required, sampleWeights, func(t *tree.Tree) *[]float64 {
			return &t.Leaf.Samples.Weight
		}),
		parts(f, "linear.at", required, linearIndex, func(t *tree.Tree) *[]int32 {
			return &t.Leaf.Linear.At
		}),
		parts(f, "linear.constant", required, linearConstants, func(t *tree.Tree) *[]float64 {
			return &t.Leaf.Linear.Constant
		}),
		parts(f, "linear.feature", required, linearTerms, func(t *tree.Tree) *[]int32 {
			return &t.Leaf.Linear.Feature
		}),
		parts(f, "linear.coef", required, linearTerms, func(t *tree.Tree) *[]float64 {
			return &t.Leaf.Linear.Coef
		}),
	}
}

// ofSplits lists the arrays of directions and of surrogate splits.
func (f *forest) ofSplits() []array {
	return []array{
		parts(f, "dir.feature", required, terms, func(t *tree.Tree) *[]int32 {
			return &t.Dirs.Feature
		}),
		parts(f, "dir.coef", required, terms, func(t *tree.Tree) *[]float64 {
			return &t.Dirs.Coef
		}),
		parts(f, "surr.kind", required, surrogates, func(t *tree.Tree) *[]tree.Kind {
			return &t.Surrogates.Kind
		}),
		parts(f, "surr.feature", required, surrogates, func(t *tree.Tree) *[]int32 {
			return &t.Surrogates.Feature
		}),
		parts(f, "surr.split", required, surrogates, func(t *tree.Tree) *[]float64 {
			return &t.Surrogates.SplitPoint
		}),
		parts(f, "surr.flip", required, surrogates, func(t *tree.Tree) *[]uint8 {
			return &t.Surrogates.Flip
		}),
		parts(f, "surr.setat", required, surrSetIndex, func(t *tree.Tree) *[]int32 {
			return &t.Surrogates.SetAt
		}),
		parts(f, "surr.sets", required, surrWords, func(t *tree.Tree) *[]uint64 {
			return &t.Surrogates.Sets
		}),
		parts(f, "surr.agree", 0, surrogates, func(t *tree.Tree) *[]float64 {
			return &t.Surrogates.Agree
		}),
		parts(f, "surr.adjusted", 0, surrogates, func(t *tree.Tree) *[]float64 {
			return &t.Surrogates.Adjusted
		}),
	}
}

func (f *forest) ofStats() []array {
	return []array{
		parts(f, "stats.rows", 0, stats, func(t *tree.Tree) *[]uint32 { return &t.Stats.Rows }),
		parts(f, "stats.weight", 0, stats, func(t *tree.Tree) *[]float64 {
			return &t.Stats.Weight
		}),
		parts(f, "stats.impurity", 0, stats, func(t *tree.Tree) *[]float64 {
			return &t.Stats.Impurity
		}),
		parts(f, "stats.gain", 0, stats, func(t *tree.Tree) *[]float64 { return &t.Stats.Gain }),
	}
}

// The lengths of tree i's parts.

func everyNode(f *forest, i int) uint64 { return uint64(f.nodes[i]) }
func sets(f *forest, i int) uint64      { return optional(f.sets, i) }
func setWords(f *forest, i int) uint64  { return optional(f.words, i) }
func values(f *forest, i int) uint64    { return uint64(f.slots[i]) * uint64(f.width[i]) }
func stats(f *forest, i int) uint64     { return f.ifHas(i, hasStats, everyNode(f, i)) }
func slotIndex(f *forest, i int) uint64 { return f.ifHas(i, hasSlots, everyNode(f, i)) }
func setIndex(f *forest, i int) uint64  { return f.ifHas(i, hasSets, sets(f, i)+1) }
func fractions(f *forest, i int) uint64 { return f.ifHas(i, hasFractions, everyNode(f, i)) }
func dirIndex(f *forest, i int) uint64  { return f.ifHas(i, hasDirections, everyNode(f, i)+1) }
func surrIndex(f *forest, i int) uint64 { return f.ifHas(i, hasSurrogates, everyNode(f, i)+1) }
func surrSetIndex(f *forest, i int) uint64 {
	return f.ifHas(i, hasSurrogateSets, surrogates(f, i)+1)
}
func sampleIndex(f *forest, i int) uint64 { return f.ifHas(i, hasSamples, uint64(f.slots[i])+1) }
func samples(f *forest, i int) uint64     { return optional(f.samples, i) }
func linearIndex(f *forest, i int) uint64 { return f.ifHas(i, hasLinear, uint64(f.slots[i])+1) }
func linearTerms(f *forest, i int) uint64 { return optional(f.linear, i) }
func terms(f *forest, i int) uint64       { return optional(f.terms, i) }
func surrogates(f *forest, i int) uint64  { return optional(f.surrogates, i) }
func surrWords(f *forest, i int) uint64   { return optional(f.surrWords, i) }

func sampleWeights(f *forest, i int) uint64 {
	return f.ifHas(i, hasSampleWeights, samples(f, i))
}

func linearConstants(f *forest, i int) uint64 {
	return f.ifHas(i, hasLinear, uint64(f.slots[i]))
}

func (f *forest) ifHas(i int, bit uint32, n uint64) uint64 {
	if f.has[i]&bit == 0 {
		return 0
	}
	return n
}

// optional is element i of an array that may be nil.
func optional(s []uint32, i int) uint64 {
	if s == nil {
		return 0
	}
	return uint64(s[i])
}

// parts is the array that the slices of all trees make; length gives the part of each tree, and
// slice is requested only of trees where that is not 0.
func parts[T element](
	f *forest, name string, flags uint16, length func(*forest, int) uint64,
	slice func(*tree.Tree) *[]T,
) array {
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

// parseTrees reads the trees, count of them, and the numbers of the ensemble beside them.
func parseTrees(p *payload, e *model.Ensemble, count int, b *budget) {
	t := parseTable(p)
	f := &forest{}
	t.load(f.perTree())
	for _, n := range []int{len(f.nodes), len(f.slots), len(f.width), len(f.leaf), len(f.has)} {
		// Arrays that are 0 for every tree are written too, as they are not empty.
		if n != count {
			p.corrupt(0, "sizes of %d trees, the header has %d", n, count)
		}
	}
	for _, s := range [][]uint32{f.sets, f.words, f.terms, f.surrogates, f.surrWords,
		f.samples, f.linear, f.codes} {
		if s != nil && len(s) != count {
			p.corrupt(0, "sizes of %d trees, the header has %d", len(s), count)
		}
	}
	f.allocate(p, b)
	t.load(f.perNode())
	t.rest()
	f.makeSets(p, b)
	e.Trees, e.Rounds, e.Output, e.Weights, e.Bias, e.Targets = f.trees, f.rounds, f.output,
		f.weights, f.bias, f.targets
}
