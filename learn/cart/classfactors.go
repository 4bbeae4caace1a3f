package cart

import (
	"errors"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/learn/internal/weighting"
	"github.com/coppice-ml/coppice/tree"
)

// classFactors is what classes count, by class, beyond the weights of their rows. Each is nil where
// all are 1.
type classFactors struct {
	factors []float64 // of class_weight: a weight of rows, like any other
	// prior over fraction of the weight: risks and class probabilities count rows by it
	prior []float64
	// sum of a class's costs over the mean of all rows: only the choice of splits counts rows by it
	dear  []float64
	costs data.Costs
}

// population gathers the rows of a fit and weighs their classes.
func (l *Learner) population(t *data.Target,
	rows []int32) (*grow.Population, *classFactors, error) {
	p, factors, err := weighting.Gather(t, rows, l.ClassWeight)
	if err != nil {
		return nil, nil, err
	}
	w := &classFactors{factors: factors}
	if w.costs, err = l.Costs.Of(t); err != nil {
		return nil, nil, err
	}
	switch {
	case l.Priors != nil && w.factors != nil:
		return nil, nil, errors.New("priors and class_weight both weigh the classes: use one " +
			"of them")
	case l.Laplace && !t.Task.Classes():
		return nil, nil, errors.New("laplace=true does not fit a regression label")
	}
	if w.prior, err = weighting.PriorFactors(l.Priors, t, classWeights(p)); err != nil {
		return nil, nil, err
	}
	p.Scale(w.prior)
	w.dear = dear(w.costs, classWeights(p))
	p.Scale(w.dear)
	return p, w, nil
}

// again gathers the rows of a fold. Class weights, priors and costs alter weights as those of all
// rows do.
func (j *job) again(rows []int32) (*grow.Population, error) {
	p, _, err := weighting.Gather(j.target, rows, data.ClassWeight{})
	if err != nil {
		return nil, err
	}
	p.Scale(j.factors.factors)
	p.Case = nil // a weight of rows, as weighting.Gather has it
	p.Scale(j.factors.prior)
	p.Scale(j.factors.dear)
	return p, nil
}

// classWeights sums the weight of each class.
func classWeights(p *grow.Population) []float64 {
	weight := make([]float64, p.Classes)
	for i, c := range p.Class {
		weight[c] += p.WeightAt(i)
	}
	return weight
}

// dear returns the factors of altered priors: classes count by the sum of their costs, and all rows
// together weigh what they did (Breiman et al. 1984, section 4.4).
func dear(costs data.Costs, weight []float64) []float64 {
	factors := costs.Total()
	if factors == nil {
		return nil
	}
	sum, altered := 0.0, 0.0
	for c, w := range weight {
		sum += w
		altered += float64(w * factors[c])
	}
	for c := range factors {
		factors[c] *= sum / altered
	}
	return factors
}

// revalue returns the tree with the weights of classes that priors leave but without what costs
// made of them, which was for the choice of splits alone.
func (j *job) revalue(t *tree.Tree, p *grow.Population) *tree.Tree {
	if j.factors.dear == nil {
		return t
	}
	again := *t
	k, walk := t.Leaf.Width, t.Over(j.frame.Columns)
	again.Leaf.Value = make([]float64, len(t.Leaf.Value))
	for i, row := range p.Rows {
		class := p.Class[i]
		w := j.weight(row)
		if p.Count != nil {
			w *= float64(p.Count[i])
		}
		if j.factors.prior != nil {
			w *= j.factors.prior[class]
		}
		walk.Visit(row, func(n int32, part float64, _ bool) {
			again.Leaf.Value[int(n)*k+int(class)] += float64(w * part)
		})
	}
	return &again
}

// smooth returns the tree with 1 added to the weight of each class at every node, so that
// probabilities are (w + 1) / (W + K) (Laplace's law of succession).
func smooth(t *tree.Tree) *tree.Tree {
	s := *t
	s.Leaf.Value = make([]float64, len(t.Leaf.Value))
	for i, w := range t.Leaf.Value {
		s.Leaf.Value[i] = w + 1
	}
	return &s
}
