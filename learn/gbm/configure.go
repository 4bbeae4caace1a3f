package gbm

import (
	"cmp"
	"fmt"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/option"
	"github.com/coppice-ml/coppice/learn/gbm/internal/boost"
	"github.com/coppice-ml/coppice/learn/gbm/internal/hist"
	"github.com/coppice-ml/coppice/learn/gbm/internal/table"
	"github.com/coppice-ml/coppice/loss"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/param"
)

// policies are the policies of the engine.
var policies = map[Growth]hist.Policy{GrowthAuto: hist.LeafWise, GrowthLeaf: hist.LeafWise,
	GrowthDepth: hist.DepthWise, GrowthSymmetric: hist.Symmetric}

// config returns the parameters as the stages of a training take them, for a table of some columns.
// Faults of all parameters that name columns are reported at once.
func (l *Learner) config(s *data.Schema) (boost.Config, error) {
	limits, err := l.limits(s)
	if err != nil {
		return boost.Config{}, err
	}
	c := boost.Config{
		Schedule: boost.Schedule{Trees: l.Trees, LearningRate: l.LearningRate,
			Decay: l.LearningRateDecay, Starts: l.LearningRates, ValidFraction: l.ValidFraction,
			EarlyStopping: l.EarlyStopping, Metric: l.Metric, Metrics: l.Metrics,
			TrainingMetric: l.TrainingMetric},
		Objective: boost.Objective{Loss: l.Loss, ClassWeight: l.ClassWeight,
			BaseScore: l.BaseScore},
		Config: table.Config{Columns: table.Columns{Bins: l.Bins, MinBin: l.MinBin,
			Categories: table.Encoding(l.Categories), Statistics: l.Encode.options(),
			Limits: limits}, Engine: l.engine()},
		Values: boost.Values{Linear: l.LinearTree, LinearL2: l.LinearL2, Refit: l.RefitLeaves,
			Gradient: l.LeafMethod == LeafMethodGradient, Steps: l.LeafSteps,
			MultiOutput: l.MultiOutput},
		Rows: boost.Rows{Fraction: cmp.Or(l.Subsample, 1), ByWeight: l.SplitScore != SplitScoreNewton,
			Noise: l.RandomStrength},
	}
	if l.SplitPoints != SplitPointsExact {
		c.Sketch, c.LocalPoints = l.SketchEps, l.SplitPoints == SplitPointsLocal
	}
	if s, ok := l.Loss.Loss.(loss.LeafSizer); ok && l.Compat == CompatNone {
		c.LeafRows = s.LeafRows()
	}
	if l.Sampling.name() != allRows {
		c.Sampling = l.Sampling.Way
	}
	if d := l.Boosting.Dart; d != nil {
		c.Dropout = &boost.Dropout{Drop: d.Drop, Most: d.Most, Skip: d.Skip}
	}
	if o := l.Boosting.Ordered; o != nil {
		c.Permutations, c.Statistics.Permutations = o.Permutations, o.Permutations
	}
	return c, nil
}

// engine returns the parameters of the engine.
func (l *Learner) engine() hist.Config {
	c := hist.Config{
		Shape: hist.Shape{Policy: policies[l.Growth], Leaves: max(0, l.Leaves), Depth: l.Depth,
			Cosine: l.SplitScore == SplitScoreCosine},
		Regularization: hist.Regularization{
			L1: l.L1, L2: l.L2, Gamma: l.Gamma, GammaBottom: l.GammaPrune == GammaPruneBottom,
			MinChildWeight: l.MinChildWeight, MinLeaf: l.MinLeaf,
			MaxDeltaStep: l.MaxDeltaStep, PathSmooth: l.PathSmooth,
		},
		Categories: hist.Categories{
			OneHot: l.OneHot, MaxCategories: l.MaxCategories, CatSmooth: l.CatSmooth,
			CatL2: l.CatL2, MinCategory: l.MinCategory, MinGroup: l.MinGroup,
		},
		Columns: hist.Columns{ColumnsByTree: l.Colsample, ColumnsByLevel: l.ColsampleLevel,
			ColumnsByNode: l.ColsampleNode, ExtraRandom: l.ExtraTrees},
		Compatibility: hist.Compatibility{Conventions: conventions[l.Compat]},
	}
	if l.Growth == GrowthSymmetric {
		c.Leaves = 0
		if c.Depth == 0 {
			c.Depth = hist.SymmetricDepth
		}
	}
	if l.Categories == CategoriesOrdinal {
		c.MaxCategories, c.MinGroup, c.CatL2 = 0, 0, 0
	}
	return c
}

// user is the parameters of a training on a table of some columns and a task.
type user struct {
	learner Learner
	schema  *data.Schema
	task    data.Task
}

// Params implements User.
func (u *user) Params() param.Set { return u.learner.Params() }

// With implements User.
func (u *user) With(settings []string) (boost.Config, error) {
	own := u.learner
	own.settle(u.task, len(u.schema.Fields))
	if err := own.Params().Set(settings); err != nil {
		return boost.Config{}, err
	}
	c, err := own.config(u.schema)
	c.Learner, c.User = Name, u
	return c, err
}

