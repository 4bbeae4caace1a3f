package forest

import (
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/ensembles"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
	"github.com/coppice-ml/coppice/tree"
)

// report is what one tree contributes to the summary of the forest. The summary is made of the
// reports in the order of the trees, so a forest that was merged from shards has the same summary
// as one that was not.
type report struct {
	Gain []float64 // total impurity decrease by splits on each column
	Out  []int32   // training rows out of its bag, by position, ascending
	Leaf []int32   // node at which each of them ends
	// total impurity decrease by splits on each column, less that by splits on its permuted copy;
	// nil if it is not requested
	Corrected []float64
	// increase of the loss when a column's values, or those of a group, are permuted; nil without
	// rows out of the bag
	Permuted []float64
}

// Summary is what training found; it is kept as JSON in the model's Spec.
type Summary struct {
	training.Trained
	Criterion string `json:"criterion"`
	Trees     int    `json:"trees"`
	Leaves    int    `json:"leaves"` // of all trees
	Depth     int    `json:"depth"`  // of the deepest tree
	training.Bagging
}

// Check implements learn.Summary.
func (s *Summary) Check(m model.Model) error { return s.Bagging.Check(m) }

// Describe implements learn.Summary.
func (s *Summary) Describe(m model.Model) *training.Summary {
	return s.Bagging.Describe(m, s.Trained, s.Criterion)
}

// accumulators combine the reports of trees, one after the other.
type accumulators struct {
	learner     *Learner
	schema      *data.Schema
	trained     training.Trained
	criterion   string
	truth       ensembles.Truth
	accumulator *ensembles.Accumulator // nil if no row is ever out of the bag
	values      []float64              // a tree's out-of-bag predictions; memory of add
	labels      []uint32               // the same of trees that vote
	scratches   stock[*scratch]
	groups      [][]int32 // of columns that are permuted together
	trees       []*tree.Tree
	reports     []report
}

// scratch is memory for the rows out of a bag: by position, the leaves where they end, and by row
// of the table.
type scratch struct{ out, leaf, rows []int32 }

// newAccumulators returns accumulators for the trees of a training. leavesOut reports whether bags
// leave rows out.
func newAccumulators(s *setup, leavesOut bool) (*accumulators, error) {
	p := s.pop
	a := &accumulators{
		learner: s.learner, schema: &s.frame.Schema, criterion: s.config.Criterion.Name,
		trained: fitting.Trained(p),
		truth: ensembles.Truth{Task: s.target.Task, Classes: p.Classes, Class: p.Class, Y: p.Y,
			Decision: model.Decision{Costs: s.costs}},
	}
	if s.target.Weight != nil || p.Count != nil {
		a.truth.Weight = make([]float64, len(p.Rows))
		for i, r := range p.Rows {
			a.truth.Weight[i] = s.target.WeightAt(r) * float64(p.Multiplicity(i))
		}
	}
	if leavesOut {
		a.accumulator = ensembles.NewAccumulator(a.truth)
	}
	var err error
	a.groups, err = a.schema.ColumnGroups("importance_groups", s.learner.ImportanceGroups)
	return a, err
}

// takeScratch returns scratch memory for so many rows.
func (b *accumulators) takeScratch(rows int) *scratch {
	if r, ok := b.scratches.take(); ok && cap(r.out) >= rows {
		return &scratch{r.out[:0], r.leaf[:rows], r.rows[:0]}
	}
	spare := rows + rows/64 // bags differ a little
	return &scratch{make([]int32, 0, spare), make([]int32, rows, spare), make([]int32, 0, spare)}
}

// add enters the next tree.
func (b *accumulators) add(g *grown) {
	if b.accumulator != nil && b.truth.Class != nil && b.learner.Vote == VoteMajority {
		b.addVotes(g)
	} else if b.accumulator != nil {
		b.values = b.values[:0]
		for _, n := range g.report.Leaf {
			b.values = append(b.values, g.tree.Value(n)...)
		}
		b.accumulator.Add(g.report.Out, b.values)
	}
	if b.learner.Shard == "" && g.scratch != nil { // they are not needed again
		b.scratches.keep(g.scratch)
		g.report.Out, g.report.Leaf = nil, nil
	}
	b.trees, b.reports = append(b.trees, g.tree), append(b.reports, g.report)
}

// addVotes enters the votes of a tree.
func (b *accumulators) addVotes(g *grown) {
	l := &g.tree.Leaf
	predicts := make([]uint32, len(l.Value)/l.Width) // by slot
	for slot := range predicts {
		predicts[slot] = uint32(model.ArgMax(l.Value[slot*l.Width : (slot+1)*l.Width]))
	}
	b.labels = slices.Grow(b.labels[:0], len(g.report.Leaf))
	for _, n := range g.report.Leaf {
		b.labels = append(b.labels, predicts[g.tree.Slot(n)])
	}
	b.accumulator.AddVotes(g.report.Out, b.labels)
}

// settled reports whether training may stop.
func (b *accumulators) settled() bool {
	return b.accumulator != nil && b.accumulator.Settled(b.learner.Settle)
}

// outOfBag returns the out-of-bag predictions of the given training rows, which are all.
func (b *accumulators) outOfBag(rows []int32) *learn.HoldOut {
	return &learn.HoldOut{Rows: rows, Width: b.truth.Width(),
		Values: b.accumulator.Predictions()}
}

// unseen returns the same with the labels, nil if no row is out of the bag.
func (b *accumulators) unseen() *learn.Unseen {
	if b.accumulator == nil {
		return nil
	}
	u := b.accumulator.Unseen()
	if b.learner.Prune == PruneOutOfBag {
		u.UsedFor = "pruning"
	}
	return u
}

// describe stores the parameters and the summary in a model of the trees, and validates it. So many
// workers read the trees.
func (b *accumulators) describe(m *model.Ensemble, settled bool, workers int) error {
	if err := fitting.Describe(&m.Meta, b.learner.Params(), b.summary(settled, workers)); err != nil {
		return err
	}
	return m.Validate()
}

// summary returns the summary of the trees so far.
func (b *accumulators) summary(settled bool, workers int) *Summary {
	s := &Summary{Trained: b.trained, Criterion: b.criterion, Trees: len(b.trees)}
	depth := make([]int, len(b.trees))
	parallel.Each(workers, len(b.trees), func(_, i int) { depth[i] = b.trees[i].Depth() })
	for i, t := range b.trees {
		s.Leaves += t.NumLeaves()
		s.Depth = max(s.Depth, depth[i])
	}
	if b.accumulator != nil {
		s.OutOfBag = b.accumulator.Report()
		s.OutOfBag.Settled, s.OutOfBag.Optimistic = settled, b.learner.Prune == PruneOutOfBag
	}
	if b.learner.requests(impurity) {
		s.Importances = append(s.Importances, b.byImpurity())
	}
	if b.learner.requests(corrected) {
		s.Importances = append(s.Importances,
			b.byMean(corrected, func(r *report) []float64 { return r.Corrected }))
	}
	if b.learner.requests(permutation) {
		s.Importances = append(s.Importances,
			b.byMean(permutation, func(r *report) []float64 { return r.Permuted }))
	}
	return s
}
