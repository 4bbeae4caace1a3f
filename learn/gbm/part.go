package gbm

import (
	"slices"

	"github.com/coppice-ml/coppice/learn/rounds"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// startPart gives the rows of a part the scores that training starts with: those of the model so far, and the user's.
func (b *boost) startPart(p *rounds.Part) error {
	p.Raw = make([]float64, len(p.Rows)*p.Objective.Outputs())
	if err := b.add(p, b.model); err != nil {
		return err
	}
	return p.AddStart(b.target.Offset, b.frame.Rows(), b.loss)
}

// add adds the raw scores of a model to those of a part's rows.
func (b *boost) add(p *rounds.Part, m *model.Ensemble) error {
	bound, err := m.Bind(&b.frame.Schema, model.Options{Output: model.Raw, Workers: b.Workers})
	if err != nil {
		return err
	}
	n, k := len(p.Rows), bound.Width()
	scores := make([]float64, n*k)
	if err := bound.Predict(scores, b.frame, p.Rows); err != nil {
		return err
	}
	for i := range n {
		for o := range k {
			p.Raw[o*n+i] += scores[i*k+o]
		}
	}
	return nil
}

// addTrees adds the values of a round's trees, one for each output, of some weight.
func (b *boost) addTrees(p *rounds.Part, trees []*tree.Tree, weight float64) error {
	m := b.empty()
	m.Trees = trees
	for o := range trees {
		m.Output = append(m.Output, b.outputOf(o))
	}
	if weight != 1 {
		m.Weights = slices.Repeat([]float64{weight}, len(trees))
	}
	return b.add(p, m)
}
