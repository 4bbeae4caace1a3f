package gbm

import (
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/boosting"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// startPart gives the rows of a part the scores that training starts with: those of the model so
// far, and the user's.
func (b *boost) startPart(p *boosting.Part) error {
	p.Raw = make([]float64, len(p.Rows)*p.Objective.Outputs())
	round := func(tree int) int { return tree * b.before / b.first }
	if err := b.addByOrder(p, b.model, round); err != nil {
		return err
	}
	return p.AddStart(b.target.Offset, b.frame.Rows(), b.loss)
}

// addByOrder adds the raw scores of a model whose trees are of the rounds given: rows that are
// trained on have in each round the target statistics of its order of the rows.
func (b *boost) addByOrder(p *boosting.Part, m *model.Ensemble, round func(tree int) int) error {
	orders := len(b.frames)
	switch {
	case len(m.Trees) == 0:
		return b.add(p, b.frame, m)
	case orders == 1:
		return b.add(p, b.frames[0], m)
	}
	for o, f := range b.frames {
		own := *m
		own.Trees, own.Output, own.Weights = nil, []int32{}, nil
		if o > 0 {
			own.Bias = make([]float64, len(m.Bias))
		}
		for i, t := range m.Trees {
			if round(i)%orders != o {
				continue
			}
			own.Trees, own.Output = append(own.Trees, t), append(own.Output, m.Output[i])
			if m.Weights != nil {
				own.Weights = append(own.Weights, m.Weights[i])
			}
		}
		if err := b.add(p, f, &own); err != nil {
			return err
		}
	}
	return nil
}

// add adds the raw scores of a model to those of a part's rows, by the columns of a frame.
func (b *boost) add(p *boosting.Part, f *data.Frame, m *model.Ensemble) error {
	if len(m.Trees) == 0 {
		for o, bias := range m.Bias {
			for i := range p.Rows {
				p.Raw[o*len(p.Rows)+i] += bias
			}
		}
		return nil
	}
	bound, err := m.Bind(&f.Schema, model.Options{Output: model.Raw, Workers: b.Workers})
	if err != nil {
		return err
	}
	n, k := len(p.Rows), bound.Width()
	scores := make([]float64, n*k)
	if err := bound.Predict(scores, f, p.Rows); err != nil {
		return err
	}
	for i := range n {
		for o := range k {
			p.Raw[o*n+i] += scores[i*k+o]
		}
	}
	return nil
}

// addTrees adds the values of a round's trees, one for each output, of some weight, to a part that
// is the validation part.
func (b *boost) addTrees(p *boosting.Part, trees []*tree.Tree, weight float64) error {
	m := b.empty()
	m.Trees = trees
	for o := range trees {
		m.Output = append(m.Output, b.outputOf(o))
	}
	if weight != 1 {
		m.Weights = slices.Repeat([]float64{weight}, len(trees))
	}
	return b.addHoldOut(p, m)
}

// addHoldOut adds the raw scores of a model to those of rows of the validation part.
func (b *boost) addHoldOut(p *boosting.Part, m *model.Ensemble) error {
	if b.holdOut == nil {
		return b.add(p, b.frames[0], m)
	}
	return b.add(&boosting.Part{Rows: data.AllRows(len(p.Rows)), Raw: p.Raw}, b.holdOut, m)
}
