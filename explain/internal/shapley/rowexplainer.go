package shapley

import (
	"context"
	"slices"
	"sync"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain/internal/shapley/internal/trees"
	"github.com/coppice-ml/coppice/internal/models/dense"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/model"
)

// Rows explains single rows, with tables that are made once. It is safe for concurrent use.
type Rows struct {
	Bias  []float64 // by score
	Bytes int64     // of tables, so many as Options.Memory at most

	features int
	parts    []rowPart
	alone    bool      // the first is all
	scratch  sync.Pool // of *[]float64, for the contributions of a part
}

// rowPart explains the raw scores of a model of trees or of a linear one.
type rowPart struct {
	row      func(dst, values []float64) error
	scores   int
	terms    []addend
	place    []int // by feature: where the sum has it
	features int
}

// treeRows explains rows by the trees of a model.
type treeRows struct {
	*treeExplainer
	features int
	rows     *trees.Rows // of trees that have tables for single rows
	others   []*trees.Game
	scratch  sync.Pool // of *rowScratch
}

// rowScratch is what one row needs.
type rowScratch struct {
	values []float64
	tables *trees.RowScratch
	block  *trees.Block // of the row alone, for others
}

// Rows prepares to explain rows of a schema. Memory is divided among the parts. The errors are
// those of Contributions.
func (s *Sum) Rows(ctx context.Context, schema *data.Schema, o Options) (*Rows, error) {
	if o.Memory == 0 {
		o.Memory = defaultMemory
	}
	o.Memory = max(1, o.Memory/int64(max(1, len(s.parts))))
	x := &Rows{Bias: slices.Clone(s.bias), features: len(s.features), alone: s.alone()}
	for i := range s.parts {
		p := &s.parts[i]
		own, bias, bytes, err := p.rowPart(ctx, schema, o)
		if err != nil {
			return nil, err
		}
		x.Bytes += bytes
		own.place = placesOf(p.features(), s.features)
		for _, t := range p.terms {
			x.Bias[t.to] += float64(t.weight * bias[t.from])
		}
		x.parts = append(x.parts, *own)
	}
	return x, nil
}

// rowPart prepares to explain rows of a schema. It returns the mean scores and the bytes of tables,
// too.
func (p *part) rowPart(
	ctx context.Context, s *data.Schema, o Options,
) (own *rowPart, bias []float64, bytes int64, err error) {
	features := len(p.model.Spec().Schema.Fields)
	if m, is := p.model.(*dense.Linear); is {
		e, err := newLinearExplainer(ctx, m, s, o)
		if err != nil {
			return nil, nil, 0, err
		}
		return &rowPart{row: e.row, scores: len(e.bias), terms: p.terms, features: features}, e.bias,
			0, nil
	}
	o.Rounds = p.rounds
	e, err := newTreeExplainer(ctx, p.model.(*model.Ensemble), s, trees.Singles, o)
	if err == nil { // of a row at a time: what tables have decides about no error
		err = e.checkMemory(defaultMemory)
	}
	if err != nil {
		return nil, nil, 0, err
	}
	x := &treeRows{treeExplainer: e, features: features}
	bytes, err = x.prepare(ctx)
	return &rowPart{row: x.row, scores: e.scores, terms: p.terms, features: features}, e.bias,
		bytes, err
}

// prepare makes the tables, and returns how many bytes they take.
func (x *treeRows) prepare(ctx context.Context) (bytes int64, err error) {
	e := x.treeExplainer
	most := min(e.memory, trees.MostTables)
	left := most
	for _, g := range e.games {
		g.Expected(e.bias)
		left -= g.Fit(trees.ManyRows, left)
	}
	err = parallel.EachUntil(ctx, e.workers, len(e.games), func(_, i int) { e.games[i].Prepare() })
	if err != nil {
		return 0, err
	}
	x.rows, x.others = trees.NewRows(e.games, len(e.sources))
	for _, g := range x.others {
		left -= g.Keep(left)
	}
	return most - left, nil
}

// Row writes the contributions to the scores of a row: dst has the scores times the features of the
// model. The values are in the order of the schema that was bound; the errors are those of
// model.Predictor.PredictRow.
func (x *Rows) Row(dst, values []float64) error {
	width := x.features
	if x.alone {
		return x.parts[0].row(dst, values)
	}
	clear(dst)
	memory, _ := x.scratch.Get().(*[]float64)
	if memory == nil {
		memory = new([]float64)
	}
	defer x.scratch.Put(memory)
	for i := range x.parts {
		p := &x.parts[i]
		if n := p.scores * p.features; len(*memory) < n {
			*memory = make([]float64, n)
		}
		if err := p.row(*memory, values); err != nil {
			return err
		}
		for _, t := range p.terms {
			own := (*memory)[t.from*p.features:][:p.features]
			addTo(dst[t.to*width:][:width], own, t.weight, p.place)
		}
	}
	return nil
}

// row writes the contributions to the raw scores of the trees.
func (x *treeRows) row(dst, values []float64) error {
	s := x.newScratch()
	defer x.scratch.Put(s)
	if err := x.values.PredictRow(s.values, values); err != nil {
		return err
	}
	players := len(x.sources)
	phi := x.rows.Explain(s.tables, s.values)
	if len(x.others) > 0 {
		x.addOthers(phi, s)
	}
	clear(dst[:x.scores*x.features])
	for k := range x.scores {
		for i, sources := range x.sources {
			fraction := 1 / float64(len(sources))
			for _, source := range sources {
				dst[k*x.features+int(source)] += float64(phi[k*players+i] * fraction)
			}
		}
	}
	return nil
}

func (x *treeRows) newScratch() *rowScratch {
	if s, _ := x.scratch.Get().(*rowScratch); s != nil {
		return s
	}
	e := x.treeExplainer
	s := &rowScratch{values: make([]float64, len(e.columns)), tables: x.rows.NewScratch(e.scores)}
	if len(x.others) > 0 {
		s.block = trees.NewBlock(1, len(e.columns), len(e.sources), e.scores)
	}
	return s
}

// addOthers adds what trees without tables for single rows have.
func (x *treeRows) addOthers(phi []float64, s *rowScratch) {
	fillBlock(s.block, s.values, 1)
	players := len(x.sources)
	cells := players * x.scores
	for i := range cells {
		s.block.Of(i%players, i/players)[0] = 0
	}
	for _, g := range x.others {
		g.Add(s.block)
	}
	for i := range cells {
		phi[i] += s.block.Of(i%players, i/players)[0]
	}
}

// row writes the contributions to the scores of a row of values.
func (e *linearExplainer) row(dst, values []float64) error {
	if err := e.terms.PredictRow(dst, values); err != nil {
		return err
	}
	for i, v := range e.mean {
		dst[i] -= v
	}
	return nil
}
