// Package predict is the command predict: it writes the predictions of a model for the rows of a
// table as CSV.
package predict

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/models"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/paramfile"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/tables"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/memory"
	"github.com/coppice-ml/coppice/model"
)

// command is the command predict with its flags.
type command struct {
	*cli.Console
	models.TableFlags
	cli.FileFlag
	cli.CSVFlag
	quantileFlag
	models.RoundsFlag
	models.ThresholdFlag
	reasonFlag
	logFlags
	checkFlags
	what string
	keep []string
	tableFlag
	file paramfile.Flags
}

// New makes the command.
func New(c *cli.Console) *cobra.Command {
	o := &command{Console: c}
	cmd := &cobra.Command{
		Use:         "predict MODEL DATA...",
		Annotations: cli.Often("out output keep reasons quantiles threshold flags on-new on-missing on-range to-table log missing threads"),
		Short:       "Predict the rows of a table",
		Long: `Predict the rows of a table and write CSV with a header, one line per row. The
column prediction holds the predicted class or number; a model that scores anomalies writes the
column score instead. Columns are found by name: their order and further columns do not matter,
nor does the label. What was read as missing in training is missing here. DATA may be patterns,
folders and URLs, as in training; - is standard input.

With --output proba a column p_CLASS with its probability follows for each class. raw are the
scores before the link function. The only raw score of two classes is that of the second by name,
whichever is positive. label applies the model's threshold to a score. leaf is the
number of the leaf reached in each tree, or of the rule that decides. trees are the values of the
single trees, before weights and the link function. A regression forest that was
trained with quantiles=true predicts quantiles: the column q0.1 is the estimated 0.1 quantile,
from the training rows in the leaves reached.

--reasons K adds the K columns with the largest effects on the prediction: reason_1, its value as it
stands in the file, and effect_1, its Shapley value on the raw score, and so on. Effects are towards
the positive one of two classes, and the predicted one of more. They are exact, for the models that
coppice explain needs no --background for.

Models store what their training rows were like. Values that these had not are counted at the end:
new categories, missing values where there was none, numbers and dates out of the range. A warning
names the columns with more of them than chance gives. --flags marks the rows in a column. --on-new,
--on-missing and --on-range accept, flag or refuse such values, of all columns or of single ones.

-o FILE.parquet writes Parquet. --log FILE writes what was predicted from what: for each row its
--keep columns or its number, the id of the model, its inputs, and what the output has behind the
columns of --keep. The name decides between JSON lines and Parquet.

Names of classes and columns, and the texts of --keep, are written as they are. With --safe-csv
those that a spreadsheet would run as formulas begin with an apostrophe.`,
		Example: `  coppice predict model.coppice new.csv
  coppice predict model.coppice new.csv --output proba --keep id -o predictions.csv
  coppice predict forest.coppice new.csv --output quantiles --quantiles 0.05,0.95
  coppice predict model.coppice new.csv --reasons 3 --keep id -o predictions.csv
  coppice predict model.coppice new.csv -o predictions.parquet --log seen.jsonl --log-share 0.1
  coppice predict model.coppice new.csv --flags --on-range refuse,petal_length=flag
  coppice predict spam.coppice spambase.csv --threshold 0.2
  coppice predict boosted.coppice new.csv --output raw --rounds 10
  coppice predict model.coppice new.csv --safe-csv -o for-the-spreadsheet.csv
  coppice predict model.coppice 'gardens/year=2026/*.csv' --keep id,year -o predictions.csv
  coppice predict model.coppice --sql 'select * from plants' --db sqlite:garden.db --to-table species --keep id
  zcat new.csv.gz | coppice predict model.coppice - --output leaf`,
		Args: cli.Operands(2, -1),
		RunE: cli.FirstAndRest(o.run),
	}
	return o.file.Accept(c, cli.WithFlags(c, cmd,
		cli.NewSection("Output", o.FileFlag.Define, o.define, o.CSVFlag.Define,
			o.tableFlag.define, o.reasonFlag.define, o.logFlags.define),
		cli.NewSection("Checks", o.checkFlags.define),
		cli.NewSection("Reading", o.TableFlags.Define, o.file.DefineShared)), nil)
}

// outputs are the names that --output takes.
var outputs = []string{"label", "proba", "score", "raw", "leaf", "trees", "quantiles"}

func (o *command) define(f *pflag.FlagSet) {
	f.StringVar(&o.what, "output", "", "predict `WHAT`: label, proba, score, raw, leaf, "+
		"trees or quantiles (default: score for a model of anomaly scores, else label)")
	o.quantileFlag.define(f)
	o.RoundsFlag.Define(f)
	o.ThresholdFlag.Define(f)
	cli.NamesVar(f, &o.keep, "keep",
		"copy the columns `COL,...` of the table before the predictions, unchanged")
}

