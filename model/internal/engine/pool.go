package engine

import (
	"math/bits"
	"slices"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/tree"
)

// Pool is a compiled ensemble whose leaves keep the training values that made them. For a row it
// pools those of all the leaves that the row reaches (Meinshausen 2006, equation 4). A leaf has the
// weight of its tree, and divides it among its samples, evenly or by their weights. It is immutable
// and safe for concurrent use.
type Pool struct {
	*Program
	trees   []*tree.Tree
	targets []float64
	at      []float64 // the quantiles requested
	order   []int     // their places, by quantile
}

// CompilePool compiles an ensemble for some of its quantiles, numbers from 0 to 1 in any order. All
// trees feed one output, keep samples and divide no rows; targets are the values that the ranks of
// the samples are of. The weights are not negative.
func CompilePool(s Source, targets, quantiles []float64) *Pool {
	p := &Pool{Program: Compile(s), trees: s.Trees, targets: targets, at: quantiles}
	for i := range quantiles {
		p.order = append(p.order, i)
	}
	slices.SortStableFunc(p.order, func(a, b int) int {
		switch {
		case quantiles[a] < quantiles[b]:
			return -1
		case quantiles[a] > quantiles[b]:
			return 1
		}
		return 0
	})
	return p
}

// slack is the fraction of a quantile's weight that may be missing by rounding.
const slack = 1.0 / (1 << 40)

// Start returns a function that writes the quantiles of one row; row is as in Program.Raw. The
// quantile q is the least training value up to which the pooled weights add up to q of their sum.
// The function is used by one goroutine at a time.
//
// The pooled weights lie in an array by rank, with a bit for each that some leaf has: the bits give
// the ranks in ascending order, and show what has to be cleared.
func (p *Pool) Start() func(dst, row []float64) {
	leaves := make([]float64, p.NumTrees())
	weight := make([]float64, len(p.targets))
	seen := make([]uint64, (len(p.targets)+63)/64)
	return func(dst, row []float64) {
		p.Leaves(leaves, row)
		for i, t := range p.trees {
			p.pool(weight, seen, t, int32(leaves[i]), p.scale[i])
		}
		p.read(dst, weight, seen)
	}
}

// pool adds the samples of node n of a tree, which weigh fraction together.
func (p *Pool) pool(weight []float64, seen []uint64, t *tree.Tree, n int32, fraction float64) {
	rank, each := t.Leaf.Samples.Of(t.Slot(n))
	total := kernel.Sum(each)
	even := fraction / float64(len(rank))
	for i, r := range rank {
		if each == nil {
			weight[r] += even
		} else {
			weight[r] += float64(fraction * (each[i] / total))
		}
		seen[r>>6] |= 1 << (r & 63)
	}
}

// read writes the quantiles of pooled weights, and clears these.
func (p *Pool) read(dst, weight []float64, seen []uint64) {
	sum := 0.0
	for w, word := range seen {
		for ; word != 0; word &= word - 1 {
			sum += weight[w<<6|bits.TrailingZeros64(word)]
		}
	}
	next, below := 0, 0.0
	for w, word := range seen {
		for ; word != 0; word &= word - 1 {
			r := w<<6 | bits.TrailingZeros64(word)
			below += weight[r]
			weight[r] = 0
			for next < len(p.order) &&
				below >= float64(float64(p.at[p.order[next]]*sum)*(1-slack)) {
				dst[p.order[next]] = p.targets[r]
				next++
			}
		}
		seen[w] = 0
	}
}
