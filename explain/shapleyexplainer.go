package explain

import (
	"context"
	"sync"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/internal/shapley"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/linear"
)

// ShapleyExplainer explains single rows, as those of requests to a server. Its tables are made
// once. It is safe for concurrent use.
type ShapleyExplainer struct {
	Features []string  // columns of the model's schema
	Scores   int       // raw scores of a row: 1, or one for each class or output
	Bias     []float64 // by score, as in Contributions

	linear    *linearExplainer // nil: the model has trees
	explainer *explainer
	rows      *shapley.Rows // of trees that have tables for single rows
	others    []*shapley.Game
	scratch   sync.Pool // of *rowScratch
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
	x := &ShapleyExplainer{Features: names(m)}
	switch m := m.(type) {
	case *model.Ensemble:
		e, err := newExplainer(ctx, m, s, shapley.Singles, o)
		if err != nil {
			return nil, err
		}
		x.explainer, x.Bias, x.Scores = e, e.bias, e.scores
		if err := x.prepare(ctx); err != nil {
			return nil, err
		}
		return x, nil
	case *linear.Linear:
		e, err := newLinearExplainer(ctx, m, s, o)
		if err != nil {
			return nil, err
		}
		x.linear, x.Bias, x.Scores = e, e.bias, len(e.bias)
		return x, nil
	}
	return nil, &ModelError{m.Spec().Learner}
}

// prepare makes the tables.
func (x *ShapleyExplainer) prepare(ctx context.Context) error {
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
	if x.linear != nil {
		return x.linear.row(dst, values)
	}
	s := x.newScratch()
	defer x.scratch.Put(s)
	if err := x.explainer.values.PredictRow(s.values, values); err != nil {
		return err
	}
	players := len(x.explainer.sources)
	phi := x.rows.Explain(s.tables, s.values)
	if len(x.others) > 0 {
		x.addOthers(phi, s)
	}
	clear(dst[:x.Scores*width])
	for k := range x.Scores {
		for i, sources := range x.explainer.sources {
			fraction := 1 / float64(len(sources))
			for _, source := range sources {
				dst[k*width+int(source)] += float64(phi[k*players+i] * fraction)
			}
		}
	}
	return nil
}

func (x *ShapleyExplainer) newScratch() *rowScratch {
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
func (x *ShapleyExplainer) addOthers(phi []float64, s *rowScratch) {
	fillBlock(s.block, s.values, 1)
	players := len(x.explainer.sources)
	cells := players * x.Scores
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
