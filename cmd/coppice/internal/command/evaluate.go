package command

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/replace"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/report/plot"
)

// evaluateCommand is the command evaluate with its flags.
type evaluateCommand struct {
	*console
	labelFlags
	textFlags
	threadFlag
	roundsFlag
	thresholdFlag
	jsonFlag
	calibration bool
	bins        int
	picture     string
	flags       *pflag.FlagSet
}

func newEvaluate(c *console) *cobra.Command {
	o := &evaluateCommand{console: c}
	cmd := &cobra.Command{
		Use:   "evaluate MODEL DATA...",
		Short: "Evaluate a model on a table with known labels",
		Long: `Compare the predictions of a model with the labels of a table. A label that is not a class of the model is an error;
the message suggests the most likely renaming. Anomaly scores are compared with any label of two values, of which the rarer
is the anomaly. What was read as missing in training is missing here. DATA may be several files; - is standard
input. With --calibration, predicted probabilities are compared, in bins, with the frequency of the positive class: for a well
calibrated model, four of five rows with a probability of 0.8 are positive (train --calibrate corrects a model that is not).`,
		Example: `  coppice evaluate model.coppice test.csv
  coppice evaluate model.coppice test.csv --calibration --draw reliability.svg
  coppice evaluate model.coppice test.csv --json
  coppice evaluate boosted.coppice test.csv --rounds 10
  coppice evaluate spam.coppice spambase.csv --threshold 0.2 --positive 1
  coppice evaluate adult.coppice adult-test.csv --map '<=50K.=<=50K' --map '>50K.=>50K'`,
		Args: operands(2, -1),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args[0], args[1:]) },
	}
	return withFlags(c, cmd,
		newSection("Columns", func(f *pflag.FlagSet) {
			o.labelFlags.define(f, "column `COL` is the label (default: that of the model)")
			o.positiveFlag.define(f, "that of the model")
			o.outcomeFlags.define(f)
		}),
		newSection("Prediction", o.thresholdFlag.define, o.roundsFlag.define),
		newSection("Reading", o.textFlags.define, o.threadFlag.define),
		newSection("Calibration", o.define),
		newSection("Output", o.jsonFlag.define))
}

func (o *evaluateCommand) define(f *pflag.FlagSet) {
	o.flags = f
	f.BoolVar(&o.calibration, "calibration", false, "compare predicted probabilities with the frequency of the positive class")
	f.IntVar(&o.bins, "bins", 10, "with --calibration: assign the probabilities to `N` bins of equal width")
	f.StringVar(&o.picture, "draw", "", "with --calibration: draw the reliability diagram to `FILE`, whose name ends in .svg")
}

// checkCalibration finds misuse.
func (o *evaluateCommand) checkCalibration(inputs ...string) error {
	for _, flag := range []string{"bins", "draw"} {
		if o.flags.Changed(flag) && !o.calibration {
			return misusef("--%s goes with --calibration", flag)
		}
	}
	switch {
	case o.bins < 1 || o.bins > mostBins:
		return misusef("--bins %d: want a number from 1 to %d", o.bins, mostBins)
	case !o.flags.Changed("draw"):
		return nil
	case !strings.HasSuffix(strings.ToLower(o.picture), ".svg"):
		return misusef("--draw %s: pictures are SVG, the name must end in .svg", o.picture)
	}
	return writable(o.picture, inputs...)
}

// mostBins is the largest number of bins of --calibration.
const mostBins = 1000

// evaluation is the object that --json prints.
type evaluation struct {
	*eval.Report
	// of a boosted model, if not all are used
	Rounds int `json:"rounds,omitempty"`
	// on the probability of the positive class, if one is given
	Threshold   *float64          `json:"threshold,omitempty"`
	Calibration *eval.Calibration `json:"calibration,omitempty"`
}

func (o *evaluateCommand) run(ctx context.Context, path string, tables []string) error {
	if err := o.check(tables); err != nil {
		return err
	}
	options, err := o.textFlags.options(o.console)
	if err != nil {
		return err
	}
	if err := o.checkCalibration(append(tables, path)...); err != nil {
		return err
	}
	m, err := o.open(path)
	if err != nil {
		return err
	}
	ds, err := o.labelFlags.readFor(ctx, o.console, m, options, tables)
	if err != nil {
		return err
	}
	first := m.Spec().Decision.FirstPositive
	if o.positive != "" {
		first = ds.Target.Positive.First
	}
	if m, err = o.thresholdFlag.decide(m, first); err != nil {
		return err
	}
	found, err := o.evaluate(ctx, m, ds)
	if err != nil {
		return err
	}
	if o.jsonFlag.json {
		return o.console.json(found)
	}
	o.print(found.Report, path, tables, ds)
	if o.calibration {
		return o.printCalibration(found.Calibration)
	}
	return nil
}

