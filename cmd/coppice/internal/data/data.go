// Package data is the command data: it shows the columns of a table and what is wrong with them.
package data

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/tables"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/quality"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/source"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/memory"
)

// command is the command data with its flags.
type command struct {
	*cli.Console
	tables.TrainingFlags
	test string // as in tables.SplitFlags
	tables.CheckFlags
	cli.SeedFlag
	cli.ThreadFlag
	cli.JSONFlag
	scratch string // folder
	entropy bool
	bins    int
}

// New makes the command.
func New(c *cli.Console) *cobra.Command {
	o := &command{Console: c}
	cmd := &cobra.Command{
		Use:         "data FILE...",
		Annotations: cli.Often("label test ignore categorical numeric missing date entropy bins sql db memory seed json"),
		Short:       "Show the columns of a table: kinds, missing values, ranges",
		Long: `Read a table as training does and show its columns: their kinds, missing values,
the number of distinct values, the range of numbers and dates, and the most frequent categories.
Notes on standard error quote the text that makes a column categorical, and list the columns made
of dates. FILE may be a pattern or a folder, of which key=value make columns; - is standard input.

Warnings name what misleads a model: identifiers, constant and repeated columns, repeated rows.
With --label they name features that leak the label. With --test they name the differences between
the training set and the test set.

With --entropy the information of each column about the classes of --label is shown: the entropy of
the label, its conditional entropy given the column, gain and gain ratio, and the probabilities of
values and classes. Numbers of many values are put in bins.`,
		Example: `  coppice data flowers.csv
  coppice data adult.csv --label income --test adult-test.csv --map '<=50K.=<=50K' --map '>50K.=>50K'
  coppice data adult.csv.gz --json
  coppice data gardens/ --label species
  coppice data flowers.csv --label species --entropy
  coppice data rides.csv --date day=dmy
  coppice data survey.tsv --missing -,unknown --categorical zip`,
		Args: cli.Operands(1, -1),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args) },
	}
	return cli.WithFlags(c, cmd,
		cli.NewSection("Columns", o.define, o.KindFlags.Define),
		cli.NewSection("Reading", o.ReadFlags.Define, func(f *pflag.FlagSet) {
			f.StringVar(&o.scratch, "scratch", "", "of rows of a query or standard input that "+
				"--memory does not hold: the `FOLDER` for a scratch file (default: the system's "+
				"for temporary files)")
		}),
		cli.NewSection("Checks", o.defineTest, o.CheckFlags.Define, o.SeedFlag.Define,
			o.ThreadFlag.Define),
		cli.NewSection("Information", o.defineEntropy),
		cli.NewSection("Output", o.JSONFlag.Define))
}

func (o *command) define(f *pflag.FlagSet) {
	o.LabelFlags.Define(f, "check the features against the label `COL`")
	f.StringVar(&o.Task, "task", "auto",
		"check the label for a `TASK`: auto, binary, multiclass, regression")
	cli.NamesVar(f, &o.Ignore, "ignore", "do not read the columns `COL,...`")
}

func (o *command) defineTest(f *pflag.FlagSet) {
	f.StringVar(&o.test, "test", "", "compare with the test set `FILE|FRACTION`")
}

// report is the object that --json prints.
type report struct {
	Files    []string             `json:"files"`
	Rows     int                  `json:"rows"`
	Columns  []data.ColumnSummary `json:"columns"`
	Warnings []quality.Warning    `json:"warnings,omitempty"`
	Entropy  []entropyReport      `json:"entropy,omitempty"` // by column, with --entropy
}

func (o *command) run(ctx context.Context, paths []string) (err error) {
	o.Postpone()
	if err := o.ThreadFlag.Check(o.Console); err != nil {
		return err
	}
	if err := o.checkEntropy(); err != nil {
		return err
	}
	test, err := tables.ParseFraction("test", o.test)
	if err != nil {
		return err
	}
	all := append(tables.Files(paths), tables.FurtherFiles(tables.Fraction{}, test)...)
	if err := o.RepeatFlag.Check(all...); err != nil {
		return err
	}
	end, err := o.ReadFlags.StoreStdin(ctx, o.Console, paths, o.scratch)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	f, ds, s, err := o.readTable(ctx, paths, test)
	if o.Label == "" && o.test == "" && errors.Is(err, memory.ErrLimit) {
		if from, failed := o.Source(ctx, o.Console, paths, o.scratch); failed != nil {
			return failed
		} else if from != nil {
			return o.describeBlocks(ctx, from, paths)
		}
	}
	if err != nil {
		return err
	}
	o.Progress.Begin("checking")
	r := report{Files: shown(paths), Rows: f.Rows(), Columns: data.Describe(f, o.Threads)}
	r.Warnings, err = o.CheckFlags.Check(ctx, o.Console, ds, s.Train, s.Test, o.Threads)
	if err != nil {
		return err
	}
	o.Progress.End()
	if o.entropy {
		return o.showEntropy(&r, ds, s.Train)
	}
	return o.show(&r, paths)
}

