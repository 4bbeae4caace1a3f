package tables

import (
	"context"
	"slices"

	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/quality"
	"github.com/coppice-ml/coppice/memory"
)

// CheckFlags control the checks of a table before training.
type CheckFlags struct{ quiet bool }

// Define defines --quiet-checks.
func (o *CheckFlags) Define(f *pflag.FlagSet) {
	f.BoolVar(&o.quiet, "quiet-checks", false,
		"do not warn of identifiers, constant columns, repeated rows, leakage and the like")
}

// Quiet reports whether no checks are to run.
func (o *CheckFlags) Quiet() bool { return o.quiet }

// Check runs the checks and prints a line for each warning. Warnings of the checks named in later
// are returned but not printed. test may be nil.
func (o *CheckFlags) Check(
	ctx context.Context, c *cli.Console, ds *data.Dataset, rows, test []int32, workers int,
	later ...string,
) ([]quality.Warning, error) {
	if o.quiet {
		return nil, nil
	}
	found, err := quality.Check(ctx, ds, rows, test, workers)
	o.print(c, found, later)
	return found, err
}

// CheckSample is Check for a table that was read in blocks; sample is nil if --quiet-checks is
// given. training are the rows for training, ascending, and of makes a data set of sampled rows.
func (o *CheckFlags) CheckSample(
	ctx context.Context, c *cli.Console, sample *quality.Sample, training []int32, workers int,
	of func(f *data.Frame, rows []int32) (*data.Dataset, error), later ...string,
) ([]quality.Warning, error) {
	if sample == nil {
		return nil, nil
	}
	found, err := sample.Check(ctx, workers, training, of)
	o.print(c, found, later)
	return found, err
}

// SampleOf returns the features of a table in blocks with a sample for CheckSample, nil if no
// checks are to run. It takes an eighth of the limit of memory at most.
func (o *CheckFlags) SampleOf(
	from data.RowSource, rows []int32, limit memory.Limit,
) *quality.Sample {
	if o.quiet {
		return nil
	}
	return quality.SampleOf(from, rows, limit.Bytes()/8)
}

func (o *CheckFlags) print(c *cli.Console, found []quality.Warning, later []string) {
	for _, w := range found {
		if !slices.Contains(later, w.Check) {
			c.Warn("%s", w)
		}
	}
}
