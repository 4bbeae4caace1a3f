package explain

import (
	"context"
	"slices"
	"sync"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain/internal/shapley"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/linear"
)

// ShapleyExplainer explains single rows, as those of requests to a server. Its tables are made
// once. It is safe for concurrent use. The bits of a row's values depend on no other row: those of
// Shapley may differ in the last digits with the number of rows, which decides how they are found.
type ShapleyExplainer struct {
	Features []string  // columns of the model's schema
	Scores   int       // raw scores of a row: 1, or one for each class or output
	Classes  []string  // by score, as in Contributions: the class that it is towards
	Bias     []float64 // by score, as in Contributions

	direction scoreDirection
	parts     []rowPart
	alone     bool      // the first is all
	scratch   sync.Pool // of *[]float64, for the contributions of a part
}

// rowPart explains the raw scores of a model of trees or of a linear one.
type rowPart struct {
	row      func(dst, values []float64) error
	scores   int
	terms    []addend
	place    []int // by feature: where the combination has it
	features int
}

// treeRows explains rows by the trees of a model.
type treeRows struct {
	*explainer
	features int
	rows     *shapley.Rows // of trees that have tables for single rows
	others   []*shapley.Game
	scratch  sync.Pool // of *rowScratch
}

// manyRows is a number of rows for which all tables pay.
const manyRows = 1 << 20

// rowScratch is what one row needs.
type rowScratch struct {
	values []float64
	tables *shapley.RowScratch
	block  *shapley.Block // of the row alone, for others
}

// NewShapleyExplainer prepares to explain rows of a schema, with the values that Shapley has. It
// makes tables for as many trees as o.Memory has space for; those of the others take longer. It
// takes as long as Shapley does for few rows. The errors are those of Shapley.
func NewShapleyExplainer(
	ctx context.Context, m model.Model, s *data.Schema, o ShapleyOptions,
) (*ShapleyExplainer, error) {
	sum, ok := rawSum(m, o.Rounds)
	if _, trees := m.(*model.Ensemble); !ok && !trees { // those of trees have errors of their own
		return nil, &ModelError{m.Spec().Learner}
	}
	if o.Memory == 0 {
		o.Memory = shapleyMemory
	}
	o.Memory = max(1, o.Memory/int64(max(1, len(sum.parts))))
	x := &ShapleyExplainer{Features: names(m), Scores: len(sum.bias), Bias: slices.Clone(sum.bias),
		alone: sum.alone()}
	for i := range sum.parts {
		p := &sum.parts[i]
		own, bias, err := p.rowPart(ctx, s, o)
		if err != nil {
			return nil, err
		}
		own.place = placesOf(names(p.model), x.Features)
		for _, t := range p.terms {
			x.Bias[t.to] += float64(t.weight * bias[t.from])
		}
		x.parts = append(x.parts, *own)
	}
	x.direction = directionOf(m.Spec(), x.Scores)
	x.Classes = x.direction.classes
	x.direction.turn(x.Bias)
	return x, nil
}

// rowPart prepares to explain rows of a schema. It returns the mean scores, too.
func (p *part) rowPart(
	ctx context.Context, s *data.Schema, o ShapleyOptions,
) (own *rowPart, bias []float64, err error) {
	features := len(p.model.Spec().Schema.Fields)
	if m, is := p.model.(*linear.Linear); is {
		e, err := newLinearExplainer(ctx, m, s, o)
		if err != nil {
			return nil, nil, err
		}
		return &rowPart{row: e.row, scores: len(e.bias), terms: p.terms, features: features}, e.bias,
			nil
	}
	o.Rounds = p.rounds
	e, err := newExplainer(ctx, p.model.(*model.Ensemble), s, shapley.Singles, o)
	if err != nil {
		return nil, nil, err
	}
	x := &treeRows{explainer: e, features: features}
	return &rowPart{row: x.row, scores: e.scores, terms: p.terms, features: features}, e.bias,
		x.prepare(ctx)
}

// prepare makes the tables.
func (x *treeRows) prepare(ctx context.Context) error {
	e := x.explainer
	left := e.memory
	var games []*shapley.Game
	for _, g := range e.games {
		if bytes := g.RowBytes(); bytes > 0 && bytes <= left {
			left -= bytes
			games = append(games, g)
		} else {
			x.others = append(x.others, g)
		}
	}
	err := parallel.EachUntil(ctx, e.workers, len(games), func(_, i int) { games[i].PrepareRow() })
	if err != nil {
		return err
	}
	var rest []*shapley.Game
	x.rows, rest = shapley.NewRows(games, len(e.sources))
	x.others = append(x.others, rest...)
	for _, g := range x.others {
		left -= g.Fit(manyRows, left)
		g.Prepare()
	}
	return nil
}

// Row writes the contributions to a row's scores, that of feature j to score k at
// k*len(Features) + j. dst has Scores*len(Features) numbers or more. The values are in the order of
// the schema that was bound, as for model.Predictor.PredictRow, whose errors it returns.
func (x *ShapleyExplainer) Row(dst, values []float64) error {
	width := len(x.Features)
	if len(dst) < x.Scores*width {
		return &model.SizeError{Want: x.Scores * width, Got: len(dst)}
	}
	if x.alone {
		err := x.parts[0].row(dst, values)
		x.direction.turn(dst[:x.Scores*width])
		return err
	}
	clear(dst[:x.Scores*width])
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
	x.direction.turn(dst[:x.Scores*width])
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
	e := x.explainer
	s := &rowScratch{values: make([]float64, len(e.columns)), tables: x.rows.NewScratch(e.scores)}
	if len(x.others) > 0 {
		s.block = shapley.NewBlock(len(e.columns), len(e.sources), e.scores)
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
