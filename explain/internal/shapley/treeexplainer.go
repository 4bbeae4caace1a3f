package shapley

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain/internal/shapley/internal/trees"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/memory"
	"github.com/coppice-ml/coppice/model"
)

// treeExplainer has the trees of a model, whose leaves are not pooled, as games.
type treeExplainer struct {
	model      *model.Ensemble
	used       *model.Ensemble // the rounds of model that are explained
	games      []*trees.Game
	index      trees.Index
	columns    []int32   // features that trees use, ascending: the columns of blocks
	sources    [][]int32 // by player: the fields that its contributions are divided among
	background *trees.Background
	bias       []float64 // without a background, complete after explain
	scores     int
	values     model.Predictor // of the columns' values
	memory     int64
	workers    int
}

// newTreeExplainer makes the games of a model's trees, and finds its columns in a table.
func newTreeExplainer(
	ctx context.Context, m *model.Ensemble, s *data.Schema, index trees.Index, o Options,
) (*treeExplainer, error) {
	used := m.First(o.Rounds)
	e := &treeExplainer{model: m, used: used, index: index, scores: m.Scores(),
		workers: parallel.Workers(o.Workers), memory: o.Memory, bias: make([]float64, m.Scores())}
	if e.memory == 0 {
		e.memory = defaultMemory
	}
	source := trees.Source{Index: index}
	e.columns = tested(used)
	if o.Background == nil {
		copy(e.bias, m.Bias)
		e.joinColumns(&source)
		if err := e.readCover(ctx, &source, o.Cover); err != nil {
			return nil, err
		}
	} else if err := e.readBackground(ctx, used, &source, o); err != nil {
		return nil, err
	}
	source.Place = make([]int32, len(m.Features().Fields))
	for i, c := range e.columns {
		source.Place[c] = int32(i)
	}
	if err := e.addGames(ctx, used, &source); err != nil {
		return nil, err
	}
	var err error
	e.values, err = e.bind(s)
	return e, err
}

// joinColumns sets the players without a background. The columns that are credited to the same
// fields are one player: a column's value is known or unknown for all that is derived of it.
//
//	columns  a  b  nonzero(a)  ts(b)  ts(b+c)  count(b+c)
//	players  a  b  a           b      {b, c}   {b, c}
func (e *treeExplainer) joinColumns(source *trees.Source) {
	players := map[string]int32{}
	for _, column := range e.columns {
		fields := e.model.Credited(column)
		key, _ := binary.Append(nil, binary.LittleEndian, fields)
		player, known := players[string(key)]
		if !known {
			player = int32(len(e.sources))
			players[string(key)] = player
			e.sources = append(e.sources, fields)
		}
		source.Player = append(source.Player, player)
	}
}

// checkMemory returns an error that wraps memory.ErrLimit where the values of a block of rows take
// several times as much as tables, and are not small either.
func (e *treeExplainer) checkMemory(tables int64) error {
	const times, least = 4, 64 << 20
	cells := e.index.CellsOf(len(e.sources))
	what := fmt.Sprintf("explaining %d columns and %d scores", len(e.columns), e.scores)
	return memory.Limit(max(least, times*tables)).Check(what,
		8*trees.BlockRows*int64(cells)*int64(e.scores))
}

// addGames makes the games of the trees. source has what they have in common.
func (e *treeExplainer) addGames(
	ctx context.Context, used *model.Ensemble, source *trees.Source,
) error {
	source.Divisors = used.Divisors()
	sources := make([]trees.Source, len(used.Trees))
	of := func(i int) *trees.Source {
		own := &sources[i]
		*own = *source
		own.Tree, own.Weight, own.Output = used.Trees[i], 1, -1
		if i+1 < len(used.Trees) {
			own.Next = used.Trees[i+1]
		}
		if used.Weights != nil {
			own.Weight = used.Weights[i]
		}
		if used.Output != nil {
			own.Output = used.Output[i]
		}
		return own
	}
	e.games = make([]*trees.Game, len(used.Trees))
	return parallel.Try(ctx, e.workers, len(e.games), func(_, i int) (err error) {
		e.games[i], err = trees.New(of(i))
		return err
	})
}

// bind returns a predictor of the values of columns in tables of a schema. It refuses the rows that
// the trees in use have no prediction for.
func (e *treeExplainer) bind(s *data.Schema) (model.Predictor, error) {
	return model.RowEvaluator{Columns: e.columns, Width: len(e.columns), Inputs: &e.model.Inputs,
		Start: func() func(dst, row []float64) {
			return func(dst, row []float64) { copy(dst, row) }
		}}.RefusingAs(e.used).Bind(&e.model.Meta.Schema, s, 1)
}

// tested returns the features that some tree tests, ascending.
func tested(m *model.Ensemble) []int32 {
	is := make([]bool, 1+len(m.Features().Fields)) // from -1 on: the nodes without a feature
	for _, t := range m.Trees {
		if !slices.Contains(is[1:], false) {
			break
		}
		for n := range t.Nodes {
			is[1+t.Nodes[n].Feature()] = true
		}
		if t.Dirs != nil {
			for _, f := range t.Dirs.Feature {
				is[1+f] = true
			}
		}
	}
	return named(is[1:])
}

