package tables

import (
	"strings"

	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
)

// textFlags name the columns that are texts, and how these become numbers.
type textFlags struct{ texts, settings []string }

func (o *textFlags) define(f *pflag.FlagSet) {
	cli.NamesVar(f, &o.texts, "text",
		"read `COL,...` as texts: features count their words and n-grams")
	var t data.TextFormat
	f.StringSliceVar(&o.settings, "text-set", nil, "set how --text counts, `KEY=VALUE,...` of "+
		strings.Join(t.Params().Names(), ", "))
}

// formats returns the formats by the names of their columns, nil for none.
func (o *textFlags) formats() (map[string]data.TextFormat, error) {
	if len(o.texts) == 0 {
		if len(o.settings) > 0 {
			return nil, cli.Misusef("--text-set goes with --text: add it")
		}
		return nil, nil
	}
	format, err := data.NewTextFormat(o.settings...)
	if err != nil {
		return nil, cli.Misusef("--text-set: %w", err)
	}
	columns := map[string]data.TextFormat{}
	for _, name := range o.texts {
		columns[name] = format
	}
	return columns, nil
}

// fitTexts returns the problem with the columns of texts that training rows choose and name.
func (p *Problem) fitTexts(c *cli.Console, rows []int32) *Problem {
	own := *p.Dataset
	own.Frame = p.FitTexts(rows, nil)
	if fewer := len(p.Columns) - len(own.Columns); fewer > 0 {
		c.Note("left out %s of n-grams that too few training rows have",
			humanize.Count(fewer, "column", "columns"))
	}
	return &Problem{Dataset: own.NameTexts(rows, p.Table), Table: p.Table}
}
