package forest

import (
	"errors"
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/ensembles"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/learn/internal/trees"
	"github.com/coppice-ml/coppice/learn/internal/weighting"
)

// setup is what the parameters mean for a table and a label. The other stages read it and do not
// change it. A position is a place in pop.
type setup struct {
	learner  *Learner
	job      learn.Job
	frame    *data.Frame
	prepared table
	target   *data.Target     // of a ranking its relevance, as numbers
	task     data.Task        // as it was given
	config   treeConfig       // of every tree, but for its seed
	costs    data.Costs       // of wrong labels; nil = all equal
	pop      *grow.Population // all rows to train on
	weight   []float64        // by position: weight of a row that is once in a bag; nil = all 1
	factor   []float64        // of each class, from class_weight; nil = all 1
}

// newSetup checks the job and gathers the rows to train on.
func newSetup(l *Learner, from *prepared, t *data.Target, job learn.Job) (*setup, error) {
	task := t.Task
	if t = t.Pointwise(); !t.Task.Classes() && t.Task != data.Regression {
		return nil, &learn.TaskError{Learner: l.name, Task: task}
	}
	if task == data.Ranking && l.Quantiles {
		return nil, errors.New("quantiles are of numbers, the label is one of ranking")
	}
	if len(t.Y) > 1 {
		return nil, errors.New(l.name + " predicts one number, the label has several")
	}
	if err := job.Check(from.frame, from.table.Rows()); err != nil {
		return nil, err
	}
	s := &setup{learner: l, job: job, frame: from.frame, prepared: from.table, target: t,
		task: task}
	var err error
	if s.config, err = l.config(t, len(from.frame.Columns)); err != nil {
		return nil, err
	}
	if s.costs, err = l.Costs.Of(t); err != nil {
		return nil, err
	}
	return s, s.gather()
}

// gather gathers the rows to train on with their weights.
func (s *setup) gather() error {
	l, all := s.learner, s.prepared.Rows()
	rows := s.job.RowsOf(all)
	pop, factors, err := weighting.Gather(s.target, rows, l.ClassWeight)
	if err != nil {
		return err
	}
	if slices.Equal(pop.Rows, all) {
		pop.Rows = all // one list is enough
	}
	s.pop, s.factor, s.job.Rows = pop, factors, nil
	if err := trees.CheckLabels(s.config.Criterion, s.frame, s.target, pop, nil); err != nil {
		return err
	}
	limit := fitting.LabelLimit(s.target, rows)
	if err := fitting.CheckLabelSizes(l.name, s.frame, s.target, limit, pop.Rows); err != nil {
		return err
	}
	if factors == nil && (s.target.Weight == nil || l.Sample.Weighted) {
		return nil
	}
	s.weight = make([]float64, len(pop.Rows))
	for i, r := range pop.Rows {
		s.weight[i] = s.rowWeight(r)
	}
	return nil
}

// rowWeight returns the weight of a frame row that is once in a bag. Weights that rows are sampled
// by do not count again.
func (s *setup) rowWeight(row int32) float64 {
	w := 1.0
	if !s.learner.Sample.Weighted {
		w = s.target.WeightAt(row)
	}
	if s.factor != nil {
		w *= s.factor[s.target.Class[row]]
	}
	return w
}

// weightAt returns the weight of the row at a position that is once in the bag.
func (s *setup) weightAt(i int) float64 {
	if s.weight == nil {
		return 1
	}
	return s.weight[i]
}

// population returns what a tree is grown on: all rows, of which each counts as often as it is in
// the bag.
func (s *setup) population(count []uint32) *grow.Population {
	p := *s.pop
	p.Count, p.Weight, p.Case = count, nil, nil
	if s.weight == nil {
		return &p
	}
	p.Weight = make([]float64, len(p.Rows))
	for i, w := range s.weight {
		p.Weight[i] = w * float64(p.Multiplicity(i))
	}
	return &p
}

// seed returns a seed of tree number i.
func (s *setup) seed(purpose, i int) uint64 {
	return rng.Seed(s.job.Seed, uint64(purpose), uint64(i))
}

// check finds parameters that exclude each other. leavesOut reports whether bags leave rows out.
func (s *setup) check(leavesOut bool) error {
	l := s.learner
	_, of, _ := shardOf(l.Shard)
	switch {
	case of > l.Trees:
		return fmt.Errorf("shard=%s of %d trees: there are more shards than trees", l.Shard,
			l.Trees)
	case of > 1 && l.Settle.Members > 0:
		return errors.New("early_stopping requires all trees, and shard grows some: leave one of " +
			"them out")
	}
	if err := ensembles.CheckImportanceGroups(l.ImportanceGroups, l.requests(permutation)); err != nil {
		return err
	}
	for _, need := range []struct {
		what string
		is   bool
	}{
		{"prune=oob", l.Prune == PruneOutOfBag},
		{"early_stopping", l.Settle.Members > 0},
		{"importance=permutation", l.requests(permutation)},
		{"an out-of-bag prediction", s.job.OutOfBag != nil},
	} {
		if need.is && !leavesOut {
			return fmt.Errorf("%s needs out-of-bag rows, and %w", need.what, ensembles.ErrNoneOut)
		}
	}
	return nil
}
