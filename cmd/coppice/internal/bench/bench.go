// Package bench is the command bench: it measures how fast a model predicts.
package bench

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/describe"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/models"
	"github.com/coppice-ml/coppice/codec/parity"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/model"
)

// command is the command bench with its flags.
type command struct {
	*cli.Console
	models.TableFlags
	cli.JSONFlag
	batches []int
	layouts []string
	seconds float64
	rows    int
}

// New makes the command.
func New(c *cli.Console) *cobra.Command {
	o := &command{Console: c}
	cmd := &cobra.Command{
		Use:         "bench MODEL [DATA...]",
		Annotations: cli.Often("batches layouts seconds missing threads json"),
		Short:       "Measure how fast a model predicts",
		Long: `Predict rows again and again, one at a time and in batches, and report rows per
second and the latency of a call. The rows are those of a table, or lie on the split points of the
model. Times include the conversion of the values, and of categories. Single rows use PredictRow, as
services do; batches use Predict.

Trees can be kept in several layouts, which predict the same. Each that fits the model has a line
for each size of batches. An asterisk marks the layout that the engine chooses.`,
		Example: `  coppice bench model.coppice
  coppice bench xgboost.json test.csv --batches 1,64,100000 --threads 1
  coppice bench model.coppice --layouts in-place,scan`,
		Args: cli.Operands(1, -1),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args) },
	}
	return cli.WithFlags(c, cmd, cli.NewSection("Flags", o.define, o.JSONFlag.Define),
		cli.NewSection("Reading", o.TableFlags.Define))
}

func (o *command) define(f *pflag.FlagSet) {
	f.IntSliceVar(&o.batches, "batches", []int{1, 8, 64, 1024, 65536},
		"measure batches of `N,...` rows")
	f.StringSliceVar(&o.layouts, "layouts", nil, "measure the layouts `NAME,...` only: "+
		strings.Join(layoutNames(), ", "))
	f.Float64Var(&o.seconds, "seconds", 0.5, "measure each line for `S` seconds")
	f.IntVar(&o.rows, "probe-rows", 20000,
		"without a table, predict about `N` rows at split points")
}

// check finds misuse.
func (o *command) check() error {
	for _, n := range o.batches {
		if n < 1 || n > 1<<24 {
			return cli.Misusef("--batches %d: want numbers from 1 to %d", n, 1<<24)
		}
	}
	switch {
	case len(o.batches) == 0:
		return cli.Misusef("--batches: want at least one number")
	case !(o.seconds > 0 && o.seconds <= 3600):
		return cli.Misusef("--seconds %v: want a number above 0, up to 3600", o.seconds)
	case o.rows < 1:
		return cli.Misusef("--probe-rows %d: want 1 or more", o.rows)
	}
	return o.ThreadFlag.Check(o.Console)
}

// report is the output of --json.
type report struct {
	Model   describe.Summary `json:"model"`
	Rows    int              `json:"rows"`
	Threads int              `json:"threads"`
	Batches []measured       `json:"batches"`
	Unfit   []unfit          `json:"unfit,omitempty"`
}

func (o *command) run(ctx context.Context, args []string) error {
	if err := o.check(); err != nil {
		return err
	}
	m, err := o.LimitFlag.Open(args[0], len(args) > 1)
	if err != nil {
		return err
	}
	f, err := o.frame(ctx, m, args[1:])
	if err != nil {
		return err
	}
	if f.Rows() == 0 {
		return fmt.Errorf("the table has no rows to predict")
	}
	r := &report{Model: describe.Of(m).Summarize(), Rows: f.Rows(),
		Threads: parallel.Workers(o.Threads)}
	c, err := o.candidates(m, f)
	if err != nil {
		return err
	}
	r.Unfit = c.unfit
	o.Progress.Begin("measuring")
	for _, batch := range o.batches {
		for _, line := range c.lines(batch) {
			got, err := o.measure(ctx, line.predictor, f, batch)
			if err != nil {
				return cli.Located(err, f)
			}
			got.Layout, got.Chosen = line.layout, line.chosen
			r.Batches = append(r.Batches, *got)
		}
	}
	o.Progress.End()
	return o.JSONFlag.Show(o.Console, r, func() { o.print(args[0], m, r) })
}

// frame returns the rows to predict: of files, or at the split points of the model.
func (o *command) frame(ctx context.Context, m model.Model, files []string) (*data.Frame, error) {
	if len(files) > 0 {
		t, err := o.ReadFlags.ForModel(ctx, o.Console, m, nil, files)
		if err != nil {
			return nil, err
		}
		return t.Frame, nil
	}
	d := m.Describe()
	e := d.Ensemble
	if e == nil {
		return nil, cli.Misusef("this model %s, and has no split points: name a table of "+
			"rows to predict", d.Obstructs())
	}
	p := parity.Make(e, o.rows)
	what := fmt.Sprintf("predicting %d rows with %d outputs", p.Rows(), m.Outputs())
	if err := o.MemoryLimit().Check(what, 8*int64(p.Rows())*int64(m.Outputs())); err != nil {
		return nil, err
	}
	return p.Frame(&e.Meta.Schema, 0, p.Rows())
}

func (o *command) print(path string, m model.Model, r *report) {
	o.Facts(cli.Fact{Name: "model", Text: humanize.Name(path)}, describe.Of(m).SizeFact(),
		cli.Fact{Name: "rows", Text: fmt.Sprint(r.Rows)},
		cli.Fact{Name: "threads", Text: fmt.Sprint(r.Threads)})
	o.Printf("\n")
	g := cli.Grid{Columns: cli.Numbers("batch", "layout", "rows/s", "ns/row", "p50 us", "p95 us",
		"p99 us")}
	g.Columns[1].Right = false
	for _, b := range r.Batches {
		layout := b.Layout
		if layout != "" && b.Chosen {
			layout += " *"
		}
		g.Add(fmt.Sprint(b.Batch), layout, fmt.Sprintf("%.0f", b.Rate),
			fmt.Sprintf("%.0f", b.PerRow), fmt.Sprintf("%.1f", b.P50),
			fmt.Sprintf("%.1f", b.P95), fmt.Sprintf("%.1f", b.P99))
	}
	g.Print(o.Out)
	if r.Batches[0].Layout == "" {
		return
	}
	o.Printf("\n* chosen by the engine\n")
	for _, u := range r.Unfit {
		o.Printf("no layout %s: %s\n", u.Layout, u.Reason)
	}
}
