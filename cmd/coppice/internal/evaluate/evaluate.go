// Package evaluate is the commands that measure trained models on a table. Evaluate compares the
// predictions of one with the labels. Diff compares the predictions, metrics and importances of
// two.
package evaluate

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/describe"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/models"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/paramfile"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/tables"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/replace"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/report/plot"
)

// command is the command evaluate with its flags.
type command struct {
	*cli.Console
	models.TableFlags
	tables.LabelFlags
	models.RoundsFlag
	models.ThresholdFlag
	cli.JSONFlag
	calibration bool
	bins        int
	picture     string
	scratch     string // folder
	file        paramfile.Flags
	flags       *pflag.FlagSet
}

// New makes the command.
func New(c *cli.Console) *cobra.Command {
	o := &command{Console: c}
	cmd := &cobra.Command{
		Use:         "evaluate MODEL DATA...",
		Annotations: cli.Often("label weight group positive threshold map calibration draw missing threads json"),
		Short:       "Evaluate a model on a table with known labels",
		Long: `Compare the predictions of a model with the labels of a table. A label that is not
a class of the model is an error; the message suggests the most likely renaming. Anomaly scores
are compared with any label of two values, of which the rarer is the anomaly. What was read as
missing in training is missing here. DATA may be several files; - is standard input.

Events, upper bounds, groups and weights are in the columns that held them in training. A note names
them, and flags choose other columns, or none.

With --calibration, predicted probabilities are compared, in bins, with the frequency of the
positive class. In a well calibrated model, four of five rows with a probability of 0.8 are
positive. train --calibrate corrects a model that is not well calibrated.`,
		Example: `  coppice evaluate model.coppice test.csv
  coppice evaluate model.coppice test.csv --calibration --draw reliability.svg
  coppice evaluate model.coppice test.csv --json
  coppice evaluate boosted.coppice test.csv --rounds 10
  coppice evaluate spam.coppice spambase.csv --threshold 0.2 --positive 1
  coppice evaluate adult.coppice adult-test.csv --map '<=50K.=<=50K' --map '>50K.=>50K'`,
		Args: cli.Operands(2, -1),
		RunE: cli.FirstAndRest(o.run),
	}
	return o.file.Accept(c, cli.WithFlags(c, cmd,
		cli.NewSection("Columns", func(f *pflag.FlagSet) {
			o.LabelFlags.DefineForModel(f, "column `COL` is the label (default: that of the model)")
			o.PositiveFlag.Define(f, "that of the model")
		}),
		cli.NewSection("Prediction", o.ThresholdFlag.Define, o.RoundsFlag.Define),
		cli.NewSection("Reading", o.TableFlags.Define, o.file.DefineShared,
			func(f *pflag.FlagSet) {
				f.StringVar(&o.scratch, "scratch", "", "of a table that --memory does not hold: the "+
					"`FOLDER` for scratch files (default: the system's for temporary files)")
			}),
		cli.NewSection("Calibration", o.define),
		cli.NewSection("Output", o.JSONFlag.Define)), nil)
}

func (o *command) define(f *pflag.FlagSet) {
	o.flags = f
	f.BoolVar(&o.calibration, "calibration", false,
		"compare predicted probabilities with the frequency of the positive class")
	f.IntVar(&o.bins, "bins", 10,
		"with --calibration: assign the probabilities to `N` bins of equal width")
	f.StringVar(&o.picture, "draw", "",
		"with --calibration: draw the reliability diagram to `FILE`, whose name ends in .svg")
}

// checkCalibration finds misuse of the flags about calibration.
func (o *command) checkCalibration(inputs ...string) error {
	for _, flag := range []string{"bins", "draw"} {
		if o.flags.Changed(flag) && !o.calibration {
			return cli.Misusef("--%s goes with --calibration", flag)
		}
	}
	switch {
	case o.bins < 1 || o.bins > mostBins:
		return cli.Misusef("--bins %d: want a number from 1 to %d", o.bins, mostBins)
	case !o.flags.Changed("draw"):
		return nil
	case !strings.HasSuffix(strings.ToLower(o.picture), ".svg"):
		return cli.Misusef("--draw %s: pictures are SVG, the name must end in .svg", o.picture)
	}
	return cli.Writable(o.picture, inputs...)
}

