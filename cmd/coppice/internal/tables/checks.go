package tables

import (
	"context"
	"slices"

	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/quality"
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
	for _, w := range found {
		if !slices.Contains(later, w.Check) {
			c.Warn("%s", w)
		}
	}
	return found, err
}
