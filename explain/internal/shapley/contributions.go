package shapley

import (
	"context"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain/internal/shapley/internal/trees"
	"github.com/coppice-ml/coppice/internal/models/dense"
	"github.com/coppice-ml/coppice/model"
)

// Contributions returns what each feature contributes to the scores of rows of a table. The errors
// are those of explain.Shapley.
func (s *Sum) Contributions(
	ctx context.Context, f *data.Frame, rows []int32, o Options,
) (*Values, error) {
	return s.addUp(len(rows), 1, func(p *part) (*Values, error) {
		return p.contributions(ctx, f, rows, o)
	})
}

// addUp returns the weighted sum of what the parts have. That consists of some vectors by feature:
// of one, or of one for each feature.
func (s *Sum) addUp(rows, vectors int, of func(p *part) (*Values, error)) (*Values, error) {
	if s.alone() {
		return of(&s.parts[0])
	}
	width := len(s.features)
	sum := newValues(slices.Clone(s.bias), rows, vectors*width)
	for i := range s.parts {
		p := &s.parts[i]
		own, err := of(p)
		if err != nil {
			return nil, err
		}
		place := placesOf(p.features(), s.features)
		for _, t := range p.terms {
			sum.Bias[t.to] += float64(t.weight * own.Bias[t.from])
			for r := range rows {
				dst, from := sum.row(r, t.to), own.row(r, t.from)
				if vectors == 1 {
					addTo(dst, from, t.weight, place)
					continue
				}
				for j, at := range place {
					addTo(dst[at*width:][:width], from[j*len(place):][:len(place)], t.weight, place)
				}
			}
		}
	}
	return sum, nil
}

// placesOf returns where features stand among those of a sum, which has them all.
func placesOf(features, among []string) []int {
	place := make([]int, len(features))
	for j, name := range features {
		place[j] = slices.Index(among, name)
	}
	return place
}

// addTo adds the weighted values of a part to those of a sum.
func addTo(dst, own []float64, weight float64, place []int) {
	for j, v := range own {
		dst[place[j]] += float64(weight * v)
	}
}

// contributions returns the contributions to the raw scores of the part.
func (p *part) contributions(
	ctx context.Context, f *data.Frame, rows []int32, o Options,
) (*Values, error) {
	width := len(p.model.Spec().Schema.Fields)
	if m, is := p.model.(*dense.Linear); is {
		e, err := newLinearExplainer(ctx, m, &f.Schema, o)
		if err != nil {
			return nil, err
		}
		v := newValues(e.bias, len(rows), width)
		return v, e.explain(ctx, v.Values, f, rows)
	}
	o.Rounds = p.rounds
	e, err := newTreeExplainer(ctx, p.model.(*model.Ensemble), &f.Schema, trees.Singles, o)
	if err == nil {
		err = e.checkMemory(e.memory)
	}
	if err != nil {
		return nil, err
	}
	v := newValues(e.bias, len(rows), width)
	return v, e.explain(ctx, f, rows, func(b *trees.Block, from int) { v.addSingles(e, b, from) })
}

// addSingles adds what a block has, whose rows are number from and so on. The contribution of a
// player is divided among its fields.
func (v *Values) addSingles(e *treeExplainer, b *trees.Block, from int) {
	for k := range v.Bias {
		for i, sources := range e.sources {
			fraction := 1 / float64(len(sources))
			for r, x := range b.Of(i, k) {
				row := v.row(from+r, k)
				for _, source := range sources {
					row[source] += float64(x * fraction)
				}
			}
		}
	}
}
