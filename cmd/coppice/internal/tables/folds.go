package tables

import (
	"slices"

	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/internal/humanize"
)

// FoldFlags choose how rows are assigned to folds.
type FoldFlags struct {
	Folds int
	plan  string
	kinds []string // that --plan takes
	flags *pflag.FlagSet
}

// Define defines --folds with a default, and --plan, which takes some kinds beside those that all
// commands have.
func (o *FoldFlags) Define(f *pflag.FlagSet, folds int, more ...split.Kind) {
	o.flags, o.kinds = f, nil
	for _, k := range append([]split.Kind{split.Random, split.Stratified, split.Grouped,
		split.ByTime}, more...) {
		o.kinds = append(o.kinds, k.String())
	}
	f.IntVar(&o.Folds, "folds", folds, "assign the rows to `K` folds")
	f.StringVar(&o.plan, "plan", "", "split the rows by `KIND`: "+humanize.Or(o.kinds)+
		" (default: by --group or --time where given, else by classes)")
}

// Plan returns the plan of the folds, or a misuse.
func (o *FoldFlags) Plan(seed uint64) (*split.Plan, error) {
	plan := &split.Plan{K: o.Folds, Seed: seed}
	if o.plan != "" {
		err := plan.Kind.UnmarshalText([]byte(o.plan))
		if err != nil || !slices.Contains(o.kinds, o.plan) {
			return nil, cli.Misusef("--plan %q: %s", o.plan, cli.Instead(o.plan, o.kinds))
		}
	}
	switch {
	case o.Folds < 2:
		return nil, cli.Misusef("--folds %d: want 2 or more", o.Folds)
	case plan.Kind == split.LeaveOneOut && o.flags.Changed("folds"):
		return nil, cli.Misusef(
			"--folds does not go with --plan leave-one-out, which has a fold for each row or group")
	}
	return plan, nil
}