// Left implements User.
func (u *user) Left() boost.Left {
	l := &u.learner
	return boost.Left{
		Rounds: l.Trees == 0,
		Rate: l.LearningRate == 0 && l.LearningRateDecay == 1 && l.LearningRates == nil &&
			l.Boosting.Dart == nil && l.Compat == CompatNone,
		Rehearsal: l.Rehearse && l.Trees == 0 && l.Compat == CompatNone,
		Columns: l.Colsample == 0 && l.ColsampleNode == 0 && l.ColsampleLevel == 1 &&
			l.ColsampleBy == ColsampleByTree,
		Categories:  l.Categories == CategoriesAuto,
		Leaves:      l.Leaves < 0 && l.Growth != GrowthSymmetric && l.Depth == 0,
		Growth:      l.growthLeft(),
		MinLeaf:     l.MinLeaf == 0,
		Temperature: l.Compat == CompatNone && l.Boosting == Boosting{} && !l.LinearTree,
		FewRows: l.Trees == 0 && l.Compat == CompatNone && l.growthLeft() && l.Subsample == 0 &&
			l.Sampling.name() == allRows && l.Boosting == Boosting{} && !l.LinearTree &&
			!l.MultiOutput && !l.ExtraTrees,
	}
}

// growthLeft reports whether trees may grow in another way than leaf by leaf.
func (l *Learner) growthLeft() bool {
	return l.Growth == GrowthAuto && l.Leaves < 0 && l.Depth == 0 && l.GammaPrune == GammaPruneTop
}

// InEffect implements User.
func (u *user) InEffect(e *boost.Effect) param.Set {
	own, given := u.learner, u.learner.Params()
	own.Trees, own.LearningRate, own.Depth = e.Trees, e.LearningRate, e.Depth
	own.MinLeaf, own.Colsample, own.ColsampleNode = e.MinLeaf, e.ColumnsByTree, e.ColumnsByNode
	own.Leaves = e.Leaves
	if e.Later != nil {
		own.LearningRates = e.Later
	}
	if e.Symmetric && own.Growth == GrowthAuto {
		own.Growth = GrowthSymmetric
	}
	if own.Growth == GrowthSymmetric {
		own.Leaves = usualLeaves
	}
	if e.Fraction < 1 && own.Sampling.name() == allRows {
		own.Subsample = e.Fraction
	}
	if own.LeafSteps == 0 && own.Compat == CompatCatBoost {
		own.LeafSteps = e.Steps
	}
	own.Categories = Categories(e.Categories)
	names := []string{"trees", "learning_rate", "learning_rates", "growth", "depth", "min_leaf", "colsample",
		"leaf_steps", "categories", "subsample"}
	if e.Rehearsed {
		names = append(names, "leaves")
	}
	if own.ColsampleNode < 1 {
		names = append(names, "colsample_node")
	}
	var changed param.Set
	now := own.Params()
	for _, name := range names {
		if p := now.Lookup(name); p.Value() != given.Lookup(name).Value() {
			changed = append(changed, *p)
		}
	}
	return changed
}

// settle gives parameters that were left to training their usual values for a task and a number of
// columns.
func (l *Learner) settle(task data.Task, columns int) {
	if l.Leaves < 0 {
		l.Leaves = usualLeaves
	}
	if l.ColsampleBy == ColsampleByTask && !task.Classes() && l.Colsample == 0 &&
		l.ColsampleNode == 0 && columns > table.FewestColumns {
		l.Colsample, l.ColsampleNode = 1, table.FractionOf(0, columns)
	}
	if l.ColsampleNode == 0 {
		l.ColsampleNode = 1
	}
}

// Same implements User.
func (u *user) Same(m *model.Ensemble) error {
	if m.Meta.Learner != Name {
		return fmt.Errorf("the checkpoint is of the learner %s, not of %s", m.Meta.Learner, Name)
	}
	then := New()
	if err := then.Params().UnmarshalJSON(m.Meta.Params); err != nil {
		return fmt.Errorf("parameters of the checkpoint: %w", err)
	}
	if name, was, is := differing(then.Params(), u.Params()); name != "" {
		return fmt.Errorf("the checkpoint was trained with %s=%s, not %s: use the same, or "+
			option.Expand("{continue} to add to its model"), name, was, is)
	}
	return nil
}

// differing returns the first parameter that differs. The number of trees may differ, but not
// whether it is given: the learning rate depends on that.
func differing(a, b param.Set) (name, was, is string) {
	other := b.All()
	for i, p := range a.All() {
		if i >= len(other) || p.Name != other[i].Name {
			return p.Name, p.Value(), "there"
		}
		was, is := p.Value(), other[i].Value()
		if was != is && (p.Name != "trees" || was == "0" || is == "0") {
			return p.Name, was, is
		}
	}
	return "", "", ""
}

// takeWinner sets the parameters that won the rehearsal of a model, if there was one.
func (l *Learner) takeWinner(m *model.Ensemble) error {
	settings, err := winnerOf(m)
	if len(settings) == 0 || err != nil {
		return err
	}
	return l.Params().Set(settings[:len(settings)-1]) // without rehearse=false
}
