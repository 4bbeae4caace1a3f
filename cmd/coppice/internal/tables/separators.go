package tables

import (
	"strings"

	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/internal/humanize"
)

// markFlags name the decimal and thousands separators of numbers in texts.
type markFlags struct{ decimal, thousands string }

func (o *markFlags) define(f *pflag.FlagSet) {
	f.StringVar(&o.decimal, "decimal", "", "`CHAR` is the decimal separator of numbers in texts: "+
		"a point or a comma (default: inferred from each column, else a point)")
	f.StringVar(&o.thousands, "thousands", "",
		"`CHAR` is the thousands separator of numbers in texts: a comma, a point, an apostrophe "+
			"or space (default: inferred from each column)")
}

func (o *markFlags) apply(r *Input) (err error) {
	if r.Decimal, err = mark("decimal", o.decimal, ".,"); err != nil {
		return err
	}
	thousands := o.thousands
	if thousands == "space" {
		thousands = " "
	}
	if r.Thousands, err = mark("thousands", thousands, ",.' "); err != nil {
		return err
	}
	if r.Decimal != 0 && r.Decimal == r.Thousands {
		return cli.Misusef("--decimal and --thousands are both %q: want two characters", o.decimal)
	}
	return nil
}

// mark returns the character that a flag sets, 0 if the text is empty. Characters that are not
// admitted are a misuse.
func mark(flag, text, admitted string) (rune, error) {
	if text == "" {
		return 0, nil
	}
	if len(text) == 1 && strings.Contains(admitted, text) {
		return rune(text[0]), nil
	}
	names := map[rune]string{'.': "a point", ',': "a comma", '\'': "an apostrophe", ' ': "space"}
	var words []string
	for _, r := range admitted {
		words = append(words, names[r])
	}
	return 0, cli.Misusef("--%s %q: want %s", flag, text, humanize.Or(words))
}
