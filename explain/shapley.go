package explain

import (
	"context"
	"errors"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/internal/shapley"
	"github.com/coppice-ml/coppice/model"
)

// Errors of Shapley for models that it cannot explain. A *NotCoveredError names what a tree has.
var (
	ErrNoCover = shapley.ErrNoCover
	// ErrPooled is for models whose leaves' training values are pooled, as quantile forests'.
	ErrPooled = errors.New("Shapley values of pooled leaves are not sums over the trees")
)

// NotCoveredError names a kind of node that depends on several columns, so that TreeSHAP's
// definition does not cover it.
type NotCoveredError = shapley.UnsupportedError

// ShapleyOptions are the choices of Shapley. The zero value explains the rounds that predictions
// use, on all processors.
type ShapleyOptions struct {
	Rounds  int   // rounds of the model; 0 = those that predictions use
	Workers int   // goroutines; 0 = one per processor. The result is the same for any number
	Memory  int64 // bytes that tables may take at a time; 0 = 256 MiB
}

// shapleyMemory is what tables take unless ShapleyOptions have another number.
const shapleyMemory = 256 << 20

// Contributions are what the columns contribute to the raw scores of rows. Bias and the
// contributions of a row add up to its score, up to rounding.
type Contributions struct {
	Features []string  // columns of the model's schema
	Scores   int       // raw scores of a row: 1, or one for each class or output
	Bias     []float64 // by score: its mean by the training weight
	// contribution of feature j to score k of row r at (r*Scores + k)*len(Features) + j
	Values []float64
}

// Row returns the contributions to a score of a row: a view, one for each feature.
func (c *Contributions) Row(row, score int) []float64 {
	return c.Values[(row*c.Scores+score)*len(c.Features):][:len(c.Features)]
}

// Shapley returns the exact Shapley values of rows of a table, nil = all, on the raw scale: before
// the link, log odds for instance. A value that is not known is averaged by the training weight of
// the trees' branches (path-dependent TreeSHAP: Lundberg et al. 2020, "From local explanations to
// global understanding", algorithm 1). These are XGBoost's pred_contribs.
//
// A derived column, as a target statistic of several categories, is one player. Its contribution is
// divided equally among its columns.
//
// Errors: those of Bind and Predict for the table; ErrNoCover for trees that keep no training
// weights; *NotCoveredError for surrogate splits, nodes that divide or stop rows, splits on several
// columns and linear leaves; ErrPooled; and ctx.Err().
func Shapley(
	ctx context.Context, m *model.Ensemble, f *data.Frame, rows []int32, o ShapleyOptions,
) (*Contributions, error) {
	e, err := newExplainer(m, &f.Schema, o)
	if err != nil {
		return nil, err
	}
	rows = f.Chosen(rows)
	c := &Contributions{Scores: e.scores, Bias: e.bias}
	for i := range m.Meta.Schema.Fields {
		c.Features = append(c.Features, m.Meta.Schema.Fields[i].Name)
	}
	c.Values = make([]float64, len(rows)*c.Scores*len(c.Features))
	return c, e.explain(ctx, c, f, rows)
}

// explainer has the trees of a model as games.
type explainer struct {
	games   []*shapley.Game
	columns []int32   // features that trees test, ascending: the columns of blocks
	sources [][]int32 // by column: the fields that its contributions are divided among
	bias    []float64
	scores  int
	values  model.Predictor // of the columns' values
	memory  int64
	workers int
}

// newExplainer makes the games of a model's trees, and finds its columns in a table.
func newExplainer(
	m *model.Ensemble, s *data.Schema, o ShapleyOptions,
) (*explainer, error) {
	if m.Combine == model.Pool {
		return nil, ErrPooled
	}
	used := m.First(o.Rounds)
	e := &explainer{scores: m.Scores(), workers: parallel.Workers(o.Workers), memory: o.Memory,
		bias: make([]float64, m.Scores())}
	if e.memory == 0 {
		e.memory = shapleyMemory
	}
	copy(e.bias, m.Bias)
	e.columns = tested(used)
	for _, column := range e.columns {
		e.sources = append(e.sources, m.Sources(column))
	}
	place := make([]int32, len(m.Features().Fields))
	for i, c := range e.columns {
		place[c] = int32(i)
	}
	divisors := used.Divisors()
	for i, t := range used.Trees {
		source := shapley.Source{Tree: t, Weight: 1, Output: -1, Divisors: divisors, Place: place}
		if used.Weights != nil {
			source.Weight = used.Weights[i]
		}
		if used.Output != nil {
			source.Output = used.Output[i]
		}
		g, err := shapley.New(&source)
		if err != nil {
			return nil, err
		}
		g.Expected(e.bias)
		e.games = append(e.games, g)
	}
	var err error
	e.values, err = model.RowEvaluator{Columns: e.columns, Width: len(e.columns), Inputs: &m.Inputs,
		Start: func() func(dst, row []float64) {
			return func(dst, row []float64) { copy(dst, row) }
		}}.Bind(&m.Meta.Schema, s, 1)
	return e, err
}

