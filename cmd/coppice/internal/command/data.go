package command

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/data"
)

// dataCommand is the command data with its flags.
type dataCommand struct {
	*console
	kindFlags
	textFlags
	jsonFlag
	ignore []string
}

func newData(c *console) *cobra.Command {
	o := &dataCommand{console: c}
	cmd := &cobra.Command{
		Use:   "data FILE...",
		Short: "Show the columns of a table: kinds, missing values, ranges",
		Long: `Read a table as training would and show its columns: their kinds, how many values are missing, how many differ,
the range of numbers and the most frequent categories. Notes on standard error name the text that makes a column
categorical. - is standard input.`,
		Example: `  coppice data flowers.csv
  coppice data adult.csv.gz --json
  coppice data survey.tsv --missing -,unknown --categorical zip`,
		Args: operands(1, -1),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args) },
	}
	return withFlags(c, cmd,
		newSection("Reading", o.define, o.kindFlags.define, o.textFlags.define),
		newSection("Output", o.jsonFlag.define))
}

func (o *dataCommand) define(f *pflag.FlagSet) {
	f.StringSliceVar(&o.ignore, "ignore", nil, "do not read `COL,...`, which may hold what no table does")
}

// dataReport is the object that --json prints.
type dataReport struct {
	Files   []string             `json:"files"`
	Rows    int                  `json:"rows"`
	Columns []data.ColumnSummary `json:"columns"`
}

func (o *dataCommand) run(ctx context.Context, paths []string) error {
	if err := o.repeatFlag.check(tableFiles(paths)...); err != nil {
		return err
	}
	options, err := o.textFlags.options(o.console)
	if err != nil {
		return err
	}
	o.kindFlags.apply(&options)
	options.Ignore = o.ignore
	o.progress.begin("reading")
	t, err := options.read(ctx, paths...)
	if err != nil {
		return err
	}
	f := t.Frame
	if len(f.Columns) == 0 {
		return misusef("--ignore leaves no column: leave one out of it")
	}
	r := dataReport{Files: paths, Rows: f.Rows(), Columns: data.Describe(f)}
	o.progress.end()
	if o.jsonFlag.json {
		return o.console.json(r)
	}
	o.printf("%s: %s, %s\n\n", pathWords(paths), count(r.Rows, "row", "rows"), count(len(r.Columns), "column", "columns"))
	r.grid().print(o.out)
	return nil
}

// valuesWidth is the room for the values of a column.
const valuesWidth = 50

func (r *dataReport) grid() *grid {
	g := &grid{columns: []column{{name: "column"}, {name: "kind"}, {name: "missing", right: true}, {name: "distinct", right: true},
		{name: "values"}}}
	for i := range r.Columns {
		s := &r.Columns[i]
		missing := ""
		if s.Missing > 0 {
			missing = fmt.Sprintf("%d (%s)", s.Missing, percent(float64(s.Missing)/float64(s.Rows)))
		}
		g.add(plain(s.Name), s.Kind.String(), missing, strconv.Itoa(s.Distinct), valueWords(s))
	}
	return g
}

// valueWords describes the values of a column on one line.
func valueWords(s *data.ColumnSummary) string {
	if s.Kind == data.Numeric {
		var parts []string
		if s.Min != nil {
			parts = append(parts, fmt.Sprintf("%s to %s, mean %s", number(*s.Min), number(*s.Max), short(*s.Mean)))
		}
		if s.Infinite > 0 {
			parts = append(parts, count(s.Infinite, "infinity", "infinities"))
		}
		return strings.Join(parts, ", ")
	}
	text := ""
	for i, level := range s.Top {
		part := fmt.Sprintf("%s (%d)", cut(plain(level.Level), valuesWidth/2), level.Rows)
		if i > 0 {
			part = ", " + part
		}
		if len([]rune(text))+len([]rune(part)) > valuesWidth {
			return text + ", ..."
		}
		text += part
	}
	if s.Distinct > len(s.Top) {
		text += ", ..."
	}
	return text
}
