// Package bench is the command bench: it measures how fast a model predicts.
package bench

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/describe"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/models"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/tables"
	"github.com/coppice-ml/coppice/codec/parity"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/model"
)

// command is the command bench with its flags.
type command struct {
	*cli.Console
	cli.JSONFlag
	cli.ThreadFlag
	tables.ReadFlags
	batches []int
	seconds float64
	rows    int
}

// New makes the command.
func New(c *cli.Console) *cobra.Command {
	o := &command{Console: c}
	cmd := &cobra.Command{
		Use:   "bench MODEL [DATA...]",
		Short: "Measure how fast a model predicts",
		Long: `Predict rows again and again, one at a time and in batches, and report rows per
second and the latency of a call. The rows are those of a table, or lie on the split points of the
model. Times include the conversion of the values, and of categories. Single rows use PredictRow, as
services do; batches use Predict.`,
		Example: `  coppice bench model.coppice
  coppice bench xgboost.json test.csv --batches 1,64,100000 --threads 1`,
		Args: cli.Operands(1, -1),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args) },
	}
	return cli.WithFlags(c, cmd, cli.NewSection("Flags", o.define, o.JSONFlag.Define),
		cli.NewSection("Reading", o.ReadFlags.Define, o.ThreadFlag.Define))
}

func (o *command) define(f *pflag.FlagSet) {
	f.IntSliceVar(&o.batches, "batches", []int{1, 8, 64, 1024, 65536}, "measure batches of `N,...` rows")
	f.Float64Var(&o.seconds, "seconds", 0.5, "measure each size for `S` seconds")
	f.IntVar(&o.rows, "probe-rows", 20000, "without a table, predict about `N` rows at split points")
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
	return o.ThreadFlag.Check()
}

// measured is what was measured of one size of batches.
type measured struct {
	Batch  int     `json:"batch"`
	Calls  int     `json:"calls"`
	Rate   float64 `json:"rows_per_second"`
	PerRow float64 `json:"ns_per_row"`
	// latencies of a call, in microseconds
	P50 float64 `json:"p50_us"`
	P95 float64 `json:"p95_us"`
	P99 float64 `json:"p99_us"`
}

// report is the output of --json.
type report struct {
	Model   describe.Summary `json:"model"`
	Rows    int              `json:"rows"`
	Threads int              `json:"threads"`
	Batches []measured       `json:"batches"`
}

func (o *command) run(ctx context.Context, args []string) error {
	if err := o.check(); err != nil {
		return err
	}
	m, err := models.Open(args[0], len(args) > 1)
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
	o.Progress.Begin("measuring")
	for _, batch := range o.batches {
		got, err := o.measure(ctx, m, f, batch)
		if err != nil {
			return cli.Located(err, f)
		}
		r.Batches = append(r.Batches, *got)
	}
	o.Progress.End()
	if o.JSONFlag.JSON {
		return o.Console.JSON(r)
	}
	o.print(args[0], m, r)
	return nil
}

// frame returns the rows to predict: of files, or at the split points of the model.
func (o *command) frame(ctx context.Context, m model.Model, files []string) (*data.Frame, error) {
	if len(files) > 0 {
		options, err := o.ReadFlags.Options(o.Console)
		if err != nil {
			return nil, err
		}
		t, err := tables.ReadForModel(ctx, o.Console, m, options, files)
		if err != nil {
			return nil, err
		}
		return t.Frame, nil
	}
	e := m.Describe().Ensemble
	if e == nil {
		return nil, cli.Misusef("this model consists of %s, and has no split points: name a table "+
			"of rows to predict", m.Describe().Title)
	}
	p := parity.Make(e, o.rows)
	return p.Frame(&e.Meta.Schema, 0, p.Rows())
}

// measure predicts batches until the time is over. A batch that is longer than the table repeats
// its rows.
func (o *command) measure(
	ctx context.Context, m model.Model, f *data.Frame, batch int,
) (*measured, error) {
	p, err := m.Bind(&f.Schema, model.Options{Workers: o.Threads})
	if err != nil {
		return nil, err
	}
	predict, err := call(p, f, batch)
	if err != nil {
		return nil, err
	}
	if err := predict(); err != nil { // trees are compiled at the first use
		return nil, err
	}
	var took []time.Duration
	for start := time.Now(); len(took) < 3 ||
		time.Since(start).Seconds() < o.seconds && len(took) < 1<<22; {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		begin := time.Now()
		if err := predict(); err != nil {
			return nil, err
		}
		took = append(took, time.Since(begin))
	}
	total := time.Duration(0)
	for _, d := range took {
		total += d
	}
	slices.Sort(took)
	at := func(q float64) float64 {
		return float64(took[min(int(q*float64(len(took))), len(took)-1)].Nanoseconds()) / 1e3
	}
	rows := float64(batch * len(took))
	return &measured{Batch: batch, Calls: len(took), Rate: rows / total.Seconds(),
		PerRow: float64(total.Nanoseconds()) / rows, P50: at(.5), P95: at(.95), P99: at(.99)}, nil
}

// call returns a function that predicts the next batch.
func call(p model.Predictor, f *data.Frame, batch int) (func() error, error) {
	at, n := 0, f.Rows()
	dst := make([]float64, batch*p.Width())
	if batch > 1 {
		rows := make([]int32, batch)
		return func() error {
			for i := range rows {
				rows[i] = int32(at)
				if at++; at == n {
					at = 0
				}
			}
			return p.Predict(dst, f, rows)
		}, nil
	}
	values := make([][]float64, min(n, 1<<14))
	for i := range values {
		values[i] = make([]float64, len(f.Columns))
		for c := range f.Columns {
			values[i][c] = value(f, i, c)
		}
	}
	return func() error {
		if at++; at >= len(values) {
			at = 0
		}
		return p.PredictRow(dst, values[at])
	}, nil
}

func (o *command) print(path string, m model.Model, r *report) {
	o.Facts(cli.Fact{Name: "model", Text: humanize.Name(path)}, describe.Of(m).SizeFact(),
		cli.Fact{Name: "rows", Text: fmt.Sprint(r.Rows)},
		cli.Fact{Name: "threads", Text: fmt.Sprint(r.Threads)})
	o.Printf("\n")
	g := cli.Grid{Columns: cli.Numbers("batch", "rows/s", "ns/row", "p50 us", "p95 us", "p99 us")}
	for _, b := range r.Batches {
		g.Add(fmt.Sprint(b.Batch), fmt.Sprintf("%.0f", b.Rate), fmt.Sprintf("%.0f", b.PerRow),
			fmt.Sprintf("%.1f", b.P50), fmt.Sprintf("%.1f", b.P95), fmt.Sprintf("%.1f", b.P99))
	}
	g.Print(o.Out)
}

// value returns a value as PredictRow takes it.
func value(f *data.Frame, row, column int) float64 {
	c := &f.Columns[column]
	if f.Schema.Fields[column].Kind != data.Categorical {
		return c.Number(row)
	}
	switch code := c.Code(row); {
	case code == data.MissingCode:
		return math.NaN()
	case int64(code) >= int64(len(f.Schema.Fields[column].Levels)):
		return -1
	default:
		return float64(code)
	}
}
