package tables

import (
	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
)

// lineFlags name the lines of CSV files that are no rows.
type lineFlags struct {
	skip    int
	comment string
}

func (o *lineFlags) define(f *pflag.FlagSet) {
	f.IntVar(&o.skip, "skip", 0, "CSV: leave out `N` lines above the header, such as a title; models do not store it")
	f.StringVar(&o.comment, "comment", "", "CSV: leave out lines that begin with `CHAR`, such as '#'; models do not store it")
}

func (o *lineFlags) apply(r *Input) error {
	if o.skip < 0 {
		return cli.Misusef("--skip %d: want a number of lines, from 0 on", o.skip)
	}
	r.Skip = o.skip
	switch c := o.comment; {
	case c == "":
	case len(c) != 1 || c[0] <= ' ' || c[0] >= 0x7f || c[0] == '"' || c[0] == r.Comma:
		return cli.Misusef("--comment %q: want one ASCII character that is neither a quote nor the "+
			"separator", c)
	default:
		r.Comment = c[0]
	}
	return nil
}
