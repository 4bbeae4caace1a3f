package tables

import (
	"maps"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/param"
)

// missingFlags name the texts that mean a missing value.
type missingFlags struct{ missing []string }

func (o *missingFlags) define(f *pflag.FlagSet) {
	cli.EntriesVar(f, &o.missing, "missing",
		"read `TOKEN,...` as missing values, beside the empty field, and COL=TOKEN in one column "+
			"(default in CSV and LibSVM: "+strings.Join(data.DefaultMissing[1:], ", ")+
			"; in numbers and dates also "+strings.Join(data.MissingNumbers[:4], ", ")+
			" and the like); a + in front adds to the default")
}

// tokens returns the tokens of all columns, nil if none is given, and those of single columns. A +
// before the first one adds the tokens to the default.
func (o *missingFlags) tokens() (all []string, of map[string][]string, err error) {
	for i, entry := range o.missing {
		if i == 0 && len(entry) > 1 && entry[0] == '+' {
			all, entry = slices.Clone(data.DefaultMissing[1:]), entry[1:]
		}
		column, token, single := param.CutSign(entry, '=')
		if !single {
			all = append(all, param.EntryName(entry))
			continue
		}
		name := param.EntryName(column)
		if name == "" {
			return nil, nil, cli.Misusef("--missing %s: want TOKEN, or COL=TOKEN such as age=-999 (a "+
				"token that holds = in double quotes)", entry)
		}
		if of == nil {
			of = map[string][]string{}
		}
		of[name] = append(of[name], param.EntryName(token))
	}
	if all == nil && of == nil && o.missing != nil {
		all = []string{}
	}
	return all, of, nil
}

// repeat sets the flag to the tokens that a model stores.
func (o *missingFlags) repeat(s *data.Schema) {
	if s.Tokens == nil && s.TokensOf == nil {
		return
	}
	o.missing = []string{}
	for _, token := range s.Tokens {
		o.missing = append(o.missing, param.WriteName(token))
	}
	for _, name := range slices.Sorted(maps.Keys(s.TokensOf)) {
		for _, token := range s.TokensOf[name] {
			o.missing = append(o.missing, param.WriteName(name)+"="+param.WriteName(token))
		}
	}
}

// StoreTokens stores the tokens of --missing in the schema of a model, which reads them as missing
// values too.
func (o *missingFlags) StoreTokens(s *data.Schema) {
	if all, of, err := o.tokens(); err == nil {
		if all != nil {
			s.Tokens = all
		}
		if of != nil {
			s.TokensOf = of
		}
	}
}
