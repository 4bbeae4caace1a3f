package command

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/quality"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/learn"
)

// dataCommand is the command data with its flags.
type dataCommand struct {
	*console
	tableFlags
	test string // as in splitFlags
	checkFlags
	seedFlag
	threadFlag
	jsonFlag
}

func newData(c *console) *cobra.Command {
	o := &dataCommand{console: c}
	cmd := &cobra.Command{
		Use:   "data FILE...",
		Short: "Show the columns of a table: kinds, missing values, ranges",
		Long: `Read a table as training would and show its columns: their kinds, missing values, the number of distinct values,
the range of numbers and dates, and the most frequent categories. Notes on standard error quote the text that makes a
column categorical, and list the columns made of dates. Warnings name what misleads a model: identifiers, constant and repeated columns, repeated rows. With
--label they name features that leak the label, with --test the differences between training and test set.
- is standard input.`,
		Example: `  coppice data flowers.csv
  coppice data adult.csv --label income --test adult-test.csv --map '<=50K.=<=50K' --map '>50K.=>50K'
  coppice data adult.csv.gz --json
  coppice data rides.csv --date day=dmy
  coppice data survey.tsv --missing -,unknown --categorical zip`,
		Args: operands(1, -1),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args) },
	}
	return withFlags(c, cmd,
		newSection("Columns", o.define, o.kindFlags.define),
		newSection("Reading", o.textFlags.define),
		newSection("Checks", o.defineTest, o.checkFlags.define, o.seedFlag.define, o.threadFlag.define),
		newSection("Output", o.jsonFlag.define))
}

func (o *dataCommand) define(f *pflag.FlagSet) {
	o.labelFlags.define(f, "check the features against the label `COL`")
	f.StringVar(&o.task, "task", "auto", "check the label for a `TASK`: auto, binary, multiclass, regression")
	f.StringSliceVar(&o.ignore, "ignore", nil, "do not read the columns `COL,...`")
}

func (o *dataCommand) defineTest(f *pflag.FlagSet) {
	f.StringVar(&o.test, "test", "", "compare with the test set `FILE|FRACTION`")
}

// dataReport is the object that --json prints.
type dataReport struct {
	Files    []string             `json:"files"`
	Rows     int                  `json:"rows"`
	Columns  []data.ColumnSummary `json:"columns"`
	Warnings []quality.Warning    `json:"warnings,omitempty"`
}

func (o *dataCommand) run(ctx context.Context, paths []string) error {
	if err := o.threadFlag.check(); err != nil {
		return err
	}
	test, err := parseFraction("test", o.test)
	if err != nil {
		return err
	}
	if err := o.repeatFlag.check(append(tableFiles(paths), further(fraction{}, test)...)...); err != nil {
		return err
	}
	f, ds, s, err := o.readTable(ctx, paths, test)
	if err != nil {
		return err
	}
	o.progress.begin("checking")
	r := dataReport{Files: paths, Rows: f.Rows(), Columns: data.Describe(f)}
	r.Warnings, err = o.checkFlags.check(ctx, o.console, ds, s.train, s.test, o.threads)
	if err != nil {
		return err
	}
	o.progress.end()
	if o.jsonFlag.json {
		return o.console.json(r)
	}
	o.printf("%s: %s, %s\n\n", pathWords(paths), humanize.Count(r.Rows, "row", "rows"), humanize.Count(len(r.Columns), "column", "columns"))
	r.grid().print(o.out)
	return nil
}

// readTable returns the table that is described, the data set that is checked, and its rows.
// Without a label all columns are features.
func (o *dataCommand) readTable(ctx context.Context, paths []string, test fraction) (*data.Frame, *data.Dataset, *rowSets, error) {
	if err := o.roleFlags.check(learn.Capabilities{Needs: learn.Needs{Unsupervised: o.label == ""}}); err != nil {
		return nil, nil, nil, err
	}
	p, err := o.tableFlags.load(ctx, o.console, paths, test.path != "")
	if err != nil {
		return nil, nil, nil, err
	}
	described := p.table
	p, s, err := split(ctx, o.console, &o.tableFlags, p, fraction{}, test, o.seed)
	if err != nil {
		return nil, nil, nil, err
	}
	return described, p.Dataset, s, nil
}

// valuesWidth is the width of the column of values.
const valuesWidth = 50

func (r *dataReport) grid() *grid {
	g := &grid{columns: []column{{name: "column"}, {name: "kind"}, {name: "missing", right: true}, {name: "distinct", right: true},
		{name: "values"}}}
	for i := range r.Columns {
		s := &r.Columns[i]
		missing := ""
		if s.Missing > 0 {
			missing = fmt.Sprintf("%d (%s)", s.Missing, humanize.Percent(float64(s.Missing)/float64(s.Rows)))
		}
		kind := s.Kind.String()
		if s.Kind == data.Numeric && s.Format != "" {
			kind += ", as " + s.Format
		}
		g.add(humanize.Name(s.Name), kind, missing, strconv.Itoa(s.Distinct), valueWords(s))
	}
	return g
}

// valueWords describes the values of a column on one line.
func valueWords(s *data.ColumnSummary) string {
	if s.Kind == data.Date {
		if s.First == "" {
			return ""
		}
		return s.First + " to " + s.Last
	}
	if s.Kind == data.Numeric {
		var texts []string
		if s.Min != nil {
			texts = append(texts, fmt.Sprintf("%s to %s, mean %s", humanize.Exact(*s.Min), humanize.Exact(*s.Max), humanize.Number(*s.Mean, 4)))
		}
		if s.Infinite > 0 {
			texts = append(texts, humanize.Count(s.Infinite, "infinity", "infinities"))
		}
		return strings.Join(texts, ", ")
	}
	text := ""
	for i, level := range s.Top {
		item := fmt.Sprintf("%s (%d)", humanize.Shorten(humanize.Name(level.Level), valuesWidth/2), level.Rows)
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
