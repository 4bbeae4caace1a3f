// Package diff is the command diff: it compares the predictions of two models on a table.
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
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/model"
)

// command is the command diff with its flags.
type command struct {
	*cli.Console
	cli.JSONFlag
	cli.ThreadFlag
	tables.ReadFlags
	raw       bool
	tolerance float64
	flags     *pflag.FlagSet
}

// New makes the command.
func New(c *cli.Console) *cobra.Command {
	o := &command{Console: c}
	cmd := &cobra.Command{
		Use:   "diff A B DATA...",
		Short: "Compare the predictions of two models on a table",
		Long: `Predict the rows of a table with two models, and compare their responses: the
probabilities of classes, or numbers. Models may be of any format. They must predict the same classes,
or as many numbers. With --tolerance the exit status is 1 if a response differs by more.`,
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
	var frame *data.Frame
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
		frame = t.Frame
		if responses[i], labels[i], err = o.predict(m, frame); err != nil {
			return err
		}
	}
	if len(responses[0]) != len(responses[1]) {
		return errors.New("the models read different numbers of rows")
	}
	return o.print(args, compare(responses, labels, frame, a.Spec().Labels()))
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
	}
	if o.flags.Changed("tolerance") && r.Largest > o.tolerance {
		return fmt.Errorf("the largest difference, %.6g, is above the tolerance, %g", r.Largest,
			o.tolerance)
	}
	return nil
}
