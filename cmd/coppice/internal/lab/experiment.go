package lab

import (
	"context"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/lab/reproductions"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/tables"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/quality"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/learn"
)

// experiment runs an experiment on a table of the reader.
func (o *command) experiment(ctx context.Context, args []string) (err error) {
	if o.data != "" || o.quick {
		return cli.Misusef("--data and --quick go with reproductions, and --label with a table of " +
			"one's own: leave one out")
	}
	if len(args) < 2 {
		return cli.Misusef("--label goes with a name and a table: coppice lab overfit FILE --label COL")
	}
	e, err := reproductions.ExperimentNamed(args[0])
	if err != nil {
		return cli.Misuse(err)
	}
	if err := o.RoleFlags.Check(learn.Capabilities{}); err != nil {
		return err
	}
	paths := args[1:]
	if err := o.RepeatFlag.Check(tables.Files(paths)...); err != nil {
		return err
	}
	p, err := o.TrainingFlags.Read(ctx, o.Console, paths, false)
	if err != nil {
		return err
	}
	if err := reproductions.CheckExperiment(p.Dataset); err != nil {
		return err
	}
	var checks tables.CheckFlags
	found, err := checks.Check(ctx, o.Console, p.Dataset, nil, nil, o.Threads)
	if err != nil {
		return err
	}
	o.leaveOut(p.Dataset, found)
	discard, err := o.pictures()
	if err != nil {
		return err
	}
	defer func() { discard(err) }()
	o.Progress.Begin(e.Name)
	r, err := e.Run(ctx, &reproductions.Env{Workers: o.Threads}, p.Dataset, o.Seed)
	if err != nil {
		return err
	}
	row := &reproductions.Reproduction{Name: e.Name, Title: e.Title,
		Source: "the table " + humanize.Name(strings.Join(paths, ", "))}
	report, err := o.report(row, r)
	if err != nil {
		return err
	}
	if o.JSONFlag.JSON {
		return o.Console.JSON(map[string]any{"reproductions": []any{report}, "count": r.Count()})
	}
	return o.print(report, r)
}

// leaveOut takes columns away that a model can only memorise: with them trees show nothing else.
func (o *command) leaveOut(ds *data.Dataset, found []quality.Warning) {
	var names []string
	for _, w := range found {
		if w.Check == "identifier" {
			names = append(names, w.Columns...)
		}
	}
	var keep []int
	for i, f := range ds.Schema.Fields {
		if !slices.Contains(names, f.Name) {
			keep = append(keep, i)
		}
	}
	if len(keep) > 0 && len(keep) < len(ds.Schema.Fields) {
		o.Console.Note("the lab leaves out %s", humanize.And(names))
		ds.Frame = ds.Frame.Select(keep)
	}
}
