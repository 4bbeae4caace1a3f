package forest

import (
	"cmp"
	"errors"
	"slices"

	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/param"
	"github.com/coppice-ml/coppice/tree"
)

// quantileParam declares the parameter of quantile regression forests (Meinshausen 2006). A leaf
// keeps the rows that made its value: those in the tree's bag, as often as they are there, with
// their weights, and of honest trees those of the part that makes the leaves. So the mean of what
// is kept is what the forest predicts without it, and rows out of the bag stay unseen.
// Meinshausen's own program lets all training rows down each tree in place of those in its bag.
func (l *Learner) quantileParam() param.Param {
	return param.Bool(&l.Quantiles, "quantiles", false,
		"leaves keep the labels of the tree's rows, 4 bytes for each, so that predictions have quantiles (Meinshausen 2006); for numbers; intervals of small leaves are too narrow: try min_leaf=20 or honest=0.5")
}

// ranking is the order of the labels of the rows to train on.
type ranking struct {
	targets []float64 // ascending, all different
	rank    []uint32  // by position: place in targets
	order   []int32   // positions by rank, of equal ones ascending
}

// rankLabels fills in the ranking if the forest is to tell quantiles.
func (j *job) rankLabels() error {
	if !j.learner.Quantiles {
		return nil
	}
	if j.pop.Class != nil {
		return errors.New("quantiles=true needs a label of numbers, this one has classes: leave it out")
	}
	y := j.pop.Y
	r := &ranking{targets: slices.Clone(y), rank: make([]uint32, len(y)), order: make([]int32, len(y))}
	slices.Sort(r.targets)
	r.targets = slices.Clip(slices.Compact(r.targets))
	for i := range y {
		at, _ := slices.BinarySearch(r.targets, y[i])
		r.rank[i], r.order[i] = uint32(at), int32(i)
	}
	slices.SortStableFunc(r.order, func(a, b int32) int { return cmp.Compare(r.rank[a], r.rank[b]) })
	j.ranking = r
	return nil
}

// keepTargets makes a forest tell quantiles if it is to.
func (j *job) keepTargets(m *model.Ensemble) {
	if j.ranking != nil {
		m.Combine, m.Targets = model.Pool, j.ranking.targets
	}
}

// sampled returns the tree with the rows that made the values of its leaves: leaves, or structure
// where there are no such rows. Like an honest value, the samples of a leaf that none of them
// reaches are those of the nearest node above that some reach.
func (j *job) sampled(t *tree.Tree, structure, leaves []uint32) *tree.Tree {
	count := structure
	if slices.ContainsFunc(leaves, func(n uint32) bool { return n > 0 }) {
		count = leaves
	}
	f := j.newFilling(t, count)
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
	return &kept
}

// filling is what a tree's rows make of its nodes.
type filling struct {
	source []int32     // by node: of leaves, the node whose samples they have
	rank   [][]uint32  // by node: of sources
	weight [][]float64 // likewise; nil = all 1
}

// newFilling lets the rows that count down a tree.
func (j *job) newFilling(t *tree.Tree, count []uint32) *filling {
	n := t.Len()
	f := &filling{source: make([]int32, n), rank: make([][]uint32, n), weight: make([][]float64, n)}
	// rows that end at the node or below it
	end, below := make([]int32, len(j.pop.Rows)), make([]int32, n)
	for i := range end {
		if end[i] = -1; timesOf(count, i) > 0 {
			end[i] = t.LeafOf(j.frame.Columns, j.pop.Rows[i])
			below[end[i]]++
		}
	}
	parent := t.Parents()
	for c := n - 1; c > 0; c-- {
		below[parent[c]] += below[c]
	}
	is := f.findSources(t, parent, below)
	for _, i := range j.ranking.order {
		for to := end[i]; to >= 0; to = parent[to] {
			if !is[to] {
				continue
			}
			if j.weight != nil {
				f.rank[to] = append(f.rank[to], j.ranking.rank[i])
				f.weight[to] = append(f.weight[to], float64(j.weight[i]*float64(timesOf(count, int(i)))))
				continue
			}
			for range timesOf(count, int(i)) {
				f.rank[to] = append(f.rank[to], j.ranking.rank[i])
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
