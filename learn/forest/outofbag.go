package forest

import (
	"errors"

	"github.com/coppice-ml/coppice/internal/importance"
	"github.com/coppice-ml/coppice/internal/oob"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
)

// errSettled ends the growing because the error out of the bag has settled.
var errSettled = errors.New("the error out of the bag has settled")

// startAccumulators prepares the books of the trees.
func (j *job) startAccumulators() error {
	p := j.pop
	b := &accumulators{learner: &j.learner, schema: &j.frame.Schema, criterion: j.config.Criterion.Name,
		truth: oob.Truth{Task: j.target.Task, Classes: p.Classes, Class: p.Class, Y: p.Y, Decision: model.Decision{Costs: j.costs}}}
	j.accumulators = b
	b.trained = learn.TrainedBy(p)
	if j.target.Weight != nil || p.Count != nil {
		b.truth.Weight = make([]float64, len(p.Rows))
		for i, r := range p.Rows {
			b.truth.Weight[i] = j.target.WeightAt(r) * float64(p.Multiplicity(i))
		}
	}
	if j.bags.LeavesOut() {
		b.accumulator = oob.NewAccumulator(b.truth)
	}
	if j.learner.wants(corrected) {
		j.permutedCopies = j.prepared.withPermutedCopies(rng.Seed(j.Seed, forPermutedCopies))
	}
	var err error
	b.groups, err = importance.ColumnGroups("importance_groups", j.learner.ImportanceGroups, b.schema)
	j.pool.New = func() any { return oob.NewPermuter(&b.truth, j.frame.Columns, p.Rows, b.groups) }
	return err
}

// outOf fills in what a tree tells of the rows out of its bag.
func (j *job) outOf(g *grown, count []uint32, number int) {
	r, t := &g.report, g.tree
	if j.accumulators.accumulator == nil {
		return
	}
	out := 0
	for _, n := range count {
		if n == 0 {
			out++
		}
	}
	g.scratch = j.accumulators.takeScratch(out)
	r.Out, r.Leaf = g.scratch.out, g.scratch.leaf
	rows := g.scratch.rows
	for i, n := range count {
		if n == 0 {
			r.Out, rows = append(r.Out, int32(i)), append(rows, j.pop.Rows[i])
		}
	}
	t.LeavesOf(r.Leaf, j.frame.Columns, rows)
	if !j.learner.wants(permutation) {
		return
	}
	p := j.pool.Get().(*oob.Permuter)
	r.Permuted = p.Tree(t, r.Out, func(unit int) *rng.Stream {
		return rng.New(j.Seed, forPermutation, uint64(number), uint64(unit))
	})
	j.pool.Put(p)
}

// reportOutOfBag hands the predictions out of the bag to whom asked for them.
func (j *job) reportOutOfBag() error {
	if j.Job.OutOfBag == nil {
		return nil
	}
	return j.Job.OutOfBag(&learn.OutOfBag{Rows: j.pop.Rows, Width: j.accumulators.truth.Width(), Response: j.accumulators.accumulator.Predictions()})
}
