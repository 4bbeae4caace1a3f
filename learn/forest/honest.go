package forest

import (
	"cmp"
	"slices"

	"github.com/coppice-ml/coppice/internal/criterion"
	"github.com/coppice-ml/coppice/learn/sample"
	"github.com/coppice-ml/coppice/tree"
)

// honesty is honest trees (Wager & Athey 2018, procedure 1): some rows of a bag choose the splits,
// and the others make the values of the leaves.
type honesty struct{ *setup }

// divide divides the rows of a bag in two: those that choose splits and those that make leaves.
// Groups stay together where bags hold groups. A row is in one of the two as often as it is in the
// bag.
func (h *honesty) divide(count []uint32, i int) (bag, error) {
	n := len(h.pop.Rows)
	in := sample.Rows{}
	var at []int
	for i := range n {
		if count == nil || count[i] > 0 {
			at = append(at, i)
		}
	}
	in.N = len(at)
	set := sample.Settings{Method: sample.Subsample, Fraction: h.learner.Honest,
		Grouped: h.learner.Sample.Grouped}
	units := in.N
	if set.Grouped {
		groups := map[int64]bool{}
		for _, i := range at {
			in.Group = append(in.Group, h.target.Group[h.pop.Rows[i]])
			groups[in.Group[len(in.Group)-1]] = true
		}
		units = len(groups)
	}
	// at least one row or group is left for the leaves, whatever the rounding
	if units > 1 {
		set.Fraction = min(set.Fraction, 1-1/float64(units))
	}
	s, err := sample.New(set, in)
	if err != nil {
		return bag{}, err
	}
	chosen := make([]uint32, len(at))
	s.Sample(chosen, h.seed(forHonesty, i))
	b := bag{count: count, structure: make([]uint32, n), leaves: make([]uint32, n)}
	for k, i := range at {
		if chosen[k] > 0 {
			b.structure[i] = timesOf(count, i)
		} else {
			b.leaves[i] = timesOf(count, i)
		}
	}
	return b, nil
}

// apply returns the tree with the values that the rows for leaves make. A node that none of them
// reaches has the value of the nearest node above it that some reach. Its statistics count these
// rows, but gains and impurities remain those of the rows that chose the splits. Without any rows
// the tree stays as it is.
func (h *honesty) apply(t *tree.Tree, b *bag) (*tree.Tree, error) {
	if !slices.ContainsFunc(b.leaves, func(n uint32) bool { return n > 0 }) {
		return t, nil
	}
	again := *t
	k := t.Leaf.Width
	again.Leaf.Value = slices.Clone(t.Leaf.Value)
	again.Stats = &tree.NodeStats{Rows: make([]uint32, t.Len()), Weight: make([]float64, t.Len()),
		Impurity: t.Stats.Impurity, Gain: t.Stats.Gain}
	reach := make([][]int32, t.Len()) // positions, ascending
	for i, n := range b.leaves {
		if n > 0 {
			reach[0] = append(reach[0], int32(i))
		}
	}
	parent, walk := t.Parents(), t.Over(h.frame.Columns)
	for n := range t.Len() {
		rows := reach[n]
		reach[n] = nil
		prediction := again.Leaf.Value[n*k : (n+1)*k]
		for _, i := range rows {
			again.Stats.Rows[n] += b.leaves[i]
			again.Stats.Weight[n] += float64(h.weightAt(int(i)) * float64(b.leaves[i]))
		}
		if len(rows) > 0 {
			h.value(prediction, rows, b.leaves)
		} else {
			copy(prediction, again.Leaf.Value[int(parent[n])*k:])
		}
		if t.Kind(int32(n)) == tree.Leaf {
			continue
		}
		for _, i := range rows {
			c := walk.Next(int32(n), h.pop.Rows[i])
			reach[c] = append(reach[c], i)
		}
	}
	return &again, nil
}

// value writes the value of a leaf with the given positions, each count times: the weight of each
// class, or the number that the criterion defines.
func (h *honesty) value(dst []float64, rows []int32, count []uint32) {
	if h.pop.Class != nil {
		clear(dst)
		for _, i := range rows {
			dst[h.pop.Class[i]] += float64(h.weightAt(int(i)) * float64(count[i]))
		}
		return
	}
	definition := &h.config.Criterion
	if definition.Family == criterion.Values {
		rows = slices.Clone(rows)
		slices.SortStableFunc(rows,
			func(a, b int32) int { return cmp.Compare(h.pop.Y[a], h.pop.Y[b]) })
	}
	var s criterion.Sample
	for _, i := range rows {
		s.Y = append(s.Y, h.pop.Y[i])
		s.Weight = append(s.Weight, h.weightAt(int(i))*float64(count[i]))
	}
	dst[0] = definition.Deviance.Describe(make([]float64, definition.Family.Width(0)), s).Value
}
