package explain

import (
	"context"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/internal/shapley"
	"github.com/coppice-ml/coppice/model"
)

// explainer has the trees of a model as games.
type explainer struct {
	games   []*shapley.Game
	index   shapley.Index
	columns []int32   // features that trees test, ascending: the columns of blocks
	sources [][]int32 // by player: the fields that its contributions are divided among
	bias    []float64
	scores  int
	values  model.Predictor // of the columns' values
	memory  int64
	workers int
}

// newExplainer makes the games of a model's trees, and finds its columns in a table.
func newExplainer(
	m *model.Ensemble, s *data.Schema, index shapley.Index, o ShapleyOptions,
) (*explainer, error) {
	if m.Combine == model.Pool {
		return nil, ErrPooled
	}
	used := m.First(o.Rounds)
	e := &explainer{index: index, scores: m.Scores(), workers: parallel.Workers(o.Workers),
		memory: o.Memory, bias: make([]float64, m.Scores())}
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
		source := shapley.Source{Tree: t, Weight: 1, Output: -1, Divisors: divisors, Place: place,
			Index: index}
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

// explain computes the index of all rows, and passes it to keep block by block, several at a time.
// from is the place of the block's first row. It takes as many trees at a time as the memory has
// tables for. So keep gets each row once or more often, and adds.
func (e *explainer) explain(
	ctx context.Context, f *data.Frame, rows []int32, keep func(b *shapley.Block, from int),
) error {
	if len(rows) < tableRows {
		return e.addAll(ctx, e.games, f, rows, keep)
	}
	for games := e.games; len(games) > 0; {
		some := games[:e.together(games)]
		games = games[len(some):]
		parallel.Each(e.workers, len(some), func(_, i int) { some[i].Tabulate(e.memory) })
		if err := e.addAll(ctx, some, f, rows, keep); err != nil {
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

// addAll passes on what some trees have of all rows.
func (e *explainer) addAll(
	ctx context.Context, games []*shapley.Game, f *data.Frame, rows []int32,
	keep func(b *shapley.Block, from int),
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
		if errs[i] = e.fill(scratch[worker], f, part); errs[i] != nil {
			return
		}
		b := scratch[worker].block
		clear(b.Phi)
		for _, g := range games {
			g.Add(b)
		}
		keep(b, from)
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
	players := len(e.sources)
	return &shapleyScratch{
		shapley.NewBlock(len(e.columns), e.index.CellsOf(players), e.scores),
		make([]float64, shapley.BlockRows*len(e.columns))}
}

// fill fills a block with rows of a table.
func (e *explainer) fill(s *shapleyScratch, f *data.Frame, rows []int32) error {
	width := len(e.columns)
	s.block.Rows = len(rows)
	if err := e.values.Predict(s.values[:len(rows)*width], f, rows); err != nil {
		return err
	}
	for r := range rows {
		for i, x := range s.values[r*width:][:width] {
			s.block.X[i*shapley.BlockRows+r] = x
		}
	}
	return nil
}
