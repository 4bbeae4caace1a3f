package tables

import (
	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/param"

	"github.com/spf13/pflag"
)

// dateFlag names the columns that are dates and their formats.
type dateFlag struct{ dates []string }

func (o *dateFlag) define(f *pflag.FlagSet) {
	cli.EntriesVar(f, &o.dates, "date", "read `COL=FORMAT,...` as dates: ymd, dmy or mdy is "+
		"the order of year, month and day in texts; days, s, ms, us or ns is the unit of numbers "+
		"since 1970")
}

// dateFormats returns the formats by the names of their columns, nil for none.
func (o *dateFlag) dateFormats() (map[string]data.DateFormat, error) {
	var columns map[string]data.DateFormat
	for _, pair := range o.dates {
		entry, format, found := param.CutLastSign(pair, '=')
		name := param.EntryName(entry)
		if !found || name == "" {
			return nil, cli.Misusef("--date %q: want COL=FORMAT, such as day=dmy", pair)
		}
		var f data.DateFormat
		if err := f.UnmarshalText([]byte(format)); err != nil {
			return nil, cli.Misusef("--date %s: %w", pair, err)
		}
		if other, twice := columns[name]; twice && other != f {
			return nil, cli.Misusef("--date: column %q is given the formats %s and %s",
				name, other, f)
		}
		if columns == nil {
			columns = map[string]data.DateFormat{}
		}
		columns[name] = f
	}
	return columns, nil
}
