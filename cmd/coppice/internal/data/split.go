package data

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/tables"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/source"
)

// splitCommand is the command split with its flags.
type splitCommand struct {
	*cli.Console
	tables.ReadFlags
	cli.SeedFlag
	cli.CSVFlag
	valid, test           string // as in tables.SplitFlags
	stratify, group, time string // columns
	prefix                string // of the files
	scratch               string // folder
}

// NewSplit makes the command.
func NewSplit(c *cli.Console) *cobra.Command {
	o := &splitCommand{Console: c}
	cmd := &cobra.Command{
		Use:         "split FILE...",
		Annotations: cli.Often("test valid stratify group time seed out format missing separator"),
		Short:       "Divide the rows of a table into a training and a test set",
		Long: `Divide the rows of a table at random into a training and a test set, and with --valid a
validation set. Each is written to a CSV file: NAME.train.csv, NAME.valid.csv and NAME.test.csv.
Texts
and numbers are written as they stand in the table. Rows keep their order.

With --stratify each class has the same fraction in all sets. With --group the rows of a group stay
together. With --time the test set has the latest rows. The rows are those that train, tune and
compare choose for the same flags and seed.`,
		Example: `  coppice split flowers.csv --test 0.2 --stratify species
  coppice split visits.csv --test 0.3 --group patient --seed 7
  coppice split sales.csv --valid 0.1 --test 0.1 --time day -o monthly`,
		Args: cli.Operands(1, -1),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args) },
	}
	return cli.WithFlags(c, cmd, cli.NewSection("Sets", o.define, o.SeedFlag.Define),
		cli.NewSection("Output", o.defineOutput, o.CSVFlag.Define),
		cli.NewSection("Reading", o.ReadFlags.Define, func(f *pflag.FlagSet) {
			f.StringVar(&o.scratch, "scratch", "", "of standard input that --memory does not hold: the "+
				"`FOLDER` for a scratch file (default: the system's for temporary files)")
		}))
}

func (o *splitCommand) define(f *pflag.FlagSet) {
	f.StringVar(&o.test, "test", "0.2", "`FRACTION` of the rows for the test set")
	f.StringVar(&o.valid, "valid", "", "`FRACTION` of the rows for a validation set (default: none)")
	f.StringVar(&o.stratify, "stratify", "", "give all sets the same fractions of the classes in `COL`")
	f.StringVar(&o.group, "group", "", "keep the rows of each group in `COL` together")
	f.StringVar(&o.time, "time", "", "test the latest rows by the numbers or dates in `COL`")
}

func (o *splitCommand) defineOutput(f *pflag.FlagSet) {
	f.StringVarP(&o.prefix, "out", "o", "", "write `NAME`.train.csv and so on (default: the name of the "+
		"first file, in the current folder)")
}

// part is a set of rows and its file.
type part struct {
	rows []int32
	path string
}

func (o *splitCommand) run(ctx context.Context, paths []string) (err error) {
	valid, test, err := o.fractions()
	if err != nil {
		return err
	}
	prefix := o.prefix
	if prefix == "" {
		prefix = baseName(paths[0])
	}
	parts := []part{{path: prefix + ".train.csv"}, {path: prefix + ".valid.csv"},
		{path: prefix + ".test.csv"}}
	if o.valid == "" {
		parts = slices.Delete(parts, 1, 2)
	}
	for _, p := range parts {
		if err := cli.Writable(p.path, paths...); err != nil {
			return err
		}
	}
	end, err := o.ReadFlags.StoreStdin(ctx, o.Console, paths, o.scratch)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	in, err := o.ReadFlags.Options(o.Console)
	if err != nil {
		return err
	}
	o.Progress.Begin("reading")
	sets, texts, err := o.read(ctx, in, paths, valid, test)
	if err != nil {
		return err
	}
	parts[0].rows, parts[len(parts)-1].rows = sets.Train, sets.Test
	if len(parts) == 3 {
		parts[1].rows = sets.Valid
	}
	o.Progress.End()
	var words []string
	for _, p := range parts {
		if err := o.write(texts, p); err != nil {
			return err
		}
		words = append(words, p.path+": "+humanize.Count(len(p.rows), "row", "rows"))
	}
	o.Printf("%s (%s)\n", strings.Join(words, ", "), sets.How)
	return nil
}

// fractions returns those of the flags, which are numbers.
func (o *splitCommand) fractions() (valid, test tables.Fraction, err error) {
	flags := tables.SplitFlags{Valid: o.valid, Test: o.test}
	if valid, test, err = flags.Fractions(); err != nil {
		return valid, test, err
	}
	switch {
	case o.test == "":
		err = cli.Misusef("--test is missing: want a fraction above 0 and below 1")
	case valid.Path != "":
		err = cli.Misusef("--valid %s: want a fraction above 0 and below 1", o.valid)
	case test.Path != "":
		err = cli.Misusef("--test %s: want a fraction above 0 and below 1", o.test)
	}
	return valid, test, err
}

// read divides the rows of the table, and returns its texts as they stand there.
func (o *splitCommand) read(
	ctx context.Context, in tables.Input, paths []string, valid, test tables.Fraction,
) (*tables.RowSets, *data.Frame, error) {
	in.Log = nil // kinds of columns do not matter
	t, err := in.Table(ctx, paths)
	if err != nil {
		return nil, nil, err
	}
	f, err := t.Frame(ctx)
	if err != nil {
		return nil, nil, err
	}
	roles := data.Roles{Label: o.stratify, Group: o.group, Time: o.time, NoRanking: true}
	if o.stratify != "" {
		roles.Task = data.Multiclass
	}
	ds, err := roles.Apply(f)
	if err != nil {
		return nil, nil, err
	}
	sets, err := tables.SplitRows(&ds.Target, f.Rows(), valid, test, o.Seed)
	if err != nil {
		return nil, nil, err
	}
	in.Verbatim = f.Schema.Names()
	if t, err = in.Table(ctx, paths); err != nil {
		return nil, nil, err
	}
	whole, err := t.Read(ctx)
	if err != nil {
		return nil, nil, err
	}
	if whole.Frame.Rows() != f.Rows() {
		return nil, nil, errors.New("the table changed while it was read")
	}
	return sets, whole.Verbatim, nil
}

// write writes rows of a table as CSV.
func (o *splitCommand) write(texts *data.Frame, p part) error {
	out := cli.FileFlag{Path: p.path}
	return out.Write(o.Console, func(w io.Writer) error {
		return o.CSVFlag.Write(o.Console, w, func(lines *cli.CSVWriter) error {
			if err := lines.WriteLine(tables.Kept(texts, -1, 0)); err != nil {
				return err
			}
			for _, row := range p.rows {
				if err := lines.WriteLine(tables.Kept(texts, int(row), 0)); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

// baseName returns the name of a file without its folder and its endings.
func baseName(path string) string {
	if path == "-" || path == cli.QueryOperand {
		return "table"
	}
	name := filepath.Base(filepath.Clean(source.Shown(path)))
	for _, ending := range []string{".gz", ".zst", ".zip"} {
		name = strings.TrimSuffix(name, ending)
	}
	if ext := filepath.Ext(name); ext != "" && ext != name {
		name = strings.TrimSuffix(name, ext)
	}
	return name
}
