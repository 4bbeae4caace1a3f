package explain

import (
	"context"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain/internal/shapley"
	"github.com/coppice-ml/coppice/model"
)

// InteractionValues are what pairs of columns contribute together to the raw scores of rows. The
// matrix of a row and score is symmetric. Its row i adds up to the contribution of feature i, which
// Shapley returns. So the matrix and the bias add up to the score, up to rounding.
type InteractionValues struct {
	Features []string  // columns of the model's schema
	Scores   int       // raw scores of a row: 1, or one for each class or output
	Classes  []string  // by score, as in Contributions: values are towards them
	Bias     []float64 // by score, as in Contributions
	// value of features i and j for score k of row r at
	// ((r*Scores + k)*len(Features) + i)*len(Features) + j
	Values []float64
}

// Row returns the matrix of a score of a row: a view. The value of features i and j is at
// i*len(Features) + j.
func (v *InteractionValues) Row(row, score int) []float64 {
	size := len(v.Features) * len(v.Features)
	return v.Values[(row*v.Scores+score)*size:][:size]
}

// Interactions returns the exact SHAP interaction values of rows of a table, nil = all, on the raw
// scale (Lundberg et al. 2020, "SHAP interaction values"). The value of features i and j is half of
// their interaction index (Fujimoto et al. 2006); the other half is that of j and i. On the
// diagonal is what is left of a feature's contribution: its main effect. These are XGBoost's
// pred_interactions. A result has 8 bytes x scores x features^2 for each row.
//
// Without a background a combination of fields is one player, as in Shapley. Its interactions are
// divided equally among its columns; what falls on a column with itself is part of the main effect.
//
// Options, costs and errors are those of Shapley, with tables for leaves of up to 11 columns.
func Interactions(
	ctx context.Context, m model.Model, f *data.Frame, rows []int32, o ShapleyOptions,
) (*InteractionValues, error) {
	sum, ok := rawSum(m, o.Rounds)
	if _, trees := m.(*model.Ensemble); !ok && !trees { // those of trees have errors of their own
		return nil, &ModelError{m.Spec().Learner}
	}
	rows = f.Chosen(rows)
	if sum.alone() {
		v, err := sum.parts[0].interactions(ctx, f, rows, o)
		if err != nil {
			return nil, err
		}
		v.turn(m)
		return v, nil
	}
	v := &InteractionValues{Features: names(m), Scores: len(sum.bias), Bias: slices.Clone(sum.bias)}
	width := len(v.Features)
	v.Values = make([]float64, len(rows)*v.Scores*width*width)
	for i := range sum.parts {
		p := &sum.parts[i]
		own, err := p.interactions(ctx, f, rows, o)
		if err != nil {
			return nil, err
		}
		place, n := placesOf(own.Features, v.Features), len(own.Features)
		for _, t := range p.terms {
			v.Bias[t.to] += float64(t.weight * own.Bias[t.from])
			for r := range rows {
				matrix := own.Row(r, t.from)
				for j, at := range place {
					addTo(v.Row(r, t.to)[at*width:][:width], matrix[j*n:][:n], t.weight, place)
				}
			}
		}
	}
	v.turn(m)
	return v, nil
}

// turn points the values towards the classes that a model's scores are of.
func (v *InteractionValues) turn(m model.Model) {
	d := directionOf(m.Spec(), v.Scores)
	v.Classes = d.classes
	d.turn(v.Bias)
	d.turn(v.Values)
}

// Interacts reports whether Interactions returns values of pairs of columns: for models that have
// exact values and consist of trees, at least in part. In linear models each column is on its own.
func Interacts(m model.Model) bool {
	sum, ok := rawSum(m, 0)
	return ok && slices.ContainsFunc(sum.parts, func(p part) bool {
		_, trees := p.model.(*model.Ensemble)
		return trees
	})
}

// interactions returns the interaction values of the raw scores of the part.
func (p *part) interactions(
	ctx context.Context, f *data.Frame, rows []int32, o ShapleyOptions,
) (*InteractionValues, error) {
	c, err := p.shapley(ctx, f, rows, o)
	if err != nil {
		return nil, err
	}
	v := &InteractionValues{Features: c.Features, Scores: c.Scores, Bias: c.Bias}
	v.Values = make([]float64, len(c.Values)*len(c.Features))
	if trees, ok := p.model.(*model.Ensemble); ok { // in a linear model no columns interact
		o.Rounds = p.rounds
		e, err := newExplainer(ctx, trees, &f.Schema, shapley.Pairs, o)
		if err != nil {
			return nil, err
		}
		err = e.explain(ctx, f, rows, func(b *shapley.Block, from int) { v.add(e, b, from) })
		if err != nil {
			return nil, err
		}
	}
	for r := range rows {
		for k := range v.Scores {
			mainEffects(v.Row(r, k), c.Row(r, k))
		}
	}
	return v, nil
}

// add adds what a block has, whose rows are number from and so on.
func (v *InteractionValues) add(e *explainer, b *shapley.Block, from int) {
	width := len(v.Features)
	for k := range v.Scores {
		for j, these := range e.sources {
			for i, those := range e.sources[:j] {
				fraction := 1 / float64(len(these)*len(those))
				for r, x := range b.Of(int(shapley.Pair(int32(i), int32(j))), k) {
					matrix := v.Row(from+r, k)
					x = float64(x * fraction)
					for _, s := range these {
						for _, t := range those {
							matrix[int(s)*width+int(t)] += x
							matrix[int(t)*width+int(s)] += x
						}
					}
				}
			}
		}
	}
}

// mainEffects sets the diagonal of a matrix, so that rows add up to the contributions.
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