func (o *command) run(ctx context.Context, path string, files []string) error {
	if err := o.check(path, files); err != nil {
		return err
	}
	m, err := o.open(path)
	if err != nil {
		return err
	}
	if o.ReadFlags.Checks, err = o.checkFlags.of(m); err != nil {
		return err
	}
	w, err := o.writer(m)
	if err != nil {
		return err
	}
	if err := o.tableFlag.checkDB(o.ReadFlags.Address()); err != nil {
		return err
	}
	// all texts of --keep decide on the types of columns that have one
	whole := len(o.keep) > 0 && (o.tableFlag.name != "" || isParquet(o.FileFlag.Path) || isParquet(o.log))
	verbatim := o.keep
	if o.reasons > 0 || o.log != "" {
		w.inputs = tables.NewInputs(m)
		verbatim = w.inputs.Verbatim(o.keep)
	}
	parts, err := o.ReadFlags.StreamForModel(ctx, o.Console, m, verbatim, files, whole)
	if err != nil {
		return err
	}
	defer parts.Close()
	schema := &parts.First.Frame.Schema
	with := model.Options{Output: w.output, Workers: o.Threads, Quantiles: o.at, Rounds: o.Rounds}
	if o.what == "trees" {
		w.predictor, err = model.BindTrees(m.Describe().Ensemble, schema, with)
	} else {
		w.predictor, err = m.Bind(schema, with)
	}
	if err != nil {
		return err
	}
	w.parts, w.memory, w.keep = parts, o.MemoryLimit(), o.keep
	if w.reasons, err = o.explainer(ctx, path, m, schema); err != nil {
		return err
	}
	if w.log, err = o.logFlags.open(o.Console, m, w); err != nil {
		return err
	}
	o.checkFlags.note(o.Console, m)
	o.Progress.Begin("predicting")
	if err := o.write(ctx, w); err != nil {
		return err
	}
	w.noteCounts(o.Console)
	return nil
}

// write writes all predictions where they are requested.
func (o *command) write(ctx context.Context, w *predictionWriter) error {
	switch {
	case o.tableFlag.name != "":
		return o.writeTable(ctx, w)
	case isParquet(o.FileFlag.Path):
		return o.FileFlag.Write(o.Console, func(out io.Writer) error {
			return writeParquet(out, w.columns(), func(add func([]string) error) error {
				return w.rows(ctx, add)
			})
		})
	}
	return o.FileFlag.Write(o.Console, func(out io.Writer) error {
		return o.CSVFlag.Write(o.Console, out,
			func(lines *cli.CSVWriter) error { return w.write(ctx, lines) })
	})
}

// check finds misuse that can be found without the model and the table.
func (o *command) check(path string, files []string) error {
	if o.what != "" && !slices.Contains(outputs, o.what) {
		return cli.Misusef("--output %q: %s", o.what, cli.Instead(o.what, outputs))
	}
	if err := o.quantileFlag.check(o.what); err != nil {
		return err
	}
	if err := o.TableFlags.Check(o.Console, files); err != nil {
		return err
	}
	if err := o.ThresholdFlag.Check(); err != nil {
		return err
	}
	if o.ThresholdFlag.Requested() && !slices.Contains([]string{"", "label", "proba"}, o.what) {
		return cli.Misusef("--threshold does not go with --output %s, which has no labels: "+
			"use --output label or proba", o.what)
	}
	if err := o.tableFlag.check(o.FileFlag.Path); err != nil {
		return err
	}
	o.ReadFlags.Writes = o.tableFlag.name != ""
	if o.CSVFlag.Safe && isParquet(o.FileFlag.Path) {
		return cli.Misusef("--safe-csv does not go with -o %s, which is written as Parquet",
			o.FileFlag.Path)
	}
	inputs := append([]string{path}, files...)
	if err := o.reasonFlag.check(); err != nil {
		return err
	}
	if err := o.logFlags.check(o.FileFlag.Path, inputs); err != nil {
		return err
	}
	return o.FileFlag.Check(inputs...)
}

// open reads the model, checks the flags that depend on it and applies the threshold.
func (o *command) open(path string) (model.Model, error) {
	m, err := o.LimitFlag.Open(path, true)
	if err != nil {
		return nil, err
	}
	if err := o.RoundsFlag.Check(m); err != nil {
		return nil, err
	}
	if o.log != "" { // before --threshold, so that it is the id that show prints
		if o.logFlags.id, err = coppice.ID(m); err != nil {
			return nil, fmt.Errorf("--log: %s: %w", path, err)
		}
	}
	return o.ThresholdFlag.Decide(m, m.Spec().Decision.FirstPositive)
}

