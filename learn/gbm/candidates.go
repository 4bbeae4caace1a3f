package gbm

import (
	"context"
	"errors"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm/internal/hist"
	"github.com/coppice-ml/coppice/learn/internal/trees"
	"github.com/coppice-ml/coppice/model"
	report "github.com/coppice-ml/coppice/model/training"
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
	round, output := placeOf(m, at.Tree)
	own.Boosting = Boosting{} // dropout would drop rounds that are not there
	own.EarlyStopping = 0
	prepared, err := own.Prepare(ctx, ds.Frame, at.Rows, ds.Target.Weight, learn.Env{Workers: 1})
	if err != nil {
		return nil, err
	}
	f := prepared.(*fitter)
	c, err := (&user{f.learner, &f.frame.Schema, ds.Target.Task}).With(nil)
	if err != nil {
		return nil, err
	}
	c.Trees, c.LearningRate = 1, fastRate
	b, err := f.begin(ctx, plan{config: c}, &ds.Target, learn.Job{Rows: at.Rows, Seed: at.Seed,
		Workers: 1, Start: &learn.Checkpoint{Model: earlier(m, round)}})
	if err != nil {
		return nil, err
	}
	shown := f.learner
	shown.settle(ds.Target.Task, len(f.frame.Schema.Fields))
	shown.Boosting = l.Boosting
	return b.candidates(m, at, round, output, shown.notes(b.scores.valid != nil))
}

// winnerOf implements learn.Capabilities.Chosen: the settings that won the rehearsal of a model.
func winnerOf(m model.Model) ([]string, error) {
	r, err := rehearsalOf(m)
	if r == nil || err != nil {
		return nil, err
	}
	for _, c := range r.Candidates {
		if c.Won {
			return append(slices.Clone(c.Settings), "rehearse=false"), nil
		}
	}
	return nil, errState
}

// rehearsalOf returns the rehearsal of a model, nil if there was none.
func rehearsalOf(m model.Model) (*report.Rehearsal, error) {
	var s Summary
	if spec := m.Spec(); len(spec.Summary) == 0 || spec.Learner != Name {
		return nil, nil
	}
	err := learn.ReadSummary(m, &s)
	return s.Rehearsal, err
}

// placeOf returns the round of a tree, from 0, and its output; allOutputs if it has values of all.
func placeOf(m *model.Ensemble, tree int) (round, output int) {
	k := len(m.Bias)
	if k == 1 {
		return tree, 0
	}
	if m.Output == nil || m.Output[tree] < 0 {
		return tree, allOutputs
	}
	return tree / k, int(m.Output[tree])
}

// earlier returns the model of the first rounds alone.
func earlier(m *model.Ensemble, rounds int) *model.Ensemble {
	first := *m
	n := rounds
	if len(m.Bias) > 1 && len(m.Output) > 0 && m.Output[0] >= 0 {
		n *= len(m.Bias)
	}
	first.Trees = m.Trees[:n]
	if m.Output != nil {
		first.Output = m.Output[:n]
	}
	if m.Weights != nil {
		first.Weights = m.Weights[:n]
	}
	first.Best, first.Rounds, first.State = 0, nil, nil
	return &first
}

// candidates lists the splits of a node of a tree that the next round would grow.
func (b *training) candidates(m *model.Ensemble, at learn.TreeNode, round, output int,
	notes []string) (*tree.Candidates, error) {
	d := newStoredDerivatives(b.setup, b.scores)
	d.checked = true
	if b.config.ByWeight {
		d.weight = b.weights()
	}
	if err := d.update(&roundPlan{number: round + 1, n: round}); err != nil {
		return nil, err
	}
	sampled, err := b.sampler.sample(d, round)
	if err != nil {
		return nil, err
	}
	matrix := b.table.matrices[0]
	rows := sampled.matrix
	if rows == nil {
		rows = data.AllRows(matrix.Len())
	}
	t := m.Trees[at.Tree]
	byFrame := make(map[int32]int32, len(rows)) // matrix row of each frame row
	frameRows := make([]int32, len(rows))
	for i, r := range rows {
		frameRows[i] = matrix.Rows[r]
		byFrame[frameRows[i]] = r
	}
	_, reached, err := trees.Reach(t, &data.Dataset{Frame: b.frame}, at.Node, frameRows)
	if err != nil {
		return nil, err
	}
	here := make([]int32, len(reached))
	for i, r := range reached {
		here[i] = byFrame[r]
	}
	node := hist.ListedNode{Rows: here, Features: len(b.frame.Columns),
		Seed: seedOf(b.job.Seed, purposeTree, uint64(round), uint64(max(output, 0)))}
	if output == allOutputs {
		node.Seed = seedOf(b.job.Seed, purposeTree, uint64(round))
	}
	node.G, node.H = d.listed(output)
	config := b.config.growth(b.frame, len(b.frame.Columns), matrix, &b.table.inputs)
	lister := hist.NewLister(matrix, config, node)
	c := lister.Candidates()
	c.Notes = append(c.Notes, notes...)
	trees.Choose(c, b.frame, reached, t, at.Node, func(feature int, one *tree.Candidate) {
		lister.Judge(feature, one, func(r int32) int {
			return trees.Child(one, &b.frame.Columns[feature], matrix.Rows[r])
		})
	})
	return c, nil
}

// listed returns the derivatives of an output, or of all, each by matrix row.
func (d *storedDerivatives) listed(output int) (g, h [][]float64) {
	if output == allOutputs {
		all, second := d.allByMatrixRow()
		n := d.rows.rows
		for at := 0; at < len(all); at += n {
			g, h = append(g, all[at:at+n]), append(h, second[at:at+n])
		}
		return g, h
	}
	one, second := d.byMatrixRow(output)
	return [][]float64{one}, [][]float64{second}
}

// notes describes where training looked at other numbers. valid: it has a validation set.
func (l *Learner) notes(valid bool) []string {
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
		{l.ColumnWeight != "", "Gains are multiplied by column_weight."},
		{l.PathSmooth > 0, "Values are those without path_smooth."},
		{l.Growth == GrowthSymmetric, "Training splits all nodes of a level alike, by the sum " +
			"of their gains; here are the gains of this node alone."},
		{valid, "The validation set is not among the rows."},
	} {
		if n.is {
			notes = append(notes, n.text)
		}
	}
	return notes
}