// named returns the features that are set, ascending.
func named(is []bool) []int32 {
	var list []int32
	for f, named := range is {
		if named {
			list = append(list, int32(f))
		}
	}
	return list
}

// hybridRows is the number of pairs of a row and one of a background from which what Prepare makes
// takes less time than to explain the pairs one by one.
const hybridRows = 512

// explain computes the index of all rows, and passes it to keep block by block, several at a time.
// from is the place of the block's first row. It takes as many trees at a time as the memory has
// tables for. So keep gets each row once or more often, and adds.
func (e *treeExplainer) explain(
	ctx context.Context, f *data.Frame, rows []int32, keep func(b *trees.Block, from int),
) error {
	if e.background != nil && len(rows)*e.background.Rows() < hybridRows {
		return e.addAll(ctx, e.games, f, rows, keep)
	}
	for games := e.games; len(games) > 0; {
		some := games[:e.together(games, len(rows))]
		games = games[len(some):]
		err := parallel.EachUntil(ctx, e.workers, len(some), func(_, i int) { some[i].Prepare() })
		if err != nil {
			return err
		}
		if err := e.addAll(ctx, some, f, rows, keep); err != nil {
			return err
		}
		for _, g := range some {
			g.Drop()
		}
	}
	return nil
}

// together returns how many of the first trees fit the memory together when they are prepared for a
// number of rows: one at least.
func (e *treeExplainer) together(games []*trees.Game, rows int) int {
	left := e.memory
	for i, g := range games {
		bytes := g.Fit(rows, e.memory)
		if bytes > left && i > 0 {
			return i
		}
		left -= min(bytes, left)
	}
	return len(games)
}

// Few blocks of rows are divided among workers by trees, too, into so many tasks at most, and so
// that the sums of tasks take no more than so many bytes. Neither depends on the number of workers.
const (
	mostTasks    = 16
	mostTaskSums = 32 << 20
)

// addAll passes on what some trees have of all rows. It adds their means to bias, for there is a
// block even of no rows.
func (e *treeExplainer) addAll(
	ctx context.Context, games []*trees.Game, f *data.Frame, rows []int32,
	keep func(b *trees.Block, from int),
) error {
	blocks := max(1, (len(rows)+trees.BlockRows-1)/trees.BlockRows)
	sums := 8 * trees.BlockRows * e.index.CellsOf(len(e.sources)) * e.scores
	most := max(1, min(mostTasks, mostTaskSums/max(1, sums))/blocks)
	groups := min(most, len(games))
	scratch := make([]*blockScratch, e.workers)
	parts := make([]*trees.Block, blocks*groups)
	means := make([]float64, len(games)*e.scores)
	err := parallel.Try(ctx, e.workers, blocks*groups, func(worker, i int) error {
		if scratch[worker] == nil {
			scratch[worker] = e.newScratch(min(len(rows), trees.BlockRows))
		}
		from, group := i/groups*trees.BlockRows, i%groups
		part := rows[from:min(from+trees.BlockRows, len(rows))]
		if err := e.fill(scratch[worker], f, part); err != nil {
			return err
		}
		b := scratch[worker].block
		clear(b.Phi)
		for at := group * len(games) / groups; at < (group+1)*len(games)/groups; at++ {
			if b.Mean = nil; from == 0 {
				b.Mean = means[at*e.scores:][:e.scores]
			}
			games[at].Add(b)
		}
		if groups == 1 {
			keep(b, from)
		} else {
			parts[i] = &trees.Block{Rows: b.Rows, Stride: b.Stride, Cells: b.Cells,
				Phi: slices.Clone(b.Phi)}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for i, mean := range means {
		e.bias[i%e.scores] += mean
	}
	for i := 0; i < len(parts) && groups > 1; i++ {
		keep(parts[i], i/groups*trees.BlockRows)
	}
	return nil
}

// blockScratch is the memory of a worker.
type blockScratch struct {
	block  *trees.Block
	values []float64 // row after row
}

func (e *treeExplainer) newScratch(rows int) *blockScratch {
	players := len(e.sources)
	return &blockScratch{
		trees.NewBlock(rows, len(e.columns), e.index.CellsOf(players), e.scores),
		make([]float64, rows*len(e.columns))}
}

// fill fills a block with rows of a table.
func (e *treeExplainer) fill(s *blockScratch, f *data.Frame, rows []int32) error {
	width := len(e.columns)
	if len(rows) > 0 {
		if err := e.values.Predict(s.values[:len(rows)*width], f, rows); err != nil {
			return err
		}
	}
	fillBlock(s.block, s.values[:len(rows)*width], len(rows))
	return nil
}

// fillBlock fills a block with values, row after row.
func fillBlock(b *trees.Block, values []float64, rows int) {
	b.Rows, b.Full = rows, !slices.ContainsFunc(values, math.IsNaN)
	for r := range rows {
		for i, x := range values[r*b.Columns:][:b.Columns] {
			b.X[i*b.Stride+r] = x
		}
	}
}
