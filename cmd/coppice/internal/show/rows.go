package show

import (
	"context"
	"fmt"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/tables"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree/draw"
)

// readRows reads the rows that are drawn in the nodes of a tree.
func (o *command) readRows(ctx context.Context, path string, m model.Model, e *model.Ensemble,
	files []string) (*draw.Rows, error) {
	if err := o.RepeatFlag.Check(tables.Files(files)...); err != nil {
		return nil, err
	}
	if e.Inputs.Len() > 0 {
		return nil, fmt.Errorf("%s: its trees test columns that are computed of others, whose "+
			"values DATA does not have: leave it out", path)
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
	r := &draw.Rows{Columns: f.Columns, Class: ds.Target.Class, Row: o.row - 1}
	if ds.Target.Task == data.Regression && e.Combine != model.Sum { // trees predict labels
		r.Y = ds.Target.Y[0]
	}
	return r, nil
}
