package boost

import (
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm/internal/hist"
	"github.com/coppice-ml/coppice/learn/internal/trees"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// PlaceOf returns the round of a tree, from 0, and its output; allOutputs if it has values of all.
func PlaceOf(m *model.Ensemble, tree int) (round, output int) {
	k := len(m.Bias)
	if k == 1 {
		return tree, 0
	}
	if m.Output == nil || m.Output[tree] < 0 {
		return tree, allOutputs
	}
	return tree / k, int(m.Output[tree])
}

// Scaled returns the model of which all scores are multiplied by a factor.
func Scaled(m *model.Ensemble, by float64) *model.Ensemble {
	own := *m
	own.Bias, own.Trees = slices.Clone(m.Bias), make([]*tree.Tree, len(m.Trees))
	for k := range own.Bias {
		own.Bias[k] *= by
	}
	for i, t := range m.Trees {
		scaled := *t
		scaled.Leaf.Value = slices.Clone(t.Leaf.Value)
		for k := range scaled.Leaf.Value {
			scaled.Leaf.Value[k] *= by
		}
		own.Trees[i] = &scaled
	}
	return &own
}

// FirstRounds returns the model of the first rounds alone.
func FirstRounds(m *model.Ensemble, rounds int) *model.Ensemble {
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

// Candidates lists the splits of a node of a tree that the next round would grow.
func (b *Training) Candidates(m *model.Ensemble, at learn.TreeNode, round, output int,
	notes []string) (*tree.Candidates, error) {
	d := newStoredDerivatives(b.setup, b.scores)
	d.checked = true
	if b.setup.Config.ByWeight {
		d.weight = b.setup.weights()
	}
	if err := d.update(&roundPlan{number: round + 1, n: round}); err != nil {
		return nil, err
	}
	sampled, err := b.sampler.sample(d, round)
	if err != nil {
		return nil, err
	}
	matrix := b.table.Matrices[0]
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
	_, reached, err := trees.Reach(t, &data.Dataset{Frame: b.setup.Frame}, at.Node, frameRows)
	if err != nil {
		return nil, err
	}
	here := make([]int32, len(reached))
	for i, r := range reached {
		here[i] = byFrame[r]
	}
	node := hist.ListedNode{Rows: here, Features: len(b.setup.Frame.Columns),
		Seed: rng.Seed(b.setup.Job.Seed, purposeTree, uint64(round), uint64(max(output, 0)))}
	if output == allOutputs {
		node.Seed = rng.Seed(b.setup.Job.Seed, purposeTree, uint64(round))
	}
	node.G, node.H = d.listed(output)
	config := b.setup.Config.Growth(b.setup.Frame, len(b.setup.Frame.Columns), matrix,
		&b.table.Inputs)
	lister := hist.NewLister(matrix, config, node)
	c := lister.Candidates()
	c.Notes = append(c.Notes, notes...)
	trees.Choose(c, b.setup.Frame, reached, t, at.Node, func(feature int, one *tree.Candidate) {
		lister.Judge(feature, one, func(r int32) int {
			return trees.Child(one, &b.setup.Frame.Columns[feature], matrix.Rows[r])
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