// predictionWriter writes predictions as CSV.
type predictionWriter struct {
	parts     *tables.Parts
	predictor model.Predictor
	output    model.Output
	classes   []string // nil = the model predicts numbers
	decision  *model.Decision
	header    []string // names of the columns behind the kept ones
	label     bool     // the first column is the predicted class
	memory    memory.Limit
	keep      []string // columns that are copied
	before    int      // rows of the parts before the one that is written

	inputs  *tables.Inputs   // for reasons and the log; nil: there are none of both
	reasons *explain.Reasons // nil: none are written
	most    int              // reasons of a row
	log     *predictionLog   // nil: none is written

	flagged bool         // the last column has the flags
	scratch []model.Flag // of a row
}

// writer chooses the columns of the output. Its rows are set later.
func (o *command) writer(m model.Model) (*predictionWriter, error) {
	spec := m.Spec()
	w := &predictionWriter{header: []string{"prediction"}, decision: &spec.Decision}
	if spec.Labels() {
		w.classes = spec.Classes
	}
	if len(spec.Quantiles) > 1 {
		w.header = models.QuantileColumns(spec.Quantiles)
	}
	scores, quantiles := spec.Task == data.Anomaly, len(spec.Quantiles) > 0
	if quantiles && o.quantileFlag.flags.Changed("quantiles") {
		return nil, cli.Misusef("--quantiles: the model predicts those of its training alone, %s: leave "+
			"the flag out", strings.Join(models.QuantileColumns(spec.Quantiles), ", "))
	}
	switch what := o.what; {
	case what == "score" || what == "" && scores:
		if !scores {
			return nil, cli.Misusef("--output score needs a model that scores anomalies, this "+
				"one predicts %s (%s)", models.Predictions(spec), spec.Task)
		}
		w.output, w.header = model.Response, []string{"score"}
	case what == "label" || what == "" || what == "quantiles" && quantiles:
		w.output, w.label = model.Label, w.classes != nil
		if !w.label {
			w.number(m.Outputs())
		}
	case what == "proba":
		if !spec.Task.Classes() {
			return nil, cli.Misusef("--output proba needs a model that predicts classes, this "+
				"one predicts %s (%s)", models.Predictions(spec), spec.Task)
		}
		w.output, w.label = model.Response, true
		w.header = append(w.header, models.ProbabilityColumns(w.classes)...)
	case what == "raw":
		w.output = model.Raw
		scores := m.Outputs()
		if e := m.Describe().Ensemble; e != nil {
			scores = e.Scores()
		} else if s, ok := m.(interface{ Scores() int }); ok {
			scores = s.Scores()
		}
		if w.number(scores); scores == len(w.classes) {
			w.header = w.classes
		}
	case what == "leaf":
		w.output, w.header = model.Leaf, o.leaves(m)
	case what == "trees":
		d := m.Describe()
		if d.Ensemble == nil {
			return nil, cli.Misusef("--output trees needs a model of trees: this one %s", d.Obstructs())
		}
		w.output, w.header = model.Raw, treeColumns(d.Ensemble, o.leaves(m))
	case what == "quantiles":
		if e := m.Describe().Ensemble; e == nil || e.Combine != model.Pool {
			return nil, model.ErrNoQuantiles
		}
		w.output, w.header = model.Quantiles, o.quantileFlag.columns()
	}
	w.most = o.reasons
	w.header = append(slices.Clip(w.header), o.reasonFlag.columns()...)
	if w.flagged = o.checkFlags.flagged(o.ReadFlags.Checks); w.flagged {
		w.header = append(w.header, flagsColumn)
	}
	columns := append(slices.Clone(o.keep), w.header...)
	slices.Sort(columns)
	for i := 1; i < len(columns); i++ {
		if columns[i] == columns[i-1] {
			return nil, cli.Misusef("two columns of the output would be called %q: choose "+
				"another --output or --keep", columns[i])
		}
	}
	return w, nil
}

// leaves names the trees, or the rules, that predictions use.
func (o *command) leaves(m model.Model) []string {
	if e := m.Describe().Ensemble; e != nil && o.Rounds > 0 {
		return e.TreeNames(o.Rounds)
	}
	all := m.Describe().Leaves
	members, ok := m.(interface{ Used(rounds int) []int })
	if !ok || o.Rounds == 0 {
		return all
	}
	var names []string
	for _, member := range members.Used(o.Rounds) {
		for _, name := range all {
			if strings.HasPrefix(name, fmt.Sprintf("member_%d_", member)) {
				names = append(names, name)
			}
		}
	}
	return names
}

