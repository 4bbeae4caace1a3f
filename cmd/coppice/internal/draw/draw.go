// Package draw is the command draw: it draws pictures that explain a model with the rows of a
// table.
package draw

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/models"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/tables"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/enum"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/param"
	"github.com/coppice-ml/coppice/report/plot"
)

// command is the command draw with its flags.
type command struct {
	*cli.Console
	models.LimitFlag
	tables.LabelFlags
	tables.ReadFlags
	cli.FileFlag
	what    string
	columns []string
	node    int
	rounds  []int
	trees   []int
	flags   *pflag.FlagSet
}

// New makes the command.
func New(c *cli.Console) *cobra.Command {
	o := &command{Console: c}
	cmd := &cobra.Command{
		Use:         "draw MODEL DATA...",
		Annotations: cli.Often("what columns tree node rounds label missing out"),
		Short:       "Draw pictures that explain a model",
		Long: `Draw a picture that explains a model with the rows of a table, as SVG for slides and
pages. coppice show --format svg draws the trees themselves.

The picture partition is the plane of two numeric columns, or the line of one. It shows what a
model of any kind predicts there: regions of classes, or level lines of a number; along a line a
function. The rows are points. Other columns are fixed at their median or most frequent category.
An ensemble is drawn as its first members and the whole, or with --rounds after some rounds;
--tree draws trees alone. In adaptive boosting the area of a point is the weight of its row.

The picture margins is the distribution of the margins of classes, after some rounds. The picture
rounds is the error on the training set, the validation set and the table against the number of
rounds or members.

The picture size is of a single tree, as cart, c45 and id3 grow it: the error in training and on
the table against the number of leaves, along the cost-complexity path. The cross-validation error
is added where training stored it. A forest of one tree and a boosted model of one round do not
store the node statistics that this picture requires.

The picture candidates shows the gains of all splits that training tries at a node of a tree. They
are those on the rows of the table that reach it; coppice show --candidates prints them. It takes
ensembles of trees too, and the table that they were trained on. The picture impurity shows the impurity functions for two classes; it requires neither
MODEL nor DATA. The picture study shows the trials of the search by which coppice tune chose the
parameters of a model; it requires MODEL alone.`,
		Example: `  coppice draw tree.coppice flowers.csv --what partition --columns petal_length,petal_width -o plane.svg
  coppice draw boosted.coppice train.csv --what partition --rounds 1,3,10 -o rounds.svg
  coppice draw forest.coppice train.csv --what partition --columns petal_width -o line.svg
  coppice draw boosted.coppice train.csv --what margins -o margins.svg
  coppice draw boosted.coppice test.csv --what rounds -o errors.svg
  coppice draw tree.coppice test.csv --what size -o size.svg
  coppice draw tree.coppice train.csv --what candidates --node 2 -o node2.svg
  coppice draw tuned.coppice --what study -o trials.svg
  coppice draw --what impurity -o impurity.svg`,
		Args: cobra.ArbitraryArgs, // --what decides how many are required
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args) },
	}
	return cli.WithFlags(c, cmd,
		cli.NewSection("Picture", o.define),
		cli.NewSection("Columns", func(f *pflag.FlagSet) {
			o.LabelFlags.DefineForModel(f, "column `COL` is the label (default: that of the model)")
		}),
		cli.NewSection("Reading", o.ReadFlags.Define, o.LimitFlag.Define))
}

func (o *command) define(f *pflag.FlagSet) {
	o.flags = f
	f.StringVar(&o.what, "what", "", "draw `WHAT`: "+strings.Join(pictureNames(), ", ")+
		" (required)")
	cli.NamesVar(f, &o.columns, "columns",
		"draw over `COL,...` (default: partition: the two most important numeric columns; "+
			"candidates: the nine columns with the largest gains)")
	f.IntVar(&o.node, "node", 0,
		"candidates: draw node `N`, numbered as in coppice show --format json")
	f.IntSliceVar(&o.rounds, "rounds", nil, "partition, margins: draw the model after its first "+
		"`N,...` rounds, or with its first members")
	f.IntSliceVar(&o.trees, "tree", nil, "draw tree `N,...` of several, counted from 0 "+
		"(candidates: one, default 0; partition: each alone)")
	f.StringVarP(&o.FileFlag.Path, "out", "o", "",
		"write to `FILE`, whose name ends in .svg (required)")
}

// picture is a value of --what.
type picture struct {
	name  string
	needs needs    // operands
	flags []string // those of pictureFlags that it accepts
	draw  func(o *command, ctx context.Context, w io.Writer, in *input) error
}

// needs is how many operands a picture requires.
type needs uint8

const (
	modelAndTable needs = iota
	modelAlone
	nothing
)

// pictureFlags are the flags that some pictures accept.
var pictureFlags = []string{"columns", "node", "rounds", "tree"}

// input is what most pictures are of: a model and a table with its columns.
type input struct {
	path  string // of the model
	model model.Model
	ds    *data.Dataset
}

// subject returns the only tree of the model with the rows of the table.
func (in *input) subject() (*plot.Subject, error) {
	s, err := plot.NewSubject(in.model, catalog.Training(in.model), in.ds)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", in.path, err)
	}
	return s, nil
}