// mostBins is the largest number of bins of --calibration.
const mostBins = 1000

// evaluation is the object that --json prints.
type evaluation struct {
	*eval.Report
	Roles data.RoleColumns `json:"roles,omitzero"` // of the table
	// boosting rounds that are used, if not all are
	Rounds int `json:"rounds,omitempty"`
	// on the probability of the positive class, if --threshold sets one
	Threshold   *float64          `json:"threshold,omitempty"`
	Calibration *eval.Calibration `json:"calibration,omitempty"`
	// the rows are those that the model was trained on
	TrainingRows bool `json:"training_rows,omitempty"`

	labels tables.LabelSummary
}

func (o *command) run(ctx context.Context, path string, files []string) (err error) {
	o.Postpone()
	if err := o.check(files); err != nil {
		return err
	}
	options, err := o.ReadFlags.Options(o.Console)
	if err != nil {
		return err
	}
	if err := o.checkCalibration(append(files, path)...); err != nil {
		return err
	}
	m, err := o.open(path)
	if err != nil {
		return err
	}
	end, err := o.ReadFlags.StoreStdin(ctx, o.Console, files, o.scratch)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	options.Stdin = o.In
	ds, err := o.LabelFlags.ReadBlocksFor(ctx, o.Console, m, options, files, o.scratch)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, ds.Close()) }()
	first := m.Spec().Decision.FirstPositive
	if o.Positive != "" {
		first = ds.Target.Positive.First
	}
	if m, err = o.ThresholdFlag.Decide(m, first); err != nil {
		return err
	}
	found, err := o.evaluate(ctx, m, ds)
	if err != nil {
		return err
	}
	if o.JSONFlag.JSON {
		return o.Console.JSON(found)
	}
	o.print(found, path, files, &ds.Target)
	if o.calibration {
		return o.printCalibration(found.Calibration)
	}
	return nil
}

// check finds misuse that can be found without the model and the table.
func (o *command) check(files []string) error {
	if err := o.TableFlags.Check(o.Console, files); err != nil {
		return err
	}
	return o.ThresholdFlag.Check()
}

// open reads the model and checks the flags that depend on it.
func (o *command) open(path string) (model.Model, error) {
	m, err := o.LimitFlag.Open(path, true)
	if err != nil {
		return nil, err
	}
	if err := o.RoundsFlag.Check(m); err != nil {
		return nil, err
	}
	if o.Positive != "" && m.Spec().Task == data.Anomaly {
		return nil, cli.Misusef(
			"--positive: the positive class of anomaly scores is the anomaly: leave the flag out")
	}
	return m, nil
}

// evaluate computes the report. If the calibration is requested, it computes and draws it.
func (o *command) evaluate(
	ctx context.Context, m model.Model, ds *tables.LabeledBlocks,
) (*evaluation, error) {
	o.Progress.Begin("testing")
	var binning *eval.Binning
	if o.calibration {
		if !m.Spec().Task.Classes() {
			return nil, fmt.Errorf("calibration is for class probabilities, the model predicts %s",
				m.Spec().Task)
		}
		var err error
		if binning, err = eval.NewBinning(m.Spec().Classes, o.bins); err != nil {
			return nil, err
		}
	}
	found := &evaluation{Rounds: o.Rounds, Roles: ds.Target.Roles}
	with := eval.SetOptions{Options: model.Options{Workers: o.Threads, Rounds: o.Rounds,
		Memory: o.MemoryLimit()}, Scratch: o.scratch}
	hashed := ds.Hashing(nil)
	with.Watch = func(b *data.LabeledBlock) error {
		hashed.Add(b)
		if ds.Coverage == nil {
			return nil
		}
		return ds.Coverage.Add(b.Frame)
	}
	with.Each = func(_ int, s *metric.Sample) {
		found.labels.Add(s.Class, s.Y)
		if binning != nil {
			binning.Add(s)
		}
	}
	reports, err := eval.EvaluateSets(ctx, m, ds.BlockDataset, [][]int32{nil}, with)
	if err != nil {
		return nil, cli.Located(err, ds.Frame)
	}
	found.Report = reports[0]
	if t := m.Spec().TrainedOn; t != nil {
		found.TrainingRows = t.Table == hashed.Hash(o.Threads)
	}
	if o.ThresholdFlag.Requested() {
		found.Threshold = &o.Threshold
	}
	if binning != nil {
		if found.Calibration, err = binning.Calibration(); err != nil {
			return nil, err
		}
		if err := o.draw(found.Calibration); err != nil {
			return nil, err
		}
	}
	o.Progress.End()
	return found, nil
}

