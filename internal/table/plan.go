package table

import (
	"fmt"
	"maps"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/spelling"
	"github.com/coppice-ml/coppice/memory"
	"github.com/coppice-ml/coppice/param"
)

// Storage is how the values of a column are stored.
type Storage uint8

// The ways to store values.
const (
	NotStored Storage = iota // the reader skips them
	Numbers                  // a numeric column
	Codes                    // a categorical column
)

// Type is the type that a file gives a column.
type Type uint8

// The types.
const (
	Untyped Type = iota // the values decide
	TypedNumbers
	TypedTexts
	TypedDates
)

// String returns "values", "numbers", "texts" or "dates".
func (t Type) String() string { return [...]string{"values", "numbers", "texts", "dates"}[t] }

// Plan is what a set of options makes of columns by their names.
type Plan struct {
	options *data.ReadOptions
	tokens  []string
	format  spelling.NumberFormat // of columns that have none of their own
	numeric, categorical, ignore,
	also, optional, verbatim map[string]bool
	position map[string]int     // in ReadOptions.Schema
	missing  []float64          // tokens that are numbers
	own      map[string]*tokens // of columns that have some beside those
	weak     []string           // data.MissingNumbers, if the tokens are the reader's own choice
	account  Account
	seen     []bool        // by token: a numeric column holds it
	dicts    []*Dictionary // of the columns

	fault    *data.ReadError // the first one that a column met
	faultRow int
}

// NewPlan returns the plan of options under which the tokens (see ReadOptions.Tokens) mean a
// missing value.
func NewPlan(o *data.ReadOptions, tokens []string) *Plan {
	p := &Plan{options: o, tokens: tokens, numeric: set(o.Numeric), categorical: set(o.Categorical),
		ignore: set(o.Ignore), also: set(o.Also), optional: set(o.Optional),
		verbatim: set(o.Verbatim), position: map[string]int{},
		account: Account{limit: memory.Limit(o.Memory.Bytes())}}
	p.format = spelling.NumberFormat{}.With(o.Thousands, o.Decimal)
	p.seen = make([]bool, len(tokens))
	for _, token := range tokens {
		if v, ok := ParseNumber([]byte(token)); ok {
			p.missing = append(p.missing, v)
		}
	}
	p.ownTokens()
	if o.Schema != nil {
		for i := range o.Schema.Fields {
			f := &o.Schema.Fields[i]
			p.position[f.Name] = i
			if _, known := p.position[f.Source()]; !known {
				p.position[f.Source()] = i
			}
		}
	}
	return p
}

// Account returns the account of the table.
func (p *Plan) Account() *Account { return &p.account }

// Comparing reports whether a number can mean a missing value.
func (p *Plan) Comparing() bool { return len(p.missing)+len(p.own) > 0 }

func (p *Plan) isMissing(text []byte) bool {
	for i, token := range p.tokens {
		if string(text) == token {
			p.seen[i] = true
			return true
		}
	}
	return false
}

// met returns the tokens that the columns hold, without the empty one.
func (p *Plan) met() []string {
	var met []string
	for i, token := range p.tokens {
		if token != "" && !slices.Contains(met, token) &&
			(p.seen[i] ||
				slices.ContainsFunc(p.dicts,
					func(d *Dictionary) bool { return slices.Contains(d.met, token) })) {
			met = append(met, token)
		}
	}
	return met
}

// dictionary returns a new dictionary of a column.
func (p *Plan) dictionary(c *Column) *Dictionary {
	d := newDictionary(p.tokensOf(c)).count(&p.account)
	p.dicts = append(p.dicts, d)
	return d
}

func set(names []string) map[string]bool {
	m := make(map[string]bool, len(names))
	for _, n := range names {
		m[n] = true
	}
	return m
}

// Check returns an error unless the options name only columns that a file has.
func (p *Plan) Check(file string, names []string) error {
	exists := set(names)
	o := p.options
	for _, list := range [][]string{o.Numeric, o.Categorical, slices.Sorted(maps.Keys(o.Dates)),
		slices.Sorted(maps.Keys(o.Texts)), slices.Sorted(maps.Keys(o.MissingOf)), o.Ignore, o.Also,
		o.Verbatim} {
		for _, n := range list {
			if !exists[n] && !p.optional[n] {
				return unknownColumn(file, n, names)
			}
		}
	}
	return nil
}

