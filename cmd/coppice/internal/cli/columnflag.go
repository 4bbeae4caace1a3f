package cli

import (
	"strings"

	"github.com/spf13/pflag"
)

// once is the value of a flag that names columns, all in one text. Set a second time, it would hide
// a column that was named.
type once struct {
	pflag.Value
	flag string
	list bool // the text names several
	set  bool
}

// setOnce makes a flag that names columns, and does not collect what it is set to, an error where
// it is set twice. Such flags show COL in the place of their value.
func setOnce(f *pflag.Flag) {
	value, _ := pflag.UnquoteUsage(f)
	if f.Value.Type() == "string" && strings.HasPrefix(value, "COL") {
		f.Value = &once{Value: f.Value, flag: f.Name, list: value != "COL"}
	}
}

// Set implements pflag.Value.
func (o *once) Set(text string) error {
	switch {
	case o.set && o.list:
		return Misusef("--%s is set twice, to %q and %q: list all columns behind one of them", o.flag,
			o.String(), text)
	case o.set:
		return Misusef("--%s is set twice, to %q and %q: it names one column", o.flag, o.String(), text)
	}
	o.set = true
	return o.Value.Set(text)
}
