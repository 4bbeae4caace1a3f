package shapley

import (
	"context"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain/internal/shapley/internal/trees"
	"github.com/coppice-ml/coppice/model"
)

// Interacts reports whether pairs of features may contribute: in linear models each is on its own.
func (s *Sum) Interacts() bool {
	return slices.ContainsFunc(s.parts, func(p part) bool {
		_, is := p.model.(*model.Ensemble)
		return is
	})
}

// Interactions returns what each pair of features contributes to the scores of rows of a table: a
// symmetric matrix for each row and score, whose lines add up to the contributions. The errors are
// those of explain.Interactions.
func (s *Sum) Interactions(
	ctx context.Context, f *data.Frame, rows []int32, o Options,
) (*Values, error) {
	return s.addUp(len(rows), len(s.features), func(p *part) (*Values, error) {
		return p.interactions(ctx, f, rows, o)
	})
}

// interactions returns the interaction values of the raw scores of the part.
func (p *part) interactions(
	ctx context.Context, f *data.Frame, rows []int32, o Options,
) (*Values, error) {
	c, err := p.contributions(ctx, f, rows, o)
	if err != nil {
		return nil, err
	}
	v := newValues(c.Bias, len(rows), c.width*c.width)
	if m, is := p.model.(*model.Ensemble); is {
		o.Rounds = p.rounds
		e, err := newTreeExplainer(ctx, m, &f.Schema, trees.Pairs, o)
		if err == nil {
			err = e.checkMemory(e.memory)
		}
		if err != nil {
			return nil, err
		}
		err = e.explain(ctx, f, rows, func(b *trees.Block, from int) { v.addPairs(e, b, from, c.width) })
		if err != nil {
			return nil, err
		}
	}
	for r := range rows {
		for k := range v.Bias {
			mainEffects(v.row(r, k), c.row(r, k))
		}
	}
	return v, nil
}

// addPairs adds what a block has of pairs of players, whose rows are number from and so on.
func (v *Values) addPairs(e *treeExplainer, b *trees.Block, from, features int) {
	for k := range v.Bias {
		for j, these := range e.sources {
			for i, those := range e.sources[:j] {
				fraction := 1 / float64(len(these)*len(those))
				for r, x := range b.Of(int(trees.Pair(int32(i), int32(j))), k) {
					matrix := v.row(from+r, k)
					x = float64(x * fraction)
					for _, s := range these {
						for _, t := range those {
							matrix[int(s)*features+int(t)] += x
							matrix[int(t)*features+int(s)] += x
						}
					}
				}
			}
		}
	}
}

// mainEffects sets the diagonal of a matrix, so that lines add up to the contributions.
func mainEffects(matrix, contributions []float64) {
	width := len(contributions)
	for i, left := range contributions {
		for j, x := range matrix[i*width:][:width] {
			if j != i {
				left -= x
			}
		}
		matrix[i*width+i] = left
	}
}
