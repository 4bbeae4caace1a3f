package shapley

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain/internal/shapley/internal/trees"
	"github.com/coppice-ml/coppice/model"
)

// readBackground sets what explanations with a background need: its rows, the fields as players,
// and the mean of its scores as bias.
func (e *treeExplainer) readBackground(
	ctx context.Context, used *model.Ensemble, source *trees.Source, o Options,
) error {
	f := o.Background
	if f.Rows() == 0 {
		return ErrNoBackground
	}
	e.findPlayers(used, source)
	var err error
	if e.background, err = e.readRows(ctx, f); err != nil {
		return fmt.Errorf("background table: %w", err)
	}
	source.Background = e.background
	return e.averageScores(o)
}

// readCover reads the table that is counted in place of training weights, if there is one.
func (e *treeExplainer) readCover(
	ctx context.Context, source *trees.Source, f *data.Frame,
) (err error) {
	if f == nil {
		return nil
	}
	if f.Rows() == 0 {
		return errors.New("cover table: it has no rows")
	}
	if source.Cover, err = e.readRows(ctx, f); err != nil {
		return fmt.Errorf("cover table: %w", err)
	}
	return nil
}

// readRows reads the columns of all rows of a table.
func (e *treeExplainer) readRows(ctx context.Context, f *data.Frame) (*trees.Background, error) {
	values, err := e.bind(&f.Schema)
	if err != nil {
		return nil, err
	}
	rows := &trees.Background{}
	buffer := make([]float64, trees.BlockRows*len(e.columns))
	for part := range slices.Chunk(f.Chosen(nil), trees.BlockRows) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := values.Predict(buffer, f, part); err != nil {
			return nil, err
		}
		b := trees.NewBlock(trees.BlockRows, len(e.columns), 0, 0)
		fillBlock(b, buffer, len(part))
		rows.Blocks = append(rows.Blocks, b)
	}
	return rows, nil
}

// averageScores sets the bias to the mean of the raw scores of the background.
func (e *treeExplainer) averageScores(o Options) error {
	f := o.Background
	bound, err := e.model.Bind(&f.Schema,
		model.Options{Output: model.Raw, Rounds: o.Rounds, Workers: o.Workers})
	if err != nil {
		return fmt.Errorf("background table: %w", err)
	}
	raw := make([]float64, f.Rows()*e.scores)
	if err := bound.Predict(raw, f, nil); err != nil {
		return fmt.Errorf("background table: %w", err)
	}
	for i, x := range raw {
		e.bias[i%e.scores] += x
	}
	for k := range e.bias {
		e.bias[k] /= float64(f.Rows())
	}
	return nil
}

// findPlayers sets columns, and sources to the fields that trees use, each of which is a player.
// Columns that are derived of several fields are computed anew for hybrids, so these are columns
// too.
func (e *treeExplainer) findPlayers(used *model.Ensemble, source *trees.Source) {
	m := e.model
	is := make([]bool, len(m.Features().Fields))
	add := func(features []int32) {
		for _, f := range features {
			is[f] = true
			if sources := m.Sources(f); len(sources) > 1 {
				for _, source := range sources {
					is[source] = true
				}
			}
		}
	}
	add(tested(used))
	for _, t := range used.Trees {
		if t.Surrogates != nil {
			add(t.Surrogates.Feature)
		}
		if t.Leaf.Linear != nil {
			add(t.Leaf.Linear.Feature)
		}
	}
	e.columns = named(is)
	player := map[int32]int32{} // of fields
	for _, field := range used.Uses() {
		player[field] = int32(len(e.sources))
		e.sources = append(e.sources, []int32{field})
	}
	source.Derived = make([]*trees.Derived, len(e.columns))
	for i, column := range e.columns {
		sources := m.Sources(column)
		if len(sources) == 1 {
			source.Player = append(source.Player, player[sources[0]])
			continue
		}
		source.Player = append(source.Player, -1)
		source.Derived[i] = e.derive(column)
	}
}

// derive returns how a column is made of its fields.
func (e *treeExplainer) derive(column int32) *trees.Derived {
	fields := e.model.Meta.Schema.Fields
	program := e.model.Inputs.Compile(fields, []int32{column - int32(len(fields))})
	d := &trees.Derived{Value: func(from []float64) float64 {
		value := 0.0
		program.Row(from, func(_ int, x float64) { value = x })
		return value
	}}
	for _, field := range program.Sources() {
		d.Sources = append(d.Sources, int32(slices.Index(e.columns, field)))
	}
	return d
}
