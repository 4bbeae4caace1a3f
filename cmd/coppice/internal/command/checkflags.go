package command

import (
	"context"

	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/quality"
)

// checkFlags control the checks of a table before a learner sees it.
type checkFlags struct{ quiet bool }

func (o *checkFlags) define(f *pflag.FlagSet) {
	f.BoolVar(&o.quiet, "quiet-checks", false, "do not warn of identifiers, constant columns, repeated rows, leakage and the like")
}

// check runs the checks and prints a line for each warning. test may be nil.
func (o *checkFlags) check(ctx context.Context, c *console, ds *data.Dataset, rows, test []int32, workers int) ([]quality.Warning, error) {
	if o.quiet {
		return nil, nil
	}
	found, err := quality.Check(ctx, ds, rows, test, workers)
	for _, w := range found {
		c.warn("%s", w)
	}
	return found, err
}
