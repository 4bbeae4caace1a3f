// Package diff is the command diff: it compares the predictions, metrics and importances of two
// models on a table.
package diff

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/models"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/tables"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/model"
)

// command is the command diff with its flags.
type command struct {
	*cli.Console
	cli.JSONFlag
	cli.ThreadFlag
	tables.ReadFlags
	tables.LabelFlags
	raw       bool
	tolerance float64
	flags     *pflag.FlagSet
}

// New makes the command.
func New(c *cli.Console) *cobra.Command {
	o := &command{Console: c}
	cmd := &cobra.Command{
		Use:   "diff A B DATA...",
		Short: "Compare two models on a table: predictions, metrics, importances",
		Long: `Predict the rows of a table with two models, and compare their responses: the
probabilities of classes, or numbers. Models may be of any format. They must predict the same
classes, or as many numbers. With --tolerance the exit status is 1 if a response differs by more.

If the table has the label of the first model, or that of --label, metrics are compared too. Their
intervals are of a paired bootstrap: both models are evaluated on the same resampled rows. p is how
probable so large a difference is if there is none.

Where the models differ, a small tree is trained on the absolute difference, and its leaves are
listed. Importances by gain stand side by side if both models are of trees.`,
		Example: `  coppice diff xgboost.json imported.coppice test.csv
  coppice diff old.coppice new.coppice test.csv --tolerance 1e-6`,
		Args: cli.Operands(3, -1),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args) },
	}
	return cli.WithFlags(c, cmd, cli.NewSection("Flags", o.define, o.JSONFlag.Define),
		cli.NewSection("Reading", o.ReadFlags.Define, o.ThreadFlag.Define))
}

func (o *command) define(f *pflag.FlagSet) {
	o.flags = f
	f.BoolVar(&o.raw, "raw", false, "compare the scores before the link function")
	o.DefineLabel(f, "column `COL` is the label (default: that of model A, if the table has it)")
	f.StringArrayVar(&o.Rename, "map", nil, "rename a value of the label, `OLD=NEW`; may be repeated")
	f.Float64Var(&o.tolerance, "tolerance", 0, "fail if a response differs by more than `X`")
}

// report is what two models differ in.
type report struct {
	Rows      int     `json:"rows"`
	Different int     `json:"different"` // rows with a response that differs at all
	Largest   float64 `json:"largest"`   // difference of a response
	Mean      float64 `json:"mean"`      // absolute difference over all responses
	Row       int     `json:"row"`       // with the largest difference, from 1; 0 = there is none
	Labels    *int    `json:"labels,omitempty"`
	place     string  // of that row

	Metrics     []eval.Difference `json:"metrics,omitempty"`
	Slices      []slice           `json:"slices,omitempty"`
	Importances []importance      `json:"importances,omitempty"`
}

func (o *command) run(ctx context.Context, args []string) error {
	if o.flags.Changed("tolerance") && !(o.tolerance >= 0) {
		return cli.Misusef("--tolerance %v: want 0 or more", o.tolerance)
	}
	if err := o.ThreadFlag.Check(); err != nil {
		return err
	}
	a, err := models.Open(args[0], true)
	if err != nil {
		return err
	}
	b, err := models.Open(args[1], true)
	if err != nil {
		return err
	}
	if err := alike(args, a, b); err != nil {
		return err
	}
	var responses, labels [2][]float64
	var frame, first *data.Frame
	var columns []string
	for i, m := range []model.Model{a, b} {
		// each by its own schema: a column may be a number for one and a category for the other
		options, err := o.ReadFlags.Options(o.Console)
		if err != nil {
			return err
		}
		t, err := tables.ReadForModel(ctx, o.Console, m, options, args[2:])
		if err != nil {
			return err
		}
		if frame = t.Frame; i == 0 {
			first, columns = frame, t.Columns
		}
		if responses[i], labels[i], err = o.predict(m, frame); err != nil {
			return err
		}
	}
	if len(responses[0]) != len(responses[1]) {
		return errors.New("the models read different numbers of rows")
	}
	r := compare(responses, labels, frame, a.Spec().Labels())
	both := [2]model.Model{a, b}
	if r.Metrics, err = o.metrics(ctx, both, columns, args[2:]); err != nil {
		return err
	}
	if r.Different > 0 {
		if r.Slices, err = whereDifferent(ctx, a, first, responses, o.Threads); err != nil {
			return err
		}
	}
	r.Importances = importances(both)
	return o.print(args, r)
}

