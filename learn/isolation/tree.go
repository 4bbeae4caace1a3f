package isolation

import (
	"context"
	"math/bits"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn/internal/exact/random"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/tree"
)

// The purposes of a tree's random streams, whose paths are purpose and number of the tree. They
// never change, because the same seed must give the same bytes.
const (
	forRows   = 1 // which rows the tree is grown on
	forSplits = 2 // the columns and split points of its nodes
)

// usualPaths returns c(0) ... c(n). c(m) is the mean length of the path to one of m rows that are
// split at random until each is alone. An unsuccessful search in a random binary search tree has
// the same length,
//
//	c(m) = 2 H(m-1) - 2 (m-1) / m,   c(0) = c(1) = 0
//
// (Liu et al. 2008, equation 1). The harmonic numbers H are sums, where the paper has the
// approximation log m + 0.5772: c(2) is 1 and not 0.15.
func usualPaths(n int) []float64 {
	c := make([]float64, n+1)
	harmonic := 0.0
	for m := 2; m <= n; m++ {
		harmonic += 1 / float64(m-1)
		c[m] = float64(2*harmonic) - float64(2*(m-1))/float64(m)
	}
	return c
}

// tree grows tree number i.
func (j *job) tree(ctx context.Context, i int) (*tree.Tree, error) {
	rows := j.sample(rng.Seed(j.Seed, forRows, uint64(i)))
	f := j.frame.Subset(rows)
	p, err := random.Prepare(ctx, f, nil, 1)
	if err != nil {
		return nil, err
	}
	limits := grow.Limits{Depth: bits.Len(uint(len(rows) - 1))}
	grown, err := p.GrowUnlabeled(ctx, limits, rng.Seed(j.Seed, forSplits, uint64(i)))
	if err != nil {
		return nil, err // the tree of a cancelled context is not one of the forest
	}
	return j.finish(grown, f)
}

// sample returns the rows of one tree.
func (j *job) sample(seed uint64) []int32 {
	count := make([]uint32, len(j.rows))
	j.sampler.Sample(count, seed)
	rows := make([]int32, 0, j.size)
	for i, n := range count {
		if n > 0 {
			rows = append(rows, j.rows[i])
		}
	}
	return rows
}

// finish makes the tree that the forest keeps of one that was grown on all rows of a table. Its
// leaves hold the length of the path, in units of the expected length for so many rows:
//
//	(depth + c(rows in the leaf)) / c(rows of the tree)
//
// where c is the expected rest of the path, had the leaf's rows been split further. Where no row
// can be split the length is 1.
func (j *job) finish(grown *tree.Tree, f *data.Frame) (*tree.Tree, error) {
	rows, depth, parent := rowsOf(grown, f), grown.Depths(), grown.Parents()
	b := tree.NewBuilder(tree.Scalar, 1, false)
	// The builder numbers nodes as their parents are split, so they are split in the order of their
	// children.
	for child := 1; child < grown.Len(); child += 2 {
		n := parent[child]
		s := grown.SplitOf(n)
		if s.Kind == tree.SetFirst || s.Kind == tree.SetLast {
			s.Kind, s.Set = othersToFewer(f.Columns[s.Feature].Codes(),
				f.Schema.Fields[s.Feature].Levels, rows[child], rows[child+1])
		}
		b.Split(n, s)
	}
	unit := j.usual[f.Rows()]
	for n := range int32(grown.Len()) {
		if len(grown.Looks(n)) > 0 {
			continue
		}
		length := 1.0
		if unit > 0 {
			length = (float64(depth[n]) + j.usual[len(rows[n])]) / unit
		}
		b.SetValue(n, []float64{length})
		b.SetCover(n, float64(len(rows[n])))
	}
	return b.Build()
}

// rowsOf returns the rows of a table that pass through each node of a tree with two children at
// most.
func rowsOf(t *tree.Tree, f *data.Frame) [][]int32 {
	rows, walk := make([][]int32, t.Len()), t.Over(f.Columns)
	rows[0] = data.AllRows(f.Rows())
	for n := range rows {
		if len(t.Looks(int32(n))) == 0 {
			continue
		}
		for _, r := range rows[n] {
			next := walk.Next(int32(n), r)
			rows[next] = append(rows[next], r)
		}
	}
	return rows
}

// othersToFewer describes a split of categories by those that go with the more rows. So categories
// that are not among the rows go with the fewer, of equally many last.
func othersToFewer(code []uint32, levels []string, first, last []int32) (tree.Kind, []uint64) {
	kind, more := tree.SetFirst, first
	if len(last) > len(first) {
		kind, more = tree.SetLast, last
	}
	var set []uint64
	for _, r := range more {
		c := code[r]
		if uint64(c) >= uint64(len(levels)) {
			continue // missing
		}
		for int(c/64) >= len(set) {
			set = append(set, 0)
		}
		set[c/64] |= 1 << (c % 64)
	}
	return kind, set
}
