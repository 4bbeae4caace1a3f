package paramfile

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
)

// setFlag sets a flag to a value of a file. A list is what a flag of several names takes, and a
// table is the same as a list of KEY=VALUE.
func setFlag(f *pflag.Flag, e entry) error {
	values, err := texts(e.node)
	if err != nil {
		return fmt.Errorf("%s: %w", e.key, err)
	}
	if several, ok := f.Value.(pflag.SliceValue); ok {
		f.Changed = true
		if e.kind == scalar && f.Value.Type() == "stringSlice" {
			return named(f, e.key, e.text, f.Value.Set(e.text))
		}
		return several.Replace(values)
	}
	if e.kind != scalar {
		if !lists(f) {
			return fmt.Errorf("%s: want one value, and here are several", e.key)
		}
		return named(f, e.key, strings.Join(values, ","), f.Value.Set(strings.Join(values, ",")))
	}
	f.Changed = true
	return named(f, e.key, e.text, f.Value.Set(e.text))
}

// lists reports whether a flag takes a list of columns in one text.
func lists(f *pflag.Flag) bool {
	value, _ := pflag.UnquoteUsage(f)
	return strings.Contains(value, ",...")
}

// named is the error of a flag's value, nil if there is none.
func named(f *pflag.Flag, key, text string, err error) error {
	switch {
	case err == nil:
		f.Changed = true
		return nil
	case cli.IsMisuse(err):
		return err // it names the flag
	}
	return fmt.Errorf("%s %q: want %s", key, text, cli.Accepted(f, err))
}

// texts returns the texts of a value: one, those of a list, or KEY=VALUE of a table.
func texts(n node) ([]string, error) {
	switch n.kind {
	case scalar:
		return []string{n.text}, nil
	case null:
		return nil, errors.New("it has no value")
	}
	var all []string
	for _, item := range n.items {
		if item.kind != scalar {
			return nil, errors.New("want a list of texts")
		}
		all = append(all, item.text)
	}
	for _, e := range n.table {
		if e.kind != scalar {
			return nil, fmt.Errorf("want one value for %q", e.key)
		}
		all = append(all, e.key+"="+e.text)
	}
	return all, nil
}

// flat returns a value as the text of a parameter: the items of a list have commas between them,
// and those of a list in it have +, as in sets of columns.
func flat(n node) (string, error) {
	switch n.kind {
	case scalar:
		return n.text, nil
	case null:
		return "", errors.New("it has no value: leave it out or give it one")
	}
	var items []string
	for _, item := range n.items {
		inner, err := texts(item)
		if err != nil {
			return "", err
		}
		items = append(items, strings.Join(inner, "+"))
	}
	return strings.Join(items, ","), nil
}
