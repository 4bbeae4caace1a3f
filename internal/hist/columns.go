package hist

import (
	"context"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
)

// What random streams are for; the first part of their paths.
const (
	forTree = iota
	forLevel
	forNode
	forSplitPoint
	forChild
)

// fewRows is how small a part of the rows a tree must be grown on so that it looks at the whole
// matrix: that is then sooner done than to take the tree's columns out of all rows.
const fewRows = 4

// drawColumns samples the columns of a tree, and chooses the matrix that it sees: histograms are
// made of all columns of that.
func (r *Grower) drawColumns(ctx context.Context) error {
	all := len(r.whole.Columns)
	r.ofTree = r.sample(data.AllRows(all), r.c.ColumnsByTree, forTree)
	if len(r.ofTree) == all || fewRows*len(r.order) < r.whole.Len() {
		return r.lookAtAll(ctx)
	}
	m, err := r.whole.Only(ctx, r.ofTree, r.codes, len(r.workers))
	if err != nil {
		return err
	}
	r.codes = m.Packed
	r.look(m)
	return nil
}

// lookAtAll makes the whole matrix what the tree sees.
func (r *Grower) lookAtAll(ctx context.Context) error {
	if r.whole.Packed == nil {
		m, err := r.whole.Only(ctx, data.AllRows(len(r.whole.Columns)), nil, len(r.workers))
		if err != nil {
			return err
		}
		r.setWhole(m)
	}
	if r.m != r.whole {
		r.look(r.whole)
	}
	return nil
}

// columns returns the columns that may split a leaf, ascending.
func (r *Grower) columns(l *open) []int32 {
	at := r.inherited(l, r.ofLevel(int(l.depth)))
	if r.c.Interactions != nil {
		at = r.together(at, l.path)
	}
	return r.sample(at, r.c.ColumnsByNode, forNode, l.key)
}

// ofLevel returns the columns that are sampled for a depth of the tree.
func (r *Grower) ofLevel(depth int) []int32 {
	return r.sample(r.ofTree, r.c.ColumnsByLevel, forLevel, uint64(depth))
}

// sample samples a fraction of some columns, at least one, with the stream of a purpose.
func (r *Grower) sample(from []int32, fraction float64, purpose ...uint64) []int32 {
	if fraction == 0 || fraction == 1 || len(from) == 0 {
		return from
	}
	k := max(1, int(float64(fraction*float64(len(from)))+0.5))
	if k >= len(from) {
		return from
	}
	sampled := slices.Clone(from)
	s := rng.New(r.seed, purpose...)
	for i := range k {
		j := i + s.Intn(len(sampled)-i)
		sampled[i], sampled[j] = sampled[j], sampled[i]
	}
	sampled = sampled[:k]
	slices.Sort(sampled)
	return sampled
}

// together returns those of the columns that lie in one set of Interactions with all columns of a
// path.
func (r *Grower) together(from, path []int32) []int32 {
	allowed := make(map[int32]bool)
	for _, set := range r.c.Interactions {
		if containsAll(set, path) {
			for _, c := range set {
				allowed[c] = true
			}
		}
	}
	var kept []int32
	for _, c := range from {
		if allowed[c] || len(path) == 0 && !r.restricted(c) {
			kept = append(kept, c)
		}
	}
	return kept
}

// restricted reports whether a column is in a set of Interactions. One that is in none stands
// alone.
func (r *Grower) restricted(column int32) bool {
	return slices.ContainsFunc(r.c.Interactions, func(set []int32) bool { return slices.Contains(set, column) })
}

func containsAll(set, of []int32) bool {
	for _, c := range of {
		if !slices.Contains(set, c) {
			return false
		}
	}
	return true
}

// withColumn returns a path with one column more.
func withColumn(path []int32, column int) []int32 {
	at, found := slices.BinarySearch(path, int32(column))
	if found {
		return path
	}
	return slices.Insert(slices.Clone(path), at, int32(column))
}

// draw chooses one split point of a column at random: of those between the least and the greatest
// bin that rows of the leaf are in. It returns the range of the split points to try, [from, to).
func (s *scanner) draw(column, values, to int) (int, int) {
	floor := s.r.sums.floor()
	first, last := 0, values-1
	for first < last && s.h[first] < floor {
		first++
	}
	for last > first && s.h[last] < floor {
		last--
	}
	if first == last {
		return to - 1, to // nothing but known against missing
	}
	b := first + rng.New(s.r.seed, forSplitPoint, s.l.key, uint64(column)).Intn(last-first)
	return b, b + 1
}
