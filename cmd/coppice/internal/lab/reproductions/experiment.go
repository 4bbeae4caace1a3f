package reproductions

import (
	"context"
	"fmt"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/param"
)

// Experiment shows on the reader's own table what a reproduction, or a page, shows on another one.
type Experiment struct {
	Name, Title string
	run         func(ctx context.Context, env *Env, ds *data.Dataset, seed uint64) *Result
}

// Run runs the experiment on a table.
func (e *Experiment) Run(
	ctx context.Context, env *Env, ds *data.Dataset, seed uint64,
) (found *Result, err error) {
	defer failed(&err)
	return e.run(ctx, env, ds, seed), nil
}

// Experiments are those of the command.
func Experiments() []Experiment {
	return []Experiment{
		{"bias-variance", "Bias, noise and variance of trees and ensembles", biasVarianceOn},
		{"instability", "Two trees of two halves of the rows", instabilityOn},
		{"mtry", "Error of a forest against the columns that a node tries", mtryOn},
		{"overfit", "Errors of trees against their depth", overfitOn},
	}
}

// ExperimentNamed returns the experiment of a name. The error of an unknown one lists all.
func ExperimentNamed(name string) (*Experiment, error) {
	var names []string
	for _, e := range Experiments() {
		if e.Name == name {
			return &e, nil
		}
		names = append(names, e.Name)
	}
	near := ""
	if n := param.Nearest(name, names); n != "" {
		near = fmt.Sprintf("did you mean %q? ", n)
	}
	return nil, fmt.Errorf("no lab %q for a table of one's own: %sthere are %s", name, near,
		strings.Join(names, ", "))
}

const (
	experimentRows   = 4000 // most that a model is trained on
	experimentSplits = 5
	experimentTest   = 1.0 / 3
)

// CheckExperiment reports why an experiment cannot use a table: its label must be classes or
// numbers, and both sets need rows.
func CheckExperiment(ds *data.Dataset) error {
	t := &ds.Target
	if !t.Task.Classes() && t.Task != data.Regression {
		return fmt.Errorf("the label %s is for %s: experiments take classes or numbers", t.Name,
			t.Task)
	}
	if ds.Rows() < 20 {
		return fmt.Errorf("%d rows: experiments take 20 at least", ds.Rows())
	}
	return nil
}

// miss is what a model is judged by: the error rate, or the mean squared error.
func miss(m model.Model, ds *data.Dataset, rows []int32, trees int) float64 {
	if ds.Target.Task.Classes() {
		return errorRate(m, ds, rows, trees)
	}
	predicted := must(predict(m, ds, rows, trees))
	sum := 0.0
	for i, r := range rows {
		d := predicted[i] - ds.Target.Y[0][r]
		sum += float64(d * d)
	}
	return sum / float64(len(rows))
}

// missed names what miss returns.
func missed(ds *data.Dataset) string {
	if ds.Target.Task.Classes() {
		return "error rate"
	}
	return "mean squared error"
}

// four and two are numbers that are printed with as many digits, and no exponent.
type (
	four float64
	two  float64
)

func (x four) String() string { return humanize.Number(float64(x), 4) }
func (x two) String() string  { return humanize.Number(float64(x), 2) }

// experimentText says how an experiment divides the rows.
func experimentText(ds *data.Dataset, repeated string) string {
	return fmt.Sprintf("Means over %d random splits of %d rows: a third for the test, at most %d of "+
		"the others for training. %s", experimentSplits, ds.Rows(), experimentRows, repeated)
}
