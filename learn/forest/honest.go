package forest

import (
	"cmp"
	"slices"

	"github.com/coppice-ml/coppice/grow/criterion"
	"github.com/coppice-ml/coppice/grow/sample"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/tree"
)

// part divides the rows of a bag in two: those that choose splits and those that make leaves.
// Groups stay together where bags hold groups. A row is in one of the parts as often as it is in
// the bag.
func (j *job) part(count []uint32, draws *rng.Stream) (structure, leaves []uint32, err error) {
	n := len(j.pop.Rows)
	in := sample.Rows{}
	var at []int
	for i := range n {
		if count == nil || count[i] > 0 {
			at = append(at, i)
		}
	}
	in.N = len(at)
	set := sample.Settings{Method: "subsample", Fraction: j.learner.Honest, Grouped: j.learner.Draws.Grouped}
	units := in.N
	if set.Grouped {
		groups := map[int64]bool{}
		for _, i := range at {
			in.Group = append(in.Group, j.target.Group[j.pop.Rows[i]])
			groups[in.Group[len(in.Group)-1]] = true
		}
		units = len(groups)
	}
	// rounding must not leave the leaves nothing: then those who chose the splits would make them
	if units > 1 {
		set.Fraction = min(set.Fraction, 1-1/float64(units))
	}
	s, err := sample.New(set, in)
	if err != nil {
		return nil, nil, err
	}
	chosen := make([]uint32, len(at))
	s.Sample(chosen, draws)
	structure, leaves = make([]uint32, n), make([]uint32, n)
	for k, i := range at {
		times := uint32(1)
		if count != nil {
			times = count[i]
		}
		if chosen[k] > 0 {
			structure[i] = times
		} else {
			leaves[i] = times
		}
	}
	return structure, leaves, nil
}

// honest returns the tree with values that the given rows make, each count times (Wager & Athey
// 2018, procedure 1). A node that none of them reaches has the value of the nearest above it that
// some reach. Without any rows the tree stays as it is.
func (j *job) honest(t *tree.Tree, count []uint32) *tree.Tree {
	if !slices.ContainsFunc(count, func(n uint32) bool { return n > 0 }) {
		return t
	}
	again := *t
	k := t.Leaf.Width
	again.Leaf.Value = slices.Clone(t.Leaf.Value)
	reach := make([][]int32, t.Len()) // positions, ascending
	for i, n := range count {
		if n > 0 {
			reach[0] = append(reach[0], int32(i))
		}
	}
	parent := t.Parents()
	for n := range t.Len() {
		rows := reach[n]
		reach[n] = nil
		prediction := again.Leaf.Value[n*k : (n+1)*k]
		if len(rows) > 0 {
			j.value(prediction, rows, count)
		} else {
			copy(prediction, again.Leaf.Value[int(parent[n])*k:])
		}
		if t.Kind(int32(n)) == tree.Leaf {
			continue
		}
		for _, i := range rows {
			c := t.NextRow(int32(n), j.frame.Columns, j.pop.Rows[i])
			reach[c] = append(reach[c], i)
		}
	}
	return &again
}

// value writes what rows, each count times, make a leaf say: the weight of each class, or the
// criterion's own number.
func (j *job) value(dst []float64, rows []int32, count []uint32) {
	if j.pop.Class != nil {
		clear(dst)
		for _, i := range rows {
			dst[j.pop.Class[i]] += float64(j.weightAt(int(i)) * float64(count[i]))
		}
		return
	}
	row := &j.config.Criterion
	if row.Family == criterion.Values {
		rows = slices.Clone(rows)
		slices.SortStableFunc(rows, func(a, b int32) int { return cmp.Compare(j.pop.Y[a], j.pop.Y[b]) })
	}
	var s criterion.Sample
	for _, i := range rows {
		s.Y = append(s.Y, j.pop.Y[i])
		s.Weight = append(s.Weight, j.weightAt(int(i))*float64(count[i]))
	}
	dst[0] = row.Deviance.Describe(make([]float64, row.Family.Width(0)), s).Value
}
