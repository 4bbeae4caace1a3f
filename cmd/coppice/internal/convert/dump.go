package convert

import (
	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/xgboost"
)

// dumpFlags are what a dump of XGBoost does not state of its booster.
type dumpFlags struct {
	options xgboost.DumpOptions
	flags   *pflag.FlagSet
}

func (o *dumpFlags) define(f *pflag.FlagSet) {
	o.flags = f
	f.StringVar(&o.options.Objective, "objective", "", "dump of XGBoost: the booster's objective is "+
		"`NAME`, such as binary:logistic")
	f.Float64Var(&o.options.BaseScore, "base-score", 0, "dump of XGBoost: the booster's base_score is "+
		"`X`, which its save_config() shows")
	f.IntVar(&o.options.Scores, "num-class", 0, "dump of XGBoost: it has `N` classes, or targets "+
		"(default: 1 score a row)")
}

// format returns the format of dumps by the flags, nil if there are none.
func (o *dumpFlags) format() (*codec.Format, error) {
	has := o.flags.Changed
	switch {
	case !has("objective") && !has("base-score") && !has("num-class"):
		return nil, nil
	case !has("objective") || !has("base-score"):
		return nil, cli.Misusef("a dump of XGBoost needs --objective and --base-score, both")
	case has("num-class") && o.options.Scores < 1:
		return nil, cli.Misusef("--num-class %d: want 1 or more", o.options.Scores)
	}
	f := xgboost.Dump(o.options)
	return &f, nil
}

// check is an error for flags of dumps that come with a file of another format.
func (o *dumpFlags) check(path string, of, dump *codec.Format) error {
	if dump == nil || of.Name == dump.Name {
		return nil
	}
	return cli.Misusef("--objective and --base-score are for dumps of XGBoost, %s is %s, which states "+
		"both: leave them out", path, of.Name)
}
