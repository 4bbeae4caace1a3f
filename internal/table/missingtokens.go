package table

import (
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/option"
	"github.com/coppice-ml/coppice/param"
)

// tokens are texts that mean a missing value in one column.
type tokens struct {
	texts   []string
	numbers []float64 // those of them that are numbers
}

// ownTokens finds the tokens of single columns, and those of columns of numbers or dates, which
// hold where the tokens of all columns are the format's own.
func (p *Plan) ownTokens() {
	o := p.options
	for name, texts := range missingOf(o) {
		own := &tokens{}
		for _, text := range texts {
			text = strings.TrimSpace(text)
			own.texts = append(own.texts, text)
			if v, ok := ParseNumber([]byte(text)); ok {
				own.numbers = append(own.numbers, v)
			}
		}
		if p.own == nil {
			p.own = map[string]*tokens{}
		}
		p.own[name] = own
	}
	if len(p.tokens) > 1 && !otherTokens(o) {
		p.weak = data.MissingNumbers
	}
}

// missingOf returns the tokens of single columns under some options.
func missingOf(o *data.ReadOptions) map[string][]string {
	if o.MissingOf == nil && o.Schema != nil {
		return o.Schema.TokensOf
	}
	return o.MissingOf
}

// otherTokens reports whether the tokens are chosen, and leave some of the default out.
func otherTokens(o *data.ReadOptions) bool {
	if !chosenTokens(o) {
		return false
	}
	tokens := Tokens(o, nil)
	return slices.ContainsFunc(data.DefaultMissing,
		func(token string) bool { return !slices.Contains(tokens, token) })
}

// chosenTokens reports whether the tokens of all columns are others than the format's own.
func chosenTokens(o *data.ReadOptions) bool {
	return o.Missing != nil || o.Schema != nil && o.Schema.Tokens != nil
}

// tokensOf returns the tokens of a column.
func (p *Plan) tokensOf(c *Column) []string {
	if own := p.own[c.Field.Name]; own != nil {
		return slices.Concat(p.tokens, own.texts)
	}
	return p.tokens
}

// noteWeak notes which texts of data.MissingNumbers are categories, as a table of a field for each
// column has them.
func noteWeak(log func(string, ...any), columns []*Column, fields []data.Field) {
	const few = 3
	var first, firstOf string
	var entries []string
	with := 0
	for i, c := range columns {
		if c.plan == nil || c.Position >= 0 || fields[i].Kind != data.Categorical {
			continue
		}
		before := len(entries)
		for _, token := range c.plan.weak {
			if _, is := slices.BinarySearch(fields[i].Levels, token); is {
				if first == "" {
					first, firstOf = token, fields[i].Name
				}
				entries = append(entries, param.WriteName(fields[i].Name)+"="+param.WriteName(token))
			}
		}
		if len(entries) > before {
			with++
		}
	}
	flag := flagWord(strings.Join(entries[:min(few, len(entries))], ","))
	switch {
	case with == 1:
		log(option.Expand("column %q: the text %q is a category ({missing} %s reads it as a missing value)"), firstOf,
			first, flag)
	case with > 1:
		log(option.Expand("the text %q is a category of %q, and so are such texts of %s ({missing} %s reads them as ")+
			"missing values)", first, firstOf,
			humanize.Count(with-1, "further column", "further columns"), flag)
	}
}
