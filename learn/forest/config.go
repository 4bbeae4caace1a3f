package forest

import (
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/internal/exact"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/learn/internal/trees"
)

// config translates the parameters for the engine.
func (l *Learner) config(t *data.Target, columns int) (treeConfig, error) {
	definition, err := trees.CriterionOf(l.Criterion, t.Task)
	if err != nil {
		return treeConfig{}, err
	}
	classes := t.Task.Classes()
	mtry, err := columnsOf(l.Mtry, columns, l.defaultMtry(columns, classes))
	if err == nil {
		err = trees.CheckMtry(mtry, columns)
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
		Options: exact.Options{
			Criterion: definition, Mtry: mtry, Redraw: l.ResampleColumns,
			Levels: levels, LevelFraction: fraction, BestFirst: l.Leaves > 0,
			Limits: grow.Limits{
				Depth: l.Depth, Leaves: l.Leaves, MinLeaf: l.MinLeaf, MinGain: l.MinGain,
				MinSplit: max(l.MinSplit, l.nodeSize(classes)+1),
			},
		},
		thresholds: l.RandomSplits, majority: l.Missing == MissingMajority,
		leaves: l.Honest == 0 && l.Prune != PruneOutOfBag && !l.Quantiles,
	}, nil
}

// defaultMtry is the number of columns that nodes sample by default: that of R's ranger, and for
// extratrees that of scikit-learn.
func (l *Learner) defaultMtry(columns int, classes bool) int {
	switch {
	case classes:
		return max(1, int(math.Sqrt(float64(columns))))
	case l.name == ExtraTrees:
		return columns
	}
	return max(1, columns/3)
}

// defaultLevels is the default number of categories up to which columns are split into any two
// sets. Random sets do not overfit, so extratrees have no limit.
func (l *Learner) defaultLevels(classes bool) int {
	switch {
	case l.name == ExtraTrees:
		return 0
	case classes:
		return 32
	}
	return 12
}

// defaultLevelFraction is the default fraction of many categories that nodes sample.
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
