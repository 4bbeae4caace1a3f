package explain

import (
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// WithCover returns the model with new training weights in its trees: the number of rows of a table
// that reach each node. Path-dependent Shapley values need them, and files of some tools have none.
// The rows should be those of the training, or like them. The model is not changed.
//
// Errors: those of Bind and Predict, and no rows.
func WithCover(m *model.Ensemble, f *data.Frame, workers int) (*model.Ensemble, error) {
	if f.Rows() == 0 {
		return nil, errNoRows
	}
	own := *m
	own.Origin = nil // its numbers of leaves are those of the tool
	p, err := own.Bind(&f.Schema,
		model.Options{Output: model.Leaf, Rounds: model.AllRounds, Workers: workers})
	if err != nil {
		return nil, err
	}
	counts := make([][]float64, len(m.Trees)) // by tree and node
	for i, t := range m.Trees {
		counts[i] = make([]float64, t.Len())
	}
	leaves := make([]float64, min(f.Rows(), coverRows)*len(m.Trees))
	rows := data.AllRows(f.Rows())
	for len(rows) > 0 {
		now := rows[:min(coverRows, len(rows))]
		rows = rows[len(now):]
		if err := p.Predict(leaves, f, now); err != nil {
			return nil, err
		}
		for at, leaf := range leaves[:len(now)*len(m.Trees)] {
			counts[at%len(m.Trees)][int(leaf)]++
		}
	}
	covered := *m
	covered.Trees = make([]*tree.Tree, len(m.Trees))
	for i, t := range m.Trees {
		covered.Trees[i] = withCounts(t, counts[i])
	}
	return &covered, nil
}

// coverRows are the rows whose leaves are in memory at a time.
const coverRows = 1 << 12

// withCounts returns a tree with the number of rows that end at each node.
func withCounts(t *tree.Tree, count []float64) *tree.Tree {
	own := *t
	own.Cover = &tree.Cover{}
	if t.Stats != nil {
		own.Stats = &tree.NodeStats{Gain: t.Stats.Gain}
	}
	for n := range int32(t.Len()) {
		if t.Kind(n) == tree.Leaf || t.Missing(n) == tree.MissingStop {
			own.Cover.Weights = append(own.Cover.Weights, count[n])
		}
	}
	return &own
}
