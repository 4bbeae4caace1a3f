package show

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/models"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/tables"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/outside"
	"github.com/coppice-ml/coppice/internal/replace"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/report"
)

// reporting is the command report with its flags.
type reporting struct {
	*cli.Console
	models.TableFlags
	tables.LabelFlags
	cli.SeedFlag
	out     string
	log     string
	against string
	flags   *pflag.FlagSet
}

// NewReport makes the command.
func NewReport(c *cli.Console) *cobra.Command {
	o := &reporting{Console: c}
	cmd := &cobra.Command{
		Use:         "report MODEL [DATA...]",
		Annotations: cli.Often("out against label map weight group positive missing seed threads"),
		Short:       "Write an HTML page about a model, its errors and its reasons",
		Long: `Write one HTML file about a model: how it was trained, how well it predicts the rows of
a table, which features matter, and why single rows are predicted as they are. The file loads
nothing and needs no scripts, so it can be mailed, printed and opened anywhere.

Without DATA the page has the sections about the model, and names what the others need. DATA
should be rows that the model was not trained on. Metrics use all rows; charts show at most 500
sampled ones. --against compares the model with another one on DATA, as coppice diff does: metrics
with a paired test, where they differ, importances. --training-log adds the text that training
printed, saved in a file, for example the command and the time that it took.`,
		Example: `  coppice report model.coppice test.csv -o report.html
  coppice report model.coppice -o model.html
  coppice report new.coppice test.csv --against old.coppice -o changes.html
  coppice report adult.coppice adult-test.csv --map '<=50K.=<=50K' --map '>50K.=>50K'`,
		Args: cli.Operands(1, -1),
		RunE: cli.FirstAndRest(o.run),
	}
	return cli.WithFlags(c, cmd,
		cli.NewSection("Page", o.define),
		cli.NewSection("Columns", func(f *pflag.FlagSet) {
			o.LabelFlags.DefineForModel(f, "column `COL` is the label (default: that of the model)")
			o.PositiveFlag.Define(f, "that of the model")
		}),
		cli.NewSection("Reading", o.TableFlags.Define))
}

func (o *reporting) define(f *pflag.FlagSet) {
	o.flags = f
	f.StringVarP(&o.out, "out", "o", "report.html", "write the page to `FILE`")
	f.StringVar(&o.against, "against", "", "compare with another `MODEL` on the table")
	f.StringVar(&o.log, "training-log", "", "show the text of `FILE`, what training printed")
	o.SeedFlag.Define(f)
}

// logBytes is the size of a training log at most.
const logBytes = 1 << 20

func (o *reporting) run(ctx context.Context, path string, files []string) error {
	o.Postpone()
	switch {
	case o.against != "" && len(files) == 0:
		return cli.Misusef("--against %s: the models are compared on a table: name one after MODEL",
			o.against)
	case o.against != "" && slices.Contains(files, "-"):
		return cli.Misusef("--against %s: the table is read for each model, so it cannot be "+
			"standard input", o.against)
	}
	if err := o.TableFlags.Check(o.Console, files); err != nil {
		return err
	}
	inputs := append([]string{path}, files...)
	for _, file := range []string{o.log, o.against} {
		if file != "" {
			inputs = append(inputs, file)
		}
	}
	if err := cli.Writable(o.out, inputs...); err != nil {
		return err
	}
	options := report.Options{Model: filepath.Base(path), Seed: o.Seed, Workers: o.Threads,
		Memory: o.MemoryLimit(), Progress: o.Progress.Begin}
	if err := o.readLog(&options); err != nil {
		return err
	}
	ds, m, err := o.read(ctx, path, files)
	if err != nil {
		return err
	}
	if ds != nil {
		options.Table = cli.PathList(files)
	}
	if o.against != "" {
		if options.Against, err = o.readAgainst(ctx, m, path, files); err != nil {
			return err
		}
	}
	var work error
	err = replace.File(o.out, func(w io.Writer) error {
		work = report.HTML(ctx, w, m, ds, options)
		return work
	})
	o.Progress.End()
	switch {
	case work != nil && ds != nil:
		return cli.Located(work, ds.Frame)
	case work != nil:
		return work
	case err != nil:
		return fmt.Errorf("cannot write %s: %w", o.out, err)
	}
	o.Facts(cli.Fact{Name: "report", Text: humanize.Name(o.out)})
	return nil
}

// readLog reads the file of --training-log.
func (o *reporting) readLog(options *report.Options) error {
	if o.log == "" {
		return nil
	}
	text, err := outside.ReadFile(o.log)
	switch {
	case err != nil:
		return fmt.Errorf("cannot read --training-log: %w", err)
	case len(text) > logBytes:
		return fmt.Errorf("--training-log %s has %d bytes: want at most 1 MiB of text", o.log, len(text))
	case !utf8.Valid(text):
		return fmt.Errorf("--training-log %s is not UTF-8 text", o.log)
	}
	options.TrainingLog = strings.TrimRight(string(text), "\n")
	return nil
}

// read opens the model and reads the tables, if there are any.
func (o *reporting) read(
	ctx context.Context, path string, files []string,
) (*data.Dataset, model.Model, error) {
	m, err := o.LimitFlag.Open(path, len(files) > 0)
	if err != nil || len(files) == 0 {
		return nil, m, err
	}
	ds, err := o.readTable(ctx, m, files)
	return ds, m, err
}

// readTable reads the tables for a model. Without a label, as of anomaly scores, the dataset has
// none.
func (o *reporting) readTable(
	ctx context.Context, m model.Model, files []string,
) (*data.Dataset, error) {
	why := tables.Incomparable(m)
	if why != nil && o.Label != "" {
		o.Note("no metrics: %v", why)
	} else if m.Spec().Label != "" || o.Label != "" {
		return o.LabelFlags.ReadFor(ctx, o.Console, m, &o.ReadFlags, files)
	}
	t, err := o.ReadFlags.ForModel(ctx, o.Console, m, nil, files)
	if err != nil {
		return nil, err
	}
	roles := data.Roles{Like: &m.Spec().Schema, Log: o.Note}
	return roles.Apply(t.Frame)
}

// readAgainst opens the model of --against, and reads the tables as it needs them, with the label
// of the first model.
func (o *reporting) readAgainst(
	ctx context.Context, m model.Model, path string, files []string,
) (*report.Against, error) {
	other, err := o.LimitFlag.Open(o.against, true)
	if err != nil {
		return nil, err
	}
	if err := report.Alike(m, other, path, o.against); err != nil {
		return nil, fmt.Errorf("--against: %w", err)
	}
	if o.Label == "" {
		o.Label = m.Spec().Label
	}
	o.LikeModels(m)
	o.Quiet()
	ds, err := o.readTable(ctx, other, files)
	return &report.Against{Model: other, Name: filepath.Base(o.against), Data: ds}, err
}
