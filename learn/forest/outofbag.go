package forest

import (
	"errors"

	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/oob"
	"github.com/coppice-ml/coppice/tree"
)

// errSettled ends the growing because the error out of the bag has settled.
var errSettled = errors.New("the error out of the bag has settled")

// startOutOfBag prepares the books of what is out of the bag, if anything is.
func (j *job) startOutOfBag() error {
	var err error
	if j.groups, err = columnGroups(j.learner.ImportanceGroups, &j.frame.Schema); err != nil {
		return err
	}
	if !j.bags.LeavesOut() {
		return nil
	}
	p := j.pop
	j.truth = oob.Truth{Task: j.target.Task, Classes: p.Classes, Class: p.Class, Y: p.Y}
	if j.target.Weight != nil || p.Count != nil {
		j.truth.Weight = make([]float64, len(p.Rows))
		for i, r := range p.Rows {
			j.truth.Weight[i] = j.target.WeightAt(r) * float64(p.Multiplicity(i))
		}
	}
	j.tally = oob.NewTally(j.truth)
	j.pool.New = func() any { return oob.NewPermuter(&j.truth, j.frame.Columns, p.Rows, j.groups) }
	return nil
}

// outOf fills in what a tree tells of the rows out of its bag.
func (j *job) outOf(r *Report, t *tree.Tree, count []uint32, number int) {
	if j.tally == nil {
		return
	}
	for i, n := range count {
		if n == 0 {
			r.Out = append(r.Out, int32(i))
			r.Leaf = append(r.Leaf, t.LeafOf(j.frame.Columns, j.pop.Rows[i]))
		}
	}
	if !j.learner.wants(permutation) {
		return
	}
	p := j.pool.Get().(*oob.Permuter)
	r.Permuted = p.Tree(t, r.Out, func(unit int) *rng.Stream {
		return rng.New(j.Seed, forPermutation, uint64(number), uint64(unit))
	})
	j.pool.Put(p)
}

// record adds the next tree to the books.
func (j *job) record(g *grown) {
	if j.tally == nil {
		return
	}
	w := g.tree.Leaf.Width
	values := make([]float64, 0, len(g.report.Leaf)*w)
	for _, n := range g.report.Leaf {
		values = append(values, g.tree.Value(n)...)
	}
	j.tally.Add(g.report.Out, values)
}

// tellOutOfBag hands the predictions out of the bag to whom asked for them.
func (j *job) tellOutOfBag() error {
	if j.Job.OutOfBag == nil {
		return nil
	}
	return j.Job.OutOfBag(&learn.OutOfBag{Rows: j.pop.Rows, Width: j.truth.Width(), Response: j.tally.Predictions()})
}