// number names the columns of several outputs without names: prediction_0 and so on.
func (w *predictionWriter) number(outputs int) {
	if len(w.header) == outputs {
		return
	}
	w.header = nil
	for k := range outputs {
		w.header = append(w.header, "prediction_"+strconv.Itoa(k))
	}
}

// treeColumns name the values of single trees: tree_0, or tree_0_CLASS for each class or output.
func treeColumns(e *model.Ensemble, trees []string) []string {
	if len(e.Trees) == 0 || e.Trees[0].Leaf.Width == 1 {
		return trees
	}
	var names []string
	for _, t := range trees {
		for k := range e.Trees[0].Leaf.Width {
			of := strconv.Itoa(k)
			if k < len(e.Meta.Classes) {
				of = e.Meta.Classes[k]
			}
			names = append(names, t+"_"+of)
		}
	}
	return names
}

// mostRows is the number of rows predicted at a time, where memory holds their predictions.
const mostRows = 1 << 16

// batch returns the number of rows that are predicted at a time.
func (w *predictionWriter) batch(width int) int {
	const part = 4 // of the limit of memory
	return max(1, min(mostRows, int(w.memory.Bytes()/part/int64(8*max(1, width)))))
}

func (w *predictionWriter) write(ctx context.Context, lines *cli.CSVWriter) error {
	header := tables.Kept(w.kept(w.parts.First), -1, len(w.header))
	if err := lines.WriteLine(append(header, w.header...)); err != nil {
		return err
	}
	return w.rows(ctx, lines.WriteLine)
}

// kept returns the columns that are copied, as they stand in the file; nil if there are none.
func (w *predictionWriter) kept(t *data.RowBlock) *data.Frame {
	if len(w.keep) == 0 {
		return nil
	}
	var places []int
	for i := range t.Verbatim.Schema.Fields {
		if slices.Contains(w.keep, t.Verbatim.Schema.Fields[i].Name) {
			places = append(places, i)
		}
	}
	return t.Verbatim.Select(places)
}

// rows predicts all rows, and passes on the fields of each. The log is complete before it returns.
func (w *predictionWriter) rows(ctx context.Context, line func(fields []string) error) error {
	return w.log.write(func() error {
		for t, err := range w.parts.All() {
			if err == nil {
				err = w.part(ctx, t, line)
			}
			if err != nil {
				return err
			}
			w.before += t.Frame.Rows()
		}
		return nil
	})
}

// part predicts the rows of a part of the table.
func (w *predictionWriter) part(
	ctx context.Context, t *data.RowBlock, line func(fields []string) error,
) error {
	f, kept := t.Frame, w.kept(t)
	width := w.predictor.Width()
	batch := w.batch(width + reasonNumbers*w.most)
	values := make([]float64, min(batch, f.Rows())*width)
	var input func(column, row int) string
	if w.inputs != nil {
		input = w.inputs.Of(t)
	}
	rows := data.AllRows(f.Rows())
	for len(rows) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		now := rows[:min(batch, len(rows))]
		rows = rows[len(now):]
		if err := w.predictor.Predict(values, f, now); err != nil {
			return cli.Located(err, f)
		}
		var reasons [][]explain.Reason
		if w.reasons != nil {
			var err error
			if reasons, err = w.reasons.Table(ctx, f, now, w.most); err != nil {
				return cli.Located(err, f)
			}
		}
		for i, row := range now {
			fields := tables.Kept(kept, int(row), len(w.header))
			fields = w.line(fields, values[i*width:(i+1)*width])
			if reasons != nil {
				fields = w.addReasons(fields, reasons[i], input, int(row))
			}
			if w.flagged {
				fields = w.addFlags(fields, int(row))
			}
			err := w.log.add(w.before+int(row), fields, values[i*width:(i+1)*width], input, int(row))
			if err != nil {
				return err
			}
			if err := line(fields); err != nil {
				return err
			}
		}
	}
	return nil
}

// line returns the fields of the line for one row, behind those that were kept.
func (w *predictionWriter) line(line []string, values []float64) []string {
	if w.label {
		class := 0
		if w.output == model.Response {
			class = w.decision.Label(values)
		} else {
			class, values = int(values[0]), nil
		}
		line = append(line, w.classes[class])
	}
	for _, v := range values {
		line = append(line, humanize.Exact(v))
	}
	return line
}
