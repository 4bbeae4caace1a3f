package show

import (
	"context"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/tables"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree/draw"
)

// readRows reads the rows that are drawn in the nodes of a tree.
func (o *command) readRows(ctx context.Context, m model.Model, e *model.Ensemble,
	files []string) (*draw.Rows, error) {
	if err := o.RepeatFlag.Check(tables.Files(files)...); err != nil {
		return nil, err
	}
	ds, err := o.LabelFlags.ReadFor(ctx, o.Console, m, &o.ReadFlags, files)
	if err != nil {
		return nil, err
	}
	if o.flags.Changed("row") && (o.row < 1 || o.row > ds.Rows()) {
		return nil, cli.Misusef("--row %d: the table has %s: want a number from 1 to %d", o.row,
			humanize.Count(ds.Rows(), "row", "rows"), ds.Rows())
	}
	f, err := model.Align(&e.Meta.Schema, ds.Frame)
	if err != nil {
		return nil, err
	}
	limit, err := o.MemoryFlag.Limit()
	if err == nil {
		err = limit.Check("derived columns", 8*int64(f.Rows())*int64(e.Inputs.Len()))
	}
	if err != nil {
		return nil, err
	}
	r := &draw.Rows{Columns: withDerived(e, f), Class: ds.Target.Class, Row: o.row - 1}
	if ds.Target.Task == data.Regression && e.Combine != model.Sum { // trees predict labels
		r.Y = ds.Target.Y[0]
	}
	return r, nil
}

// withDerived returns the columns of an aligned table, and behind them those that the trees derive
// of them.
func withDerived(e *model.Ensemble, f *data.Frame) []data.Column {
	columns, fields := slices.Clone(f.Columns), e.Meta.Schema.Fields
	all, values := make([]int32, e.Inputs.Len()), make([][]float64, e.Inputs.Len())
	for i := range all {
		all[i], values[i] = int32(i), make([]float64, f.Rows())
		columns = append(columns, data.Numbers(values[i]))
	}
	program := e.Inputs.Compile(fields, all)
	from := make([]float64, len(program.Sources()))
	for row := range f.Rows() {
		for i, field := range program.Sources() {
			switch c := &columns[field]; {
			case fields[field].Kind == data.Numeric:
				from[i] = c.Number(row)
			case c.Code(row) == data.MissingCode:
				from[i] = math.NaN()
			case c.Code(row) == data.UnseenCode:
				from[i] = -1
			default:
				from[i] = float64(c.Code(row))
			}
		}
		program.Row(from, func(column int, x float64) { values[column][row] = x })
	}
	return columns
}
