package cli

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/param"
)

// NamesVar defines a flag whose value is a list of names, which may be given several times. A name
// that holds a comma or a quote stands in quotes: see param.SplitList.
func NamesVar(f *pflag.FlagSet, p *[]string, name, usage string) {
	f.Var(&listValue{names: p, plain: true}, name, usage)
}

// EntriesVar is NamesVar for a list of entries such as COL=VALUE, whose quotes stay for the caller
// to read.
func EntriesVar(f *pflag.FlagSet, p *[]string, name, usage string) {
	f.Var(&listValue{names: p}, name, usage)
}

// listValue is the value of such a flag.
type listValue struct {
	names *[]string
	plain bool // entries are names
	given bool
}

// Set implements pflag.Value. The first call replaces the default.
func (v *listValue) Set(list string) error {
	entries, err := v.read(list)
	if err != nil {
		return err
	}
	if !v.given {
		*v.names = []string{}
	}
	v.given = true
	*v.names = append(*v.names, entries...)
	return nil
}

func (v *listValue) read(list string) ([]string, error) {
	switch {
	case list == "":
		return []string{}, nil
	case v.plain:
		return param.ListNames(list)
	}
	return param.SplitList(list, ',')
}

// String implements pflag.Value.
func (v *listValue) String() string {
	if v.names == nil || len(*v.names) == 0 {
		return "[]"
	}
	entries := slices.Clone(*v.names)
	if v.plain {
		for i, name := range entries {
			entries[i] = param.WriteName(name)
		}
	}
	return "[" + strings.Join(entries, ",") + "]"
}

// Type implements pflag.Value. Help texts and shells know the lists of pflag by it.
func (v *listValue) Type() string { return "stringSlice" }

// Append implements pflag.SliceValue.
func (v *listValue) Append(entry string) error {
	*v.names = append(*v.names, entry)
	return nil
}

// Replace implements pflag.SliceValue.
func (v *listValue) Replace(entries []string) error {
	*v.names = entries
	return nil
}

// GetSlice implements pflag.SliceValue.
func (v *listValue) GetSlice() []string { return *v.names }