// draw writes the picture, if one is requested.
func (o *command) draw(c *eval.Calibration) error {
	if o.picture == "" {
		return nil
	}
	if err := replace.File(o.picture, plot.Reliability(c).Write); err != nil {
		return fmt.Errorf("cannot write %s: %w", o.picture, err)
	}
	return nil
}

// printCalibration prints the bins, the calibration errors and the reliability diagram.
func (o *command) printCalibration(c *eval.Calibration) error {
	what := "of " + humanize.Name(c.Class)
	if c.Class == "" {
		what = "right"
	}
	o.Printf("\ncalibration\n")
	g := cli.Grid{Columns: cli.Numbers("probability from", "to", "rows", "mean probability", what,
		"± se")}
	for i := range c.Bins {
		b := &c.Bins[i]
		row := []string{
			humanize.Metric(b.From), humanize.Metric(b.To), strconv.Itoa(b.Rows), "-", "-", "-",
		}
		if b.Weight > 0 {
			row[3], row[4] = humanize.Metric(b.Probability), humanize.Metric(b.Frequency)
			row[5] = humanize.Metric(b.Error())
		}
		g.Add(row...)
	}
	g.Print(o.Out)
	o.Printf("\n")
	o.Facts(cli.Fact{Name: "expected calibration error", Text: humanize.Metric(c.ECE)},
		cli.Fact{Name: "largest error of a bin", Text: humanize.Metric(c.MCE)},
		cli.Fact{Name: "Brier score", Text: humanize.Metric(c.Brier)})
	o.Printf("\n")
	f := plot.Reliability(c)
	f.Charts = f.Charts[:1] // without the histogram: the table lists the rows
	return f.Text(o.Out)
}

func (o *command) print(r *evaluation, path string, files []string, t *data.Target) {
	rows, better := humanize.Count(r.Rows, "row", "rows"), ""
	if r.TrainingRows {
		better = " These are its training rows, so the metrics are too optimistic."
	}
	o.Text(fmt.Sprintf("%s on %s of %s: %s.%s", cli.PathList([]string{path}), rows, cli.PathList(files),
		describe.AnswerOf(r.Report), better))
	o.Printf("\n")
	o.Facts(cli.Fact{Name: "label", Text: r.labels.Describe(t)})
	if r.Positive != "" {
		o.Facts(cli.Fact{Name: "positive", Text: "class " + humanize.Name(r.Positive)})
	}
	if o.ThresholdFlag.Requested() {
		o.Facts(cli.Fact{Name: "threshold", Text: fmt.Sprintf("%s: a greater probability is "+
			"predicted as %s", humanize.Metric(o.Threshold), humanize.Name(r.Positive))})
	}
	o.Facts(o.RoundsFlag.Requested()...)
	o.Printf("\n")
	describe.PrintMetrics(o.Console, describe.MetricSets{{Name: "all rows", Report: r.Report}})
	if r.Classes == nil {
		describe.PrintConfusion(o.Console, r.Confusion, "all rows")
		return
	}
	describe.PrintClasses(o.Console, r.Report)
	describe.PrintCounts(o.Console, r.Confusion, "all rows")
}
