package gbm

import (
	"context"
	"errors"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm/internal/boost"
	"github.com/coppice-ml/coppice/learn/gbm/internal/fit"
	"github.com/coppice-ml/coppice/learn/internal/trees"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

var errDerivedColumns = errors.New("the model derives columns from categories, and their " +
	"candidates are not listed: train with categories=native or ordinal")

var errScores = errors.New("the trees of the model feed other scores than a boosted model has")

// Candidates implements learn.SplitLister. The derivatives are those at the scores of the rounds
// before the tree's, which predict the rows of the table again. Rows and columns of the round are
// sampled again, by the seed of the training. Gamma forbids no candidate.
func (l *Learner) Candidates(ctx context.Context, m *model.Ensemble, ds *data.Dataset,
	at learn.TreeNode) (*tree.Candidates, error) {
	if m.Inputs.Len() > 0 {
		return nil, errDerivedColumns
	}
	own, err := l.copy()
	if err != nil {
		return nil, err
	}
	if err := own.takeWinner(m); err != nil {
		return nil, err
	}
	if len(m.Bias) == 0 || m.Scores() != len(m.Bias) {
		return nil, errScores
	}
	s, err := summaryOf(m)
	if err != nil {
		return nil, err
	}
	scaled := s.Chosen != nil && s.Chosen.Temperature > 0
	if scaled {
		m = boost.Scaled(m, s.Chosen.Temperature)
	}
	round, output := boost.PlaceOf(m, at.Tree)
	own.Boosting = Boosting{} // dropout would drop rounds that are not there
	own.EarlyStopping = 0
	prepared, err := own.Prepare(ctx, ds.Frame, at.Rows, ds.Target.Weight, learn.Env{Workers: 1})
	if err != nil {
		return nil, err
	}
	f := prepared.(*fitter)
	c, err := (&user{f.learner, &f.Frame.Schema, ds.Target.Task}).With(nil)
	if err != nil {
		return nil, err
	}
	c.Trees, c.LearningRate = 1, fit.FastRate
	b, err := boost.Begin(ctx, &f.Prepared, boost.Plan{Config: c}, &ds.Target,
		learn.Job{Rows: at.Rows, Seed: at.Seed, Workers: 1,
			Start: &learn.Checkpoint{Model: boost.FirstRounds(m, round)}})
	if err != nil {
		return nil, err
	}
	shown := f.learner
	shown.settle(ds.Target.Task, len(f.Frame.Schema.Fields))
	shown.Boosting = l.Boosting
	return b.Candidates(m, at, round, output, shown.notes(b.ValidationSet() != nil, scaled))
}

// winnerOf implements learn.Capabilities.Chosen: the settings that won the rehearsal of a model.
func winnerOf(m model.Model) ([]string, error) {
	s, err := summaryOf(m)
	if s.Rehearsal == nil || err != nil {
		return nil, err
	}
	for _, c := range s.Rehearsal.Candidates {
		if c.Won {
			return append(slices.Clone(c.Settings), "rehearse=false"), nil
		}
	}
	return nil, boost.ErrState
}

// summaryOf returns the summary of a model, an empty one if it has none.
func summaryOf(m model.Model) (s Summary, err error) {
	if spec := m.Spec(); len(spec.Summary) > 0 && spec.Learner == Name {
		err = learn.ReadSummary(m, &s)
	}
	return s, err
}

// notes describes where training looked at other numbers. valid: it has a validation set; scaled:
// scores were divided by a temperature at last.
func (l *Learner) notes(valid, scaled bool) []string {
	var notes []string
	for _, n := range []struct {
		is   bool
		text string
	}{
		{l.Boosting.Dart != nil, "With boosting=dart training dropped rounds; here all earlier " +
			"rounds count."},
		{l.Boosting.Ordered != nil, "With boosting=ordered training took each row's derivatives " +
			"from models of rows before it; here they are those of all earlier rounds."},
		{l.SplitScore == SplitScoreCosine, "Training compared levels by their cosine; here are " +
			"gains by first derivatives and weights."},
		{l.RandomStrength > 0, "Training added random numbers to the scores of columns."},
		{l.ColsampleLevel < 1 || l.ColsampleNode < 1,
			trees.SampledColumns},
		{l.ExtraTrees, trees.RandomSplitPoints},
		{l.ColumnWeight != nil, "Gains are multiplied by column_weight."},
		{l.PathSmooth > 0, "Values are those without path_smooth."},
		{l.Growth == GrowthSymmetric, "Training splits all nodes of a level alike, by the sum " +
			"of their gains; here are the gains of this node alone."},
		{scaled, "Values are those before they were divided by the temperature."},
		{valid, "The validation set is not among the rows."},
	} {
		if n.is {
			notes = append(notes, n.text)
		}
	}
	return notes
}