// alike returns an error if the responses of two models cannot be compared.
func alike(args []string, a, b model.Model) error {
	classes := func(m model.Model) []string {
		if m.Spec().Labels() {
			return m.Spec().Classes
		}
		return nil
	}
	switch ca, cb := classes(a), classes(b); {
	case a.Outputs() != b.Outputs():
		return fmt.Errorf("%s has %s and %s has %d: their predictions cannot be compared", args[0],
			humanize.Count(a.Outputs(), "output", "outputs"), args[1], b.Outputs())
	case (ca == nil) != (cb == nil):
		return fmt.Errorf("one of %s and %s predicts classes and the other numbers", args[0], args[1])
	case !slices.Equal(ca, cb):
		return fmt.Errorf("%s predicts the classes %q, %s the classes %q", args[0], ca, args[1], cb)
	}
	return nil
}

// predict returns the responses and the labels of all rows.
func (o *command) predict(m model.Model, f *data.Frame) (values, labels []float64, err error) {
	output := model.Response
	if o.raw {
		output = model.Raw
	}
	for i, what := range []model.Output{output, model.Label} {
		p, err := m.Bind(&f.Schema, model.Options{Output: what, Workers: o.Threads})
		if err != nil {
			return nil, nil, err
		}
		dst := make([]float64, f.Rows()*p.Width())
		if err := p.Predict(dst, f, nil); err != nil {
			return nil, nil, cli.Located(err, f)
		}
		if i == 0 {
			values = dst
		} else {
			labels = dst
		}
	}
	return values, labels, nil
}

// compare compares responses and labels.
func compare(values, labels [2][]float64, f *data.Frame, classes bool) *report {
	r := &report{Rows: f.Rows()}
	if r.Rows == 0 {
		return r
	}
	width, sum := len(values[0])/r.Rows, 0.0
	for i := range r.Rows {
		different := false
		for k := i * width; k < (i+1)*width; k++ {
			x, y := values[0][k], values[1][k]
			if x == y || math.IsNaN(x) && math.IsNaN(y) {
				continue
			}
			different = true
			d := math.Abs(x - y)
			if math.IsNaN(d) {
				d = math.MaxFloat64
			}
			if sum += d; d > r.Largest {
				r.Largest, r.Row, r.place = d, i+1, f.Locate(i)
			}
		}
		if different {
			r.Different++
		}
	}
	r.Mean = min(sum/float64(len(values[0])), math.MaxFloat64)
	if classes {
		n := 0
		for i := range labels[0] {
			if labels[0][i] != labels[1][i] {
				n++
			}
		}
		r.Labels = &n
	}
	return r
}

func (o *command) print(args []string, r *report) error {
	if o.JSONFlag.JSON {
		if err := o.Console.JSON(r); err != nil {
			return err
		}
	} else {
		largest := fmt.Sprintf("%.6g", r.Largest)
		if r.Row > 0 {
			largest += ", at " + r.place
		}
		o.Facts(cli.Fact{Name: "models", Text: cli.PathList(args[:2])},
			cli.Fact{Name: "rows", Text: fmt.Sprint(r.Rows)},
			cli.Fact{Name: "different", Text: humanize.Count(r.Different, "row", "rows")})
		if r.Labels != nil {
			o.Facts(cli.Fact{Name: "labels", Text: fmt.Sprintf("%d differ", *r.Labels)})
		}
		o.Facts(cli.Fact{Name: "largest", Text: largest},
			cli.Fact{Name: "mean", Text: fmt.Sprintf("%.6g", r.Mean)})
		printMetrics(o.Console, r.Metrics)
		printSlices(o.Console, r.Slices)
		printImportances(o.Console, r.Importances)
	}
	if o.flags.Changed("tolerance") && r.Largest > o.tolerance {
		return fmt.Errorf("the largest difference, %.6g, is above the tolerance, %g", r.Largest,
			o.tolerance)
	}
	return nil
}
