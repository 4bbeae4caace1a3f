package native

import (
	"math"
	"unsafe"

	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// The bits of forest.has.
const (
	hasSets          = 1 << iota // SetAt
	hasSlots                     // Leaf.Slot
	hasStats                     // Stats
	hasFractions                 // Fraction
	hasDirections                // Dirs
	hasSurrogates                // Surrogates
	hasSurrogateSets             // Surrogates.SetAt
	hasInNodes                   // Leaf.InNodes
	hasSamples                   // Leaf.Samples
	hasSampleWeights             // Leaf.Samples.Weight
	hasLinear                    // Leaf.Linear
	hasAll           = 1<<iota - 1
)

// hasOf returns the bits of a tree.
func hasOf(t *tree.Tree) uint32 {
	has := uint32(0)
	mark := func(bit uint32, is bool) {
		if is {
			has |= bit
		}
	}
	mark(hasSets, t.SetAt != nil)
	mark(hasSlots, t.Leaf.Slot != nil)
	mark(hasStats, t.Stats != nil)
	mark(hasFractions, t.Fraction != nil)
	mark(hasDirections, t.Dirs != nil)
	mark(hasSurrogates, t.Surrogates != nil)
	mark(hasSurrogateSets, t.Surrogates != nil && t.Surrogates.SetAt != nil)
	mark(hasInNodes, t.Leaf.InNodes)
	mark(hasSamples, t.Leaf.Samples != nil)
	mark(hasSampleWeights, t.Leaf.Samples != nil && t.Leaf.Samples.Weight != nil)
	mark(hasLinear, t.Leaf.Linear != nil)
	return has
}

// newForest finds the sizes of the trees of a valid ensemble.
func newForest(e *model.Ensemble) *forest {
	f := &forest{trees: e.Trees, rounds: e.Rounds, output: e.Output, weights: e.Weights, bias: e.Bias,
		targets: e.Targets}
	for _, t := range e.Trees {
		f.nodes = append(f.nodes, uint32(t.Len()))
		f.slots = append(f.slots, uint32(len(t.Leaf.Value)/t.Leaf.Width))
		f.width = append(f.width, uint32(t.Leaf.Width))
		f.leaf = append(f.leaf, t.Leaf.Kind)
		f.has = append(f.has, hasOf(t))
	}
	f.sets = f.sizes(hasSets, func(t *tree.Tree) int { return len(t.SetAt) - 1 })
	f.words = f.sizes(hasSets, func(t *tree.Tree) int { return len(t.Sets) })
	f.terms = f.sizes(hasDirections, func(t *tree.Tree) int { return len(t.Dirs.Feature) })
	f.surrogates = f.sizes(hasSurrogates, func(t *tree.Tree) int { return len(t.Surrogates.Kind) })
	f.surrWords = f.sizes(hasSurrogates, func(t *tree.Tree) int { return len(t.Surrogates.Sets) })
	f.samples = f.sizes(hasSamples, func(t *tree.Tree) int { return len(t.Leaf.Samples.Rank) })
	f.linear = f.sizes(hasLinear, func(t *tree.Tree) int { return len(t.Leaf.Linear.Feature) })
	return f
}

// sizes returns the size of a part of every tree that has a bit, nil if all are 0.
func (f *forest) sizes(bit uint32, of func(*tree.Tree) int) []uint32 {
	all, most := make([]uint32, len(f.trees)), uint32(0)
	for i, t := range f.trees {
		if f.has[i]&bit != 0 {
			all[i] = uint32(of(t))
			most = max(most, all[i])
		}
	}
	if most == 0 {
		return nil
	}
	return all
}

// allocate makes the trees without their arrays, once their sizes have been found to be possible.
func (f *forest) allocate(p *payload, b *budget) {
	n, withStats, directed, withSurrogates, sampled, linear := len(f.nodes), f.count(hasStats),
		f.count(hasDirections), f.count(hasSurrogates), f.count(hasSamples), f.count(hasLinear)
	size := int64(n)*int64(unsafe.Sizeof(tree.Tree{})+unsafe.Sizeof(f.trees[0])) +
		int64(withStats)*int64(unsafe.Sizeof(tree.NodeStats{})) +
		int64(directed)*int64(unsafe.Sizeof(tree.Directions{})) +
		int64(withSurrogates)*int64(unsafe.Sizeof(tree.Surrogates{})) +
		int64(sampled)*int64(unsafe.Sizeof(tree.Samples{})) +
		int64(linear)*int64(unsafe.Sizeof(tree.Linear{}))
	// The validation of trees marks every node.
	b.take(size + int64(len(p.data)))
	trees := make([]tree.Tree, n)
	stat := make([]tree.NodeStats, withStats)
	dir := make([]tree.Directions, directed)
	surr := make([]tree.Surrogates, withSurrogates)
	sample := make([]tree.Samples, sampled)
	equations := make([]tree.Linear, linear)
	f.trees = make([]*tree.Tree, n)
	for i := range trees {
		f.checkSizes(p, i)
		t := &trees[i]
		t.Leaf.Kind, t.Leaf.Width, t.Leaf.InNodes = f.leaf[i], int(f.width[i]),
			f.has[i]&hasInNodes != 0
		if f.has[i]&hasStats != 0 {
			t.Stats, stat = &stat[0], stat[1:]
		}
		if f.has[i]&hasDirections != 0 {
			t.Dirs, dir = &dir[0], dir[1:]
		}
		if f.has[i]&hasSurrogates != 0 {
			t.Surrogates, surr = &surr[0], surr[1:]
		}
		if f.has[i]&hasSamples != 0 {
			t.Leaf.Samples, sample = &sample[0], sample[1:]
		}
		if f.has[i]&hasLinear != 0 {
			t.Leaf.Linear, equations = &equations[0], equations[1:]
		}
		f.trees[i] = t
	}
}

// count returns the number of trees that have a part.
func (f *forest) count(bit uint32) int {
	n := 0
	for _, has := range f.has {
		if has&bit != 0 {
			n++
		}
	}
	return n
}

// checkSizes checks the sizes of tree i before anything is sliced by them. Node numbers and
// positions inside a tree are int32, and only a part that the tree has can have a size.
func (f *forest) checkSizes(p *payload, i int) {
	const most = math.MaxInt32
	has := f.has[i]
	switch {
	case has&^hasAll != 0:
		unsupported("tree %d has arrays of a newer version: use a newer program", i)
	case f.nodes[i] == 0 || f.nodes[i] > most || f.width[i] > most || values(f, i) > most:
		p.corrupt(0, "tree %d has %d nodes, %d values of width %d", i, f.nodes[i],
			f.slots[i], f.width[i])
	case sets(f, i) >= most || setWords(f, i) > most:
		p.corrupt(0, "tree %d has %d sets, %d words of them", i, sets(f, i), setWords(f, i))
	case terms(f, i) > most || surrogates(f, i) > most || surrWords(f, i) > most:
		p.corrupt(0,
			"tree %d has %d terms of directions, %d surrogates, %d words of their sets", i,
			terms(f, i), surrogates(f, i), surrWords(f, i))
	case has&hasSets == 0 && sets(f, i)+setWords(f, i) > 0:
		p.corrupt(0, "tree %d has %d sets, %d words of them, and no sets", i, sets(f, i),
			setWords(f, i))
	case has&hasDirections == 0 && terms(f, i) > 0:
		p.corrupt(0, "tree %d has %d terms and no directions", i, terms(f, i))
	case has&hasSurrogates == 0 && (surrogates(f, i) > 0 || has&hasSurrogateSets != 0),
		has&hasSurrogateSets == 0 && surrWords(f, i) > 0:
		p.corrupt(0, "tree %d has arrays of surrogates that it does not have", i)
	case samples(f, i) > most || f.slots[i] >= most:
		p.corrupt(0, "tree %d has %d samples, %d values", i, samples(f, i), f.slots[i])
	case has&hasSamples == 0 && (samples(f, i) > 0 || has&hasSampleWeights != 0):
		p.corrupt(0, "tree %d has arrays of samples that it does not have", i)
	case linearTerms(f, i) > most || has&hasLinear == 0 && linearTerms(f, i) > 0:
		p.corrupt(0, "tree %d has %d terms of equations, or no equations", i,
			linearTerms(f, i))
	}
}
