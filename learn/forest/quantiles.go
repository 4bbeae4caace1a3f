package forest

import (
	"cmp"
	"errors"
	"slices"

	"github.com/coppice-ml/coppice/param"
	"github.com/coppice-ml/coppice/tree"
)

// quantileParam declares the parameter of quantile regression forests (Meinshausen 2006). A leaf
// stores the rows that made its value: those in the tree's bag, as often as they are there, with
// their weights; of honest trees those that make the leaves. So the mean of the stored labels is
// what the forest predicts without them, and out-of-bag rows have no effect. Meinshausen's own
// program routes all training rows down each tree in place of those in its bag.
func (l *Learner) quantileParam() param.Param {
	return param.Bool(&l.Quantiles, "quantiles", false,
		"leaves store the labels of the tree's rows, 4 bytes for each, so that predictions have "+
			"quantiles (Meinshausen 2006); for regression; intervals of small leaves are too "+
			"narrow: try min_leaf=20 or honest=0.5")
}

// ranking is the order of the labels of the rows to train on.
type ranking struct {
	targets []float64 // ascending, all different
	rank    []uint32  // by position: place in targets
	order   []int32   // positions by rank, of equal ones ascending
}

// newRanking ranks the labels if the forest is to predict quantiles; nil if not.
func newRanking(s *setup) (*ranking, error) {
	if !s.learner.Quantiles {
		return nil, nil
	}
	if s.pop.Class != nil {
		return nil, errors.New("quantiles=true needs a label of numbers, this one has classes: " +
			"leave it out")
	}
	y := s.pop.Y
	r := &ranking{targets: slices.Clone(y), rank: make([]uint32, len(y)),
		order: make([]int32, len(y))}
	slices.Sort(r.targets)
	r.targets = slices.Clip(slices.Compact(r.targets))
	for i := range y {
		at, _ := slices.BinarySearch(r.targets, y[i])
		r.rank[i], r.order[i] = uint32(at), int32(i)
	}
	slices.SortStableFunc(r.order,
		func(a, b int32) int { return cmp.Compare(r.rank[a], r.rank[b]) })
	return r, nil
}

// sampling stores in each leaf the ranks of the labels that made its value.
type sampling struct {
	*setup
	ranking *ranking
}

// apply returns the tree with samples in its leaves: the rows for leaves, or for structure where
// there are none. Like an honest value, the samples of a leaf that none of them reaches are those
// of the nearest node above that some reach.
func (q *sampling) apply(t *tree.Tree, b *bag) (*tree.Tree, error) {
	count := b.structure
	if slices.ContainsFunc(b.leaves, func(n uint32) bool { return n > 0 }) {
		count = b.leaves
	}
	f := q.newFilling(t, count)
	s := &tree.Samples{At: make([]int32, 1, t.Len()+1)}
	for n := range int32(t.Len()) {
		if t.Kind(n) == tree.Leaf {
			from := f.source[n]
			s.Rank = append(s.Rank, f.rank[from]...)
			s.Weight = append(s.Weight, f.weight[from]...)
		}
		s.At = append(s.At, int32(len(s.Rank)))
	}
	kept := *t
	kept.Leaf.Samples = s
	return &kept, nil
}

// filling is the samples of a tree's nodes.
type filling struct {
	source []int32     // by node: of leaves, the node whose samples they have
	rank   [][]uint32  // by node: of sources
	weight [][]float64 // likewise; nil = all 1
}

// newFilling routes the rows that count down a tree.
func (q *sampling) newFilling(t *tree.Tree, count []uint32) *filling {
	n := t.Len()
	f := &filling{source: make([]int32, n), rank: make([][]uint32, n), weight: make([][]float64, n)}
	// rows that end at the node or below it
	end, below := make([]int32, len(q.pop.Rows)), make([]int32, n)
	walk := t.Over(q.frame.Columns)
	for i := range end {
		if end[i] = -1; timesOf(count, i) > 0 {
			end[i] = walk.LeafOf(q.pop.Rows[i])
			below[end[i]]++
		}
	}
	parent := t.Parents()
	for c := n - 1; c > 0; c-- {
		below[parent[c]] += below[c]
	}
	is := f.findSources(t, parent, below)
	for _, i := range q.ranking.order {
		for to := end[i]; to >= 0; to = parent[to] {
			if !is[to] {
				continue
			}
			if q.weight != nil {
				f.rank[to] = append(f.rank[to], q.ranking.rank[i])
				f.weight[to] = append(f.weight[to],
					float64(q.weight[i]*float64(timesOf(count, int(i)))))
				continue
			}
			for range timesOf(count, int(i)) {
				f.rank[to] = append(f.rank[to], q.ranking.rank[i])
			}
		}
	}
	return f
}

// findSources fills in the sources and returns which nodes are some; below are the rows that end at
// a node or below it.
func (f *filling) findSources(t *tree.Tree, parent, below []int32) []bool {
	is := make([]bool, t.Len())
	for leaf := range int32(t.Len()) {
		if t.Kind(leaf) != tree.Leaf {
			continue
		}
		from := leaf
		for below[from] == 0 {
			from = parent[from]
		}
		f.source[leaf], is[from] = from, true
	}
	return is
}

// timesOf returns how often a position counts; nil = once.
func timesOf(count []uint32, position int) uint32 {
	if count == nil {
		return 1
	}
	return count[position]
}