// check finds faults of flags that need neither the model nor a table.
func (o *evaluateCommand) check(tables []string) error {
	if err := o.threadFlag.check(); err != nil {
		return err
	}
	if err := o.thresholdFlag.check(); err != nil {
		return err
	}
	return o.repeatFlag.check(tableFiles(tables)...)
}

// open reads the model and checks the flags that depend on it.
func (o *evaluateCommand) open(path string) (model.Model, error) {
	m, err := openModel(path, true)
	if err != nil {
		return nil, err
	}
	if err := o.roundsFlag.check(m); err != nil {
		return nil, err
	}
	if o.positive != "" && m.Spec().Task == data.Anomaly {
		return nil, misusef("--positive: the positive class of anomaly scores is the anomaly: " +
			"leave the flag out")
	}
	return m, nil
}

// evaluate computes the report, and the calibration if it is requested, whose picture it draws.
func (o *evaluateCommand) evaluate(ctx context.Context, m model.Model, ds *data.Dataset) (
	*evaluation, error) {
	o.progress.begin("testing")
	with := model.Options{Workers: o.threads, Rounds: o.rounds, Memory: o.memoryLimit()}
	r, err := eval.EvaluateRows(ctx, m, ds, nil, with)
	if err != nil {
		return nil, located(err, ds.Frame)
	}
	found := &evaluation{Report: r, Rounds: o.rounds}
	if o.thresholdFlag.requested() {
		found.Threshold = &o.threshold
	}
	if o.calibration {
		if found.Calibration, err = eval.Reliability(ctx, m, ds, nil, o.bins, with); err != nil {
			return nil, err
		}
		if err := o.draw(found.Calibration); err != nil {
			return nil, err
		}
	}
	o.progress.end()
	return found, nil
}

// draw writes the picture, if one is requested.
func (o *evaluateCommand) draw(c *eval.Calibration) error {
	if o.picture == "" {
		return nil
	}
	if err := replace.File(o.picture, plot.Reliability(c).Write); err != nil {
		return fmt.Errorf("cannot write %s: %w", o.picture, err)
	}
	return nil
}

// printCalibration prints the bins, what they come to, and the curve.
func (o *evaluateCommand) printCalibration(c *eval.Calibration) error {
	what := "of " + humanize.Name(c.Class)
	if c.Class == "" {
		what = "right"
	}
	o.printf("\ncalibration\n")
	g := grid{columns: numbers("probability from", "to", "rows", "mean probability", what, "± se")}
	for i := range c.Bins {
		b := &c.Bins[i]
		row := []string{humanize.Metric(b.From), humanize.Metric(b.To), strconv.Itoa(b.Rows), "-", "-", "-"}
		if b.Weight > 0 {
			row[3], row[4], row[5] = humanize.Metric(b.Probability), humanize.Metric(b.Frequency), humanize.Metric(b.Error())
		}
		g.add(row...)
	}
	g.print(o.out)
	o.printf("\n")
	o.facts(fact{"expected calibration error", humanize.Metric(c.ECE)}, fact{"largest error of a bin", humanize.Metric(c.MCE)}, fact{"Brier score", humanize.Metric(c.Brier)})
	o.printf("\n")
	f := plot.Reliability(c)
	f.Charts = f.Charts[:1] // the rows stand in the table
	return f.Text(o.out)
}

func (o *evaluateCommand) print(r *eval.Report, path string, tables []string, ds *data.Dataset) {
	o.facts(
		fact{"model", humanize.Name(path)},
		fact{"data", fmt.Sprintf("%s: %s", pathWords(tables), humanize.Count(ds.Rows(), "row", "rows"))},
		fact{"label", labelWords(&ds.Target, ds.Rows())},
	)
	if r.Positive != "" {
		o.facts(fact{"positive", humanize.Name(r.Positive)})
	}
	if o.thresholdFlag.requested() {
		o.facts(fact{"threshold", fmt.Sprintf("%s: a greater probability is predicted as %s", humanize.Metric(o.threshold), humanize.Name(r.Positive))})
	}
	o.facts(o.roundsFlag.requested()...)
	o.printf("\n")
	printMetrics(o.console, setReports{{name: "all rows", report: r}})
	printConfusion(o.console, r.Confusion, "all rows")
}
