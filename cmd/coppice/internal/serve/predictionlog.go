package serve

import (
	"slices"
	"strconv"

	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/serve"
)

// logFlags request a log of predictions.
type logFlags struct {
	serve.LogOptions
	inputs []string
	flags  *pflag.FlagSet
}

func (o *logFlags) define(f *pflag.FlagSet) {
	o.flags = f
	f.StringVar(&o.Folder, "log", "", "write the rows that are predicted to `FOLDER` as JSON lines, "+
		"a file for each hour")
	f.Float64Var(&o.Fraction, "log-share", 1, "log a random fraction `F` of the rows")
	cli.NamesVar(f, &o.inputs, "log-inputs",
		"log the values of the columns `COL,...` alone (default all; none: no values)")
	cli.NamesVar(f, &o.Redact, "redact", "never log the values of the columns `COL,...`")
}

// check finds misuse.
func (o *logFlags) check() error {
	for _, name := range []string{"log-share", "log-inputs", "redact"} {
		if o.Folder == "" && o.flags.Changed(name) {
			return cli.Misusef("--%s goes with --log: add it", name)
		}
	}
	switch {
	case o.Folder == "" && o.flags.Changed("log"):
		return cli.Misusef("--log is empty: name a folder")
	case !(o.Fraction > 0 && o.Fraction <= 1):
		return cli.Misusef("--log-share %v: want a fraction above 0, up to 1", o.Fraction)
	}
	o.Inputs = o.inputs
	if slices.Equal(o.inputs, []string{"none"}) {
		o.Inputs = []string{}
	}
	return nil
}

// open begins the log of a set of models; nil: none is requested. A column that no model has is a
// misuse, since a wrong name would log what is not to be logged.
func (o *logFlags) open(c *command, set *serve.Models) (*serve.PredictionLog, error) {
	if o.Folder == "" {
		return nil, nil
	}
	var columns []string
	for _, m := range set.All() {
		for i := range m.Schema().Fields {
			columns = append(columns, m.Schema().Fields[i].Source())
		}
	}
	for i, names := range [][]string{o.Inputs, o.Redact} {
		for _, name := range names {
			if !slices.Contains(columns, name) {
				return nil, cli.Misusef("--%s %s: no model has such a column; %s",
					[]string{"log-inputs", "redact"}[i], name,
					cli.Instead(name, columns))
			}
		}
	}
	o.Failed = func(err error) {
		c.say(func() { c.Warn("--log: %v: predictions are not logged", err) })
	}
	l, err := serve.NewPredictionLog(o.LogOptions)
	if err != nil {
		return nil, cli.Misusef("--log %s: %w", humanize.Name(o.Folder), err)
	}
	return l, nil
}

// close ends a log, and reports what is lost.
func (c *command) closeLog(l *serve.PredictionLog) {
	if l == nil {
		return
	}
	if l.Close(); l.Lost() > 0 {
		c.say(func() {
			c.Warn("%s predictions were not logged: the disk was too slow or full",
				strconv.FormatInt(l.Lost(), 10))
		})
	}
}
