package table

import (
	"fmt"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/param"
)

// Want says what becomes of a column's values.
type Want uint8

// The ends of values.
const (
	Nothing Want = iota // they are skipped
	Numbers             // a numeric column
	Codes               // a categorical column
)

// Type is what a file says of a column.
type Type uint8

// The types.
const (
	Untyped Type = iota // the values decide
	TypedNumbers
	TypedTexts
)

// String returns "values", "numbers" or "texts".
func (t Type) String() string { return [...]string{"values", "numbers", "texts"}[t] }

// Plan is what a set of options makes of columns by their names.
type Plan struct {
	options *Options
	tokens  []string
	numeric, categorical, ignore,
	also, verbatim map[string]bool
	position map[string]int // in Options.Schema
	missing  []float64      // tokens that are numbers

	fault    *Error // the first one that a column met
	faultRow int
}

// NewPlan returns the plan of options under which the tokens (see Options.Tokens) mean a missing value.
func NewPlan(o *Options, tokens []string) *Plan {
	p := &Plan{options: o, tokens: tokens, numeric: set(o.Numeric), categorical: set(o.Categorical), ignore: set(o.Ignore),
		also: set(o.Also), verbatim: set(o.Verbatim), position: map[string]int{}}
	for _, token := range tokens {
		if v, ok := ParseNumber([]byte(token)); ok {
			p.missing = append(p.missing, v)
		}
	}
	if o.Schema != nil {
		for i := range o.Schema.Fields {
			p.position[o.Schema.Fields[i].Name] = i
		}
	}
	return p
}

// Comparing reports whether a number can mean a missing value.
func (p *Plan) Comparing() bool { return len(p.missing) > 0 }

func (p *Plan) isMissing(text []byte) bool {
	for _, token := range p.tokens {
		if string(text) == token {
			return true
		}
	}
	return false
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
	for _, list := range [][]string{o.Numeric, o.Categorical, o.Ignore, o.Also, o.Verbatim} {
		for _, n := range list {
			if !exists[n] {
				return unknownColumn(file, n, names)
			}
		}
	}
	return nil
}

func unknownColumn(file, name string, names []string) error {
	e := &Error{File: file, Msg: fmt.Sprintf("there is no column %q", name), Err: ErrOption}
	if near := param.Nearest(name, names); near != "" {
		e.Msg += fmt.Sprintf("; did you mean %q?", near)
	}
	return e
}

// Column returns the column of a name, without values.
func (p *Plan) Column(name string, typed Type) Column {
	c := Column{Field: data.Field{Name: name}, Type: typed, Position: -1, Bits: 64, plan: p}
	if at, ok := p.position[name]; ok && !p.ignore[name] {
		c.Position, c.Field, c.Want = at, p.options.Schema.Fields[at], Numbers
		if c.Field.Kind == data.Categorical {
			c.Want, c.Dict = Codes, ClosedDictionary(p.tokens, c.Field.Levels)
		}
	} else if !p.ignore[name] && (p.options.Schema == nil || p.also[name]) {
		c.choose(p.numeric[name], p.categorical[name] || p.options.AllCategorical)
	}
	if p.verbatim[name] {
		c.KeptDict = NewDictionary(nil)
	}
	return c
}

// used reports whether anybody wants the column of a name.
func (p *Plan) used(name string) bool {
	_, model := p.position[name]
	return p.verbatim[name] || !p.ignore[name] && (model || p.options.Schema == nil || p.also[name])
}

// choose gives a column the kind that it is forced to have, that its type has, or that its values will decide on.
func (c *Column) choose(numeric, categorical bool) {
	switch {
	case numeric:
		c.Want = Numbers
	case categorical || c.Type == TypedTexts:
		c.Want, c.Dict = Codes, NewDictionary(c.plan.tokens)
	default:
		c.Want, c.Inferred = Numbers, c.Type == Untyped
	}
}