// pictures lists the values of --what.
func pictures() []picture {
	return []picture{
		{name: "partition", flags: []string{"columns", "rounds", "tree"}, draw: (*command).partition},
		{name: "margins", flags: []string{"rounds"}, draw: (*command).margins},
		{name: "rounds", draw: (*command).history},
		{name: "size", draw: (*command).size},
		{name: "candidates", flags: []string{"columns", "node", "tree"}, draw: (*command).candidates},
		{name: "study", needs: modelAlone, draw: (*command).study},
		{name: "impurity", needs: nothing, draw: (*command).impurity},
	}
}

func pictureNames() []string {
	return enum.NamesOf(pictures(), func(r picture) string { return r.name })
}

func (o *command) run(cmd *cobra.Command, args []string) error {
	p, err := o.check(cmd, args)
	if err != nil {
		return err
	}
	var in *input
	switch p.needs {
	case modelAlone:
		m, err := o.LimitFlag.Open(args[0], true)
		if err != nil {
			return err
		}
		in = &input{path: args[0], model: m}
	case modelAndTable:
		if err := o.RepeatFlag.Check(tables.Files(args[1:])...); err != nil {
			return err
		}
		if in, err = o.open(cmd.Context(), args[0], args[1:]); err != nil {
			return err
		}
		o.Progress.Begin("drawing")
	}
	return o.FileFlag.Write(o.Console,
		func(w io.Writer) error { return p.draw(o, cmd.Context(), w, in) })
}

// open opens the model and reads the table.
func (o *command) open(
	ctx context.Context, path string, files []string,
) (*input, error) {
	m, err := o.LimitFlag.Open(path, true)
	if err != nil {
		return nil, err
	}
	if o.Label == "" && m.Spec().Label == "" && m.Spec().Task == data.Anomaly {
		t, err := o.ReadFlags.ForModel(ctx, o.Console, m, nil, files)
		if err != nil {
			return nil, err
		}
		return &input{path: path, model: m, ds: &data.Dataset{Frame: t.Frame}}, nil
	}
	ds, err := o.LabelFlags.ReadFor(ctx, o.Console, m, &o.ReadFlags, files)
	if err != nil {
		return nil, err
	}
	return &input{path: path, model: m, ds: ds}, nil
}

// scene returns the model with the rows of the table.
func (in *input) scene() (*plot.Scene, error) {
	s, err := plot.NewScene(in.model, catalog.Training(in.model), in.ds)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", in.path, err)
	}
	return s, nil
}

// check finds misuse and returns the picture that is requested.
func (o *command) check(cmd *cobra.Command, args []string) (*picture, error) {
	var found *picture
	for _, p := range pictures() {
		if p.name == o.what {
			found = &p
		}
	}
	switch {
	case o.what == "":
		return nil, cli.Misusef("--what is missing: %s", cli.Instead("", pictureNames()))
	case found == nil:
		return nil, cli.Misusef("--what %q: %s", o.what, cli.Instead(o.what, pictureNames()))
	case found.needs == nothing && len(args) > 0:
		return nil, cli.Misusef("--what %s has no use for %q: it needs neither model nor table",
			o.what, args[0])
	case found.needs == modelAlone && len(args) > 1:
		return nil, cli.Misusef("--what %s has no use for %q: it needs the model alone", o.what,
			args[1])
	case found.needs == modelAlone && len(args) < 1:
		return nil, cli.Operands(1, 1)(cmd, args)
	case found.needs == modelAndTable && len(args) < 2:
		return nil, cli.Operands(2, -1)(cmd, args)
	}
	for _, flag := range pictureFlags {
		if o.flags.Changed(flag) && !slices.Contains(found.flags, flag) {
			return nil, cli.Misusef("--%s does not go with --what %s", flag, o.what)
		}
	}
	switch {
	case o.what == "partition" && len(o.columns) > 2:
		return nil, cli.Misusef("--columns names %d columns: a partition is drawn over one or two",
			len(o.columns))
	case len(o.rounds) > plot.MostPanels || len(o.trees) > plot.MostPanels:
		return nil, cli.Misusef("--rounds and --tree take up to %d numbers: a picture has no more "+
			"panels", plot.MostPanels)
	case len(o.rounds) > 0 && len(o.trees) > 0:
		return nil, cli.Misusef("--rounds does not go with --tree: use one of them")
	case o.FileFlag.Path == "":
		return nil, cli.Misusef("-o is missing: name the file to write, such as %s.svg", o.what)
	case !strings.HasSuffix(strings.ToLower(o.FileFlag.Path), ".svg"):
		return nil, cli.Misusef("-o %s: pictures are SVG, the name must end in .svg",
			o.FileFlag.Path)
	}
	return found, cli.Writable(o.FileFlag.Path, args...)
}

// find returns the columns that --columns names.
func (o *command) find(spec *model.Spec) ([]int, error) {
	var columns []int
	for _, name := range o.columns {
		at := spec.Schema.Index(name)
		for _, part := range spec.Schema.PartsOf(name) { // a date as it was read: along its days
			if from := spec.Schema.Fields[part].From; at < 0 && from != nil && from.Part == data.Days {
				at = part
			}
		}
		if at < 0 {
			return nil, fmt.Errorf("the model was trained on no column %q%s", name,
				param.Meant("; ", name, spec.Schema.Names()))
		}
		columns = append(columns, at)
	}
	return columns, nil
}