// describeBlocks shows the columns of a table that does not fit into memory.
func (o *command) describeBlocks(
	ctx context.Context, from *tables.Source, paths []string,
) (err error) {
	t, err := from.Open(ctx, o.Console)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	r := report{Files: shown(paths), Rows: t.Rows()}
	o.Progress.Begin("reading")
	var features data.RowSource = t.Features
	sample := o.CheckFlags.SampleOf(features, nil, o.MemoryLimit())
	if sample != nil {
		features = sample
	}
	if r.Columns, err = data.DescribeBlocks(ctx, features, o.Threads); err != nil {
		return err
	}
	if r.Warnings, err = o.CheckFlags.CheckSample(ctx, o.Console, sample, nil, o.Threads,
		func(f *data.Frame, _ []int32) (*data.Dataset, error) { return data.Roles{}.Apply(f) }); err != nil {
		return err
	}
	o.Progress.End()
	return o.show(&r, paths)
}

// show prints the report.
func (o *command) show(r *report, paths []string) error {
	if o.JSONFlag.JSON {
		return o.Console.JSON(r)
	}
	o.Text(cli.PathList(paths) + ": " + r.answer())
	o.Printf("\n")
	r.grid().Print(o.Out)
	return nil
}

// unusable are the checks whose columns a model cannot use as they stand.
var unusable = []string{"leakage", "identifier", "constant", "duplicate_columns"}

// answer is the result in one sentence.
func (r *report) answer() string {
	const most = 5 // names
	text := fmt.Sprintf("%s, %s", humanize.Count(r.Rows, "row", "rows"),
		humanize.Count(len(r.Columns), "column", "columns"))
	var names []string
	for i := range r.Columns {
		name := r.Columns[i].Name
		if slices.ContainsFunc(r.Warnings, func(w quality.Warning) bool {
			return slices.Contains(unusable, w.Check) && slices.Contains(w.Columns, name)
		}) {
			names = append(names, humanize.Name(name))
		}
	}
	if len(names) == 0 {
		return text
	}
	text += fmt.Sprintf(", %d of them not usable as %s: ", len(names),
		humanize.Plural(len(names), "it stands", "they stand"))
	if more := len(names) - most; more > 0 {
		names = append(names[:most], fmt.Sprintf("%d more", more))
	}
	return text + humanize.And(names)
}

// shown returns paths without what gives access to URLs.
func shown(paths []string) []string {
	names := make([]string, len(paths))
	for i, path := range paths {
		names[i] = source.Shown(path)
	}
	return names
}

// readTable returns the table to describe, the data set to check, and its sets of rows. Without a
// label all columns are features.
func (o *command) readTable(
	ctx context.Context, paths []string, test tables.Fraction,
) (*data.Frame, *data.Dataset, *tables.RowSets, error) {
	needs := learn.Needs{Unsupervised: o.Label == ""}
	if err := o.RoleFlags.Check(learn.Capabilities{Needs: needs,
		Tasks: []data.Task{data.Ranking, data.Survival}}); err != nil {
		return nil, nil, nil, err
	}
	p, err := o.TrainingFlags.Load(ctx, o.Console, paths, test.Path != "")
	if err != nil {
		return nil, nil, nil, err
	}
	described := p.Table
	p, s, err := tables.Split(ctx, o.Console, &o.TrainingFlags, p, tables.Fraction{}, test, o.Seed)
	if err != nil {
		return nil, nil, nil, err
	}
	return described, p.Dataset, s, nil
}

// valuesWidth is the most characters of the column of values.
const valuesWidth = 50

func (r *report) grid() *cli.Grid {
	g := &cli.Grid{Columns: []cli.Column{{Name: "column"}, {Name: "kind"},
		{Name: "missing", Right: true}, {Name: "distinct", Right: true},
		{Name: "values"}}}
	for i := range r.Columns {
		s := &r.Columns[i]
		missing := ""
		if s.Missing > 0 {
			missing = fmt.Sprintf("%d (%s)", s.Missing,
				humanize.Percent(float64(s.Missing)/float64(s.Rows)))
		}
		kind := s.Kind.String()
		if s.Kind == data.Numeric && s.Format != "" {
			kind += ", as " + s.Format
		}
		distinct := strconv.Itoa(s.Distinct)
		if s.Estimated {
			distinct = "about " + humanize.Number(float64(s.Distinct), 3)
		}
		g.Add(humanize.Name(s.Name), kind, missing, distinct, valueWords(s))
	}
	return g
}

// valueWords describes the values of a column on one line.
func valueWords(s *data.ColumnSummary) string {
	if s.Kind == data.Text {
		return ""
	}
	if s.Kind == data.Date {
		if s.First == "" {
			return ""
		}
		return s.First + " to " + s.Last
	}
	if s.Kind == data.Numeric {
		var texts []string
		if s.Min != nil {
			texts = append(texts, fmt.Sprintf("%s to %s, mean %s", humanize.Exact(*s.Min),
				humanize.Exact(*s.Max), humanize.Number(*s.Mean, 4)))
		}
		if s.Infinite > 0 {
			texts = append(texts, humanize.Count(s.Infinite, "infinity", "infinities"))
		}
		return strings.Join(texts, ", ")
	}
	text := ""
	for i, level := range s.Top {
		item := fmt.Sprintf("%s (%d)", humanize.Shorten(humanize.Name(level.Level), valuesWidth/2),
			level.Rows)
		if i > 0 {
			item = ", " + item
		}
		if len([]rune(text))+len([]rune(item)) > valuesWidth {
			return text + ", ..."
		}
		text += item
	}
	if s.Distinct > len(s.Top) {
		text += ", ..."
	}
	return text
}
