package forest

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/grow"
	"github.com/coppice-ml/coppice/internal/bagging"
	"github.com/coppice-ml/coppice/internal/exact"
	"github.com/coppice-ml/coppice/internal/importance"
	"github.com/coppice-ml/coppice/internal/treeparams"
	"github.com/coppice-ml/coppice/internal/weighing"
	"github.com/coppice-ml/coppice/learn"
)

// job is one Fit on its way: what the parameters say for a table and a label.
type job struct {
	*fitter
	learn.Job
	accumulators *accumulators
	target       *data.Target
	config       treeConfig       // of every tree, but for its draws
	pop          *grow.Population // all rows to train on
	bags         *bagging.Bags
	weight       []float64 // by position: weight of a row that is once in a bag; nil = all 1
	factor       []float64 // of each class, as class_weight asks for; nil = all 1
	pool         sync.Pool // of *oob.Permuter
	series       stock[series]
	counts       stock[[]uint32] // bags
	// the table with shadows of its columns, for corrected importances; else nil
	permutedCopies table
	costs          data.Costs
	votes          bool // a tree's leaves say one class

	ranking *ranking // of the labels, for quantiles; else nil
}

// begin checks what is asked for and gathers the rows to train on.
func (f *fitter) begin(t *data.Target, given learn.Job) (*job, error) {
	l := &f.learner
	if !t.Task.Classes() && t.Task != data.Regression {
		return nil, &learn.TaskError{Learner: l.name, Task: t.Task}
	}
	if len(t.Y) > 1 {
		return nil, errors.New(l.name + " predicts one number, the label has several")
	}
	if err := given.Check(f.frame, f.prepared.Rows()); err != nil {
		return nil, err
	}
	j := &job{fitter: f, Job: given, target: t, votes: t.Task.Classes() && l.Vote == VoteMajority}
	var err error
	if j.config, err = l.config(t, len(f.frame.Columns)); err != nil {
		return nil, err
	}
	if j.costs, err = l.Costs.Of(t); err != nil {
		return nil, err
	}
	if err := j.gather(); err != nil {
		return nil, err
	}
	if err := j.rankLabels(); err != nil {
		return nil, err
	}
	if err := j.startAccumulators(); err != nil {
		return nil, err
	}
	return j, j.check()
}

// gather gathers the rows to train on, and what their bags are drawn from.
func (j *job) gather() error {
	l, rows := &j.learner, j.RowsOf(j.prepared.Rows())
	pop, factors, err := weighing.Gather(j.target, rows, l.ClassWeight)
	if err != nil {
		return err
	}
	if slices.Equal(pop.Rows, j.prepared.Rows()) {
		pop.Rows = j.prepared.Rows() // one list is enough
	}
	j.pop, j.Rows = pop, nil
	if err := treeparams.CheckLabels(j.config.Criterion, j.frame, j.target, pop, nil); err != nil {
		return err
	}
	if err := weighing.CheckLabelSizes(l.name, j.frame, j.target, weighing.LabelLimit(j.target, rows), pop.Rows); err != nil {
		return err
	}
	if j.bags, err = bagging.New(l.Draws, l.ClassFractions, j.target, pop); err != nil {
		return err
	}
	j.factor = factors
	if factors == nil && (j.target.Weight == nil || l.Draws.Weighted) {
		return nil
	}
	j.weight = make([]float64, len(pop.Rows))
	for i, r := range pop.Rows {
		j.weight[i] = j.rowWeight(r)
	}
	return nil
}

// rowWeight returns the weight of a frame row that is once in a bag. Weights that rows are drawn by
// do not count again.
func (j *job) rowWeight(row int32) float64 {
	w := 1.0
	if !j.learner.Draws.Weighted {
		w = j.target.WeightAt(row)
	}
	if j.factor != nil {
		w *= j.factor[j.target.Class[row]]
	}
	return w
}

// check finds parameters that do not go together.
func (j *job) check() error {
	l := &j.learner
	_, of, _ := shardOf(l.Shard)
	switch {
	case of > l.Trees:
		return fmt.Errorf("shard=%s of %d trees: there are more parts than trees", l.Shard, l.Trees)
	case of > 1 && l.Settle.Patience > 0:
		return errors.New("early_stopping looks at all trees, and shard grows some: leave one of them out")
	}
	if err := importance.CheckGroups(l.ImportanceGroups, l.wants(permutation)); err != nil {
		return err
	}
	for _, need := range []struct {
		what string
		is   bool
	}{
		{"prune=oob", l.Prune == PruneOutOfBag},
		{"early_stopping", l.Settle.Patience > 0},
		{"importance=permutation", l.wants(permutation)},
		{"a prediction out of the bag", j.OutOfBag != nil},
	} {
		if need.is && !j.bags.LeavesOut() {
			return fmt.Errorf("%s needs rows out of the bag, and %w", need.what, learn.ErrNoneOut)
		}
	}
	return nil
}

// config translates the parameters for the engine.
func (l *Learner) config(t *data.Target, columns int) (treeConfig, error) {
	row, err := treeparams.CriterionOf(l.Criterion, t.Task)
	if err != nil {
		return treeConfig{}, err
	}
	classes := t.Task.Classes()
	mtry, err := columnsOf(l.Mtry, columns, l.defaultMtry(columns, classes))
	if err == nil {
		err = treeparams.CheckMtry(mtry, columns)
	}
	if err != nil {
		return treeConfig{}, err
	}
	levels, err := levelsOf(l.SubsetLevels, l.defaultLevels(classes))
	if err != nil {
		return treeConfig{}, err
	}
	fraction, err := fractionOf(l.LevelFraction, defaultLevelFraction(classes))
	if err != nil {
		return treeConfig{}, err
	}
	return treeConfig{
		Options: exact.Options{Criterion: row, Mtry: mtry, Redraw: l.ResampleColumns, Levels: levels, LevelFraction: fraction, BestFirst: l.Leaves > 0,
			Limits: grow.Limits{Depth: l.Depth, Leaves: l.Leaves, MinSplit: max(l.MinSplit, l.nodeSize(classes)+1), MinLeaf: l.MinLeaf, MinGain: l.MinGain}},
		thresholds: l.RandomSplits, majority: l.Missing == MissingMajority, leaves: l.Honest == 0 && l.Prune != PruneOutOfBag && !l.Quantiles,
	}, nil
}

// defaultMtry is the number of columns that nodes look at if none is asked for: what R's ranger,
// and for extratrees scikit-learn, take.
func (l *Learner) defaultMtry(columns int, classes bool) int {
	switch {
	case classes:
		return max(1, int(math.Sqrt(float64(columns))))
	case l.name == ExtraTrees:
		return columns
	}
	return max(1, columns/3)
}

// defaultLevels is the number of categories up to which columns are parted into any sets if none is
// asked for: sets that are drawn fit no luck, so any number of these.
func (l *Learner) defaultLevels(classes bool) int {
	switch {
	case l.name == ExtraTrees:
		return 0
	case classes:
		return 32
	}
	return 12
}

// defaultLevelFraction is the share of many categories that nodes part if none is asked for.
func defaultLevelFraction(classes bool) float64 {
	if classes {
		return 0
	}
	return 0.25
}

// nodeSize returns the number of rows up to which a node is a leaf.
func (l *Learner) nodeSize(classes bool) int {
	switch {
	case l.NodeSize > 0:
		return l.NodeSize
	case !classes:
		return 5
	case l.Vote == VoteProbability:
		return 10
	}
	return 1
}
