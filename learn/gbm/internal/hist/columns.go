package hist

import (
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
	forNoise
)

// featureSampler chooses the columns that may split the leaves of a tree: by samples, by the
// columns on the path to a leaf, and by what split the leaf above.
type featureSampler struct {
	c       *Config
	inherit bool // only columns that split the leaf above may split a leaf; see lightgbm.go
	seed    uint64
	ofTree  []int32
}

// begin samples the columns of a tree.
func (s *featureSampler) begin(columns int, seed uint64) {
	s.seed = seed
	s.ofTree = s.sample(data.AllRows(columns), s.c.ColumnsByTree, forTree)
}

// ofLeaf returns the columns that may split a leaf, ascending.
func (s *featureSampler) ofLeaf(l *open) []int32 {
	columns := s.sample(s.ofTree, s.c.ColumnsByLevel, forLevel, uint64(l.depth))
	if s.inherit && l.depth > 0 {
		columns = common(columns, l.among)
	}
	if s.c.Interactions != nil {
		columns = s.compatible(columns, l.path)
	}
	return s.sample(columns, s.c.ColumnsByNode, forNode, l.key)
}

// sample samples a fraction of some columns, at least one, with the stream of a purpose.
func (s *featureSampler) sample(from []int32, fraction float64, purpose ...uint64) []int32 {
	if fraction == 0 || fraction == 1 || len(from) == 0 {
		return from
	}
	k := max(1, int(float64(fraction*float64(len(from)))+0.5))
	if k >= len(from) {
		return from
	}
	sampled := slices.Clone(from)
	stream := rng.New(s.seed, purpose...)
	for i := range k {
		j := i + stream.Intn(len(sampled)-i)
		sampled[i], sampled[j] = sampled[j], sampled[i]
	}
	sampled = sampled[:k]
	slices.Sort(sampled)
	return sampled
}

// compatible returns those of the columns that lie in one set of Interactions with all columns of a
// path.
func (s *featureSampler) compatible(from, path []int32) []int32 {
	allowed := make(map[int32]bool)
	for _, set := range s.c.Interactions {
		if !slices.ContainsFunc(path, func(c int32) bool { return !slices.Contains(set, c) }) {
			for _, c := range set {
				allowed[c] = true
			}
		}
	}
	var kept []int32
	for _, c := range from {
		if allowed[c] || len(path) == 0 && !s.restricted(c) {
			kept = append(kept, c)
		}
	}
	return kept
}

// restricted reports whether a column is in a set of Interactions. One that is in none stands
// alone.
func (s *featureSampler) restricted(column int32) bool {
	return slices.ContainsFunc(s.c.Interactions, func(set []int32) bool {
		return slices.Contains(set, column)
	})
}

// common returns those of the columns that are in a list too, which ascends.
func common(columns, list []int32) []int32 {
	var kept []int32
	for _, c := range columns {
		if _, ok := slices.BinarySearch(list, c); ok {
			kept = append(kept, c)
		}
	}
	return kept
}

// withColumn returns a path with one column more.
func withColumn(path []int32, column int) []int32 {
	at, found := slices.BinarySearch(path, int32(column))
	if found {
		return path
	}
	return slices.Insert(slices.Clone(path), at, int32(column))
}