// tested returns the features that some tree tests, ascending.
func tested(m *model.Ensemble) []int32 {
	is := make([]bool, len(m.Features().Fields))
	for _, t := range m.Trees {
		for n := range int32(t.Len()) {
			for _, f := range t.Looks(n) {
				is[f] = true
			}
		}
	}
	var features []int32
	for f, tested := range is {
		if tested {
			features = append(features, int32(f))
		}
	}
	return features
}

// tableRows is the number of rows from which tables pay.
const tableRows = 64

// explain adds the contributions of all trees, as many at a time as the memory has tables for.
func (e *explainer) explain(
	ctx context.Context, c *Contributions, f *data.Frame, rows []int32,
) error {
	if len(rows) < tableRows {
		return e.addAll(ctx, c, e.games, f, rows)
	}
	for games := e.games; len(games) > 0; {
		some := games[:e.together(games)]
		games = games[len(some):]
		parallel.Each(e.workers, len(some), func(_, i int) { some[i].Tabulate(e.memory) })
		if err := e.addAll(ctx, c, some, f, rows); err != nil {
			return err
		}
		for _, g := range some {
			g.Drop()
		}
	}
	return nil
}

// together returns how many of the first trees have tables that fit the memory together: one at
// least.
func (e *explainer) together(games []*shapley.Game) int {
	left := e.memory
	for i, g := range games {
		bytes := g.TableBytes()
		if bytes > left && i > 0 {
			return i
		}
		left -= min(bytes, left)
	}
	return len(games)
}

// addAll adds the contributions of some trees to all rows.
func (e *explainer) addAll(
	ctx context.Context, c *Contributions, games []*shapley.Game, f *data.Frame, rows []int32,
) error {
	blocks := (len(rows) + shapley.BlockRows - 1) / shapley.BlockRows
	errs := make([]error, blocks)
	scratch := make([]*shapleyScratch, e.workers)
	parallel.Each(e.workers, blocks, func(worker, i int) {
		if errs[i] = ctx.Err(); errs[i] != nil {
			return
		}
		if scratch[worker] == nil {
			scratch[worker] = e.newScratch()
		}
		from := i * shapley.BlockRows
		part := rows[from:min(from+shapley.BlockRows, len(rows))]
		errs[i] = e.addBlock(c, scratch[worker], games, f, part, from)
	})
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// shapleyScratch is the memory of a worker.
type shapleyScratch struct {
	block  *shapley.Block
	values []float64 // row after row
}

func (e *explainer) newScratch() *shapleyScratch {
	return &shapleyScratch{shapley.NewBlock(len(e.columns), e.scores),
		make([]float64, shapley.BlockRows*len(e.columns))}
}

// addBlock adds the contributions of some trees to a block of rows, which are number from and so on
// of the result.
func (e *explainer) addBlock(
	c *Contributions, s *shapleyScratch, games []*shapley.Game, f *data.Frame, rows []int32, from int,
) error {
	width := len(e.columns)
	if err := e.values.Predict(s.values[:len(rows)*width], f, rows); err != nil {
		return err
	}
	b := s.block
	b.Rows = len(rows)
	for r := range rows {
		for i, x := range s.values[r*width:][:width] {
			b.X[i*shapley.BlockRows+r] = x
		}
	}
	clear(b.Phi)
	for _, g := range games {
		g.Add(b)
	}
	for k := range e.scores {
		for i := range e.columns {
			sources := e.sources[i]
			fraction := 1 / float64(len(sources))
			phi := b.Phi[(k*width+i)*shapley.BlockRows:][:len(rows)]
			for r, v := range phi {
				row := c.Row(from+r, k)
				for _, source := range sources {
					row[source] += float64(v * fraction)
				}
			}
		}
	}
	return nil
}
