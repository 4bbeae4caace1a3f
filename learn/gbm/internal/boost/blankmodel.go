package boost

import (
	"github.com/coppice-ml/coppice/internal/input"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// BlankModel returns a model with a tree for each output that predicts 0.
func (b *Training) BlankModel() (*model.Ensemble, error) {
	m := *b.ensemble.model
	m.Trees, m.Output = nil, nil
	for o := range m.Bias {
		leaf := tree.NewBuilder(tree.Scalar, 1, true)
		leaf.SetStats(0, len(b.setup.Rows), 0, 0)
		leaf.SetValue(0, []float64{0})
		t, err := leaf.Build()
		if err != nil {
			return nil, err
		}
		m.Trees, m.Output = append(m.Trees, t), append(m.Output, int32(o))
	}
	if err := b.describe(&m); err != nil {
		return nil, err
	}
	m.Inputs = input.Set{}
	return &m, nil
}
