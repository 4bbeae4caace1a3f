package learner

import (
	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/catalog"
)

// offsetFlag names a column that is added to the scores of predictions.
type offsetFlag struct {
	column string
	flags  *pflag.FlagSet
}

func (o *offsetFlag) define(f *pflag.FlagSet) {
	o.flags = f
	f.StringVar(&o.column, "offset", "", "add the numbers in `COL` to the scores, in training and "+
		"prediction, such as log(exposure) with loss=poisson; of two classes to that of the second")
}

// wrap returns a learner, called by a name, with the offset; the learner itself if there is none.
func (o *offsetFlag) wrap(name string, l learn.Learner) (learn.Learner, error) {
	if o.column == "" {
		return l, nil
	}
	for _, flag := range []string{"calibrate", "threshold-for", "costs", "shard", "partition"} {
		if o.flags.Changed(flag) {
			return nil, cli.Misusef("--offset does not go with --%s: leave one of them out", flag)
		}
	}
	with, err := catalog.Offset(name, l, o.column)
	if err != nil {
		return nil, cli.Misusef("--offset: %w", err)
	}
	return with, nil
}