func unknownColumn(file, name string, names []string) error {
	return &data.ReadError{File: file, Msg: fmt.Sprintf("there is no column %q%s", name,
		param.Meant("; ", name, names)), Err: data.ErrOption}
}

// Column returns the column of a name, without values.
func (p *Plan) Column(name string, typed Type) Column {
	c := Column{Field: data.Field{Name: name}, Type: typed, Position: -1, Bits: 64,
		Texts: TextRules{plan: p, own: p.own[name]}, plan: p}
	p.account.charge(columnBytes + int64(len(name)))
	if at, ok := p.position[name]; ok && !p.ignore[name] {
		c.Position = at
		p.like(&c, &p.options.Schema.Fields[at])
	} else if !p.ignore[name] && p.beside(name) {
		p.choose(&c, p.numeric[name], p.categorical[name] || p.options.AllCategorical)
	}
	if p.verbatim[name] {
		c.Kept.Dict = newDictionary(nil).count(&p.account)
	}
	return c
}

// like makes a column that of a model's field. The source of a part of dates is a column of dates,
// that of counts of n-grams a column of texts.
func (p *Plan) like(c *Column, field *data.Field) {
	switch name := c.Field.Name; {
	case name != field.Name:
		c.Field.Missing = field.Missing
		if field.Text != nil {
			p.readTexts(c, field.Text.Format)
		} else {
			p.readDates(c, field.From.Format)
		}
	case field.Kind == data.Date:
		c.Field = *field
		format, _ := field.DateFormat() // schemas are validated
		p.readDates(c, format)
	case field.Kind == data.Text:
		format, _ := field.TextFormat() // schemas are validated
		p.readTexts(c, format)
	case field.Kind == data.Categorical && p.options.NewLevels:
		c.Field.Missing, c.Field.Unseen = field.Missing, field.Unseen
		c.Storage, c.Dict = Codes, p.dictionary(c)
	case field.Kind == data.Categorical:
		c.Field, c.Storage, c.Dict = *field, Codes, closedDictionary(p.tokensOf(c), field)
	default:
		c.Field, c.Storage, c.Texts.truths, c.Texts.weak = *field, Numbers, true, true
		p.setFormat(c, field.Format)
	}
}

// used reports whether the column of a name is needed.
func (p *Plan) used(name string) bool {
	_, model := p.position[name]
	return p.verbatim[name] || !p.ignore[name] && (model || p.beside(name))
}

// beside reports whether a column is needed that is none of the schema's.
func (p *Plan) beside(name string) bool {
	return p.options.Schema == nil || p.also[name] || p.optional[name]
}

// choose gives a column the kind that it is forced to have, that its type has, or that its values
// will decide on.
func (p *Plan) choose(c *Column, numeric, categorical bool) {
	number, given := p.options.Formats[c.Field.Name]
	format, date := p.options.Dates[c.Field.Name]
	text, isText := p.options.Texts[c.Field.Name]
	switch {
	case isText:
		p.readTexts(c, text)
	case date, c.Type == TypedDates && !numeric && !categorical:
		p.readDates(c, format)
	case numeric && given:
		c.Storage, c.Texts.weak = Numbers, true
		p.setFormat(c, number)
	case numeric:
		c.Storage, c.Texts.insisted, c.Texts.format = Numbers, true, p.format
		c.Texts.weak = true
	case categorical || c.Type == TypedTexts:
		c.Storage, c.Dict, c.Texts.declared = Codes, p.dictionary(c), !categorical
	default:
		c.Storage, c.Texts.inferred, c.Texts.format = Numbers, c.Type == Untyped, p.format
	}
}

// setFormat makes the texts of a numeric column numbers of a format, but for the marks that the
// options give.
func (p *Plan) setFormat(c *Column, code string) {
	// schemas are validated, and what is no format is that of plain numbers
	f, _ := spelling.ParseNumberFormat(code)
	c.Texts.format = f.With(p.options.Thousands, p.options.Decimal)
	c.Field.Format = c.Texts.format.Code()
}
