package data

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/internal/enum"
	"github.com/coppice-ml/coppice/internal/spelling"
	"github.com/coppice-ml/coppice/param"
)

// Kind is the kind of a column.
type Kind uint8

// The kinds of columns.
const (
	Numeric     Kind = iota // float64 values, NaN = missing
	Categorical             // codes into a dictionary of texts
	// Date values are float64: microseconds since 1970-01-01T00:00:00Z, NaN = missing. They are
	// exact for 285 years around 1970, from 1684 to 2255, and rounded to a few microseconds beyond.
	// Learners train on the parts of dates: see Expand.
	Date
	// Text values are codes into a dictionary of texts, as categories are, but they are read as
	// texts. The empty text is one of them, unlike a missing value. Learners train on the n-grams
	// of texts: see Expand.
	Text
)

var kindNames = enum.Names[Kind]{"numeric", "categorical", "date", "text"}

// HasLevels reports whether columns of the kind hold codes into a dictionary.
func (k Kind) HasLevels() bool { return k == Categorical || k == Text }

// String returns "numeric", "categorical", "date" or "text".
func (k Kind) String() string { return kindNames.Name("kind", k) }

// MarshalText writes the kind by its name.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads a name that MarshalText wrote; any other name is an error.
func (k *Kind) UnmarshalText(text []byte) error { return kindNames.Read(k, "column kind", text) }

// Policy is what a model does at prediction time with a value that it cannot compare: a missing
// value, or a category that is not in the training set.
type Policy = param.Enum[policyNames]

// The policies.
const (
	// go where each node sends it by its training rows (the heavier child where training had none)
	Learned Policy = iota
	Refuse         // return an error that names row and column
	// predict as Learned does, and report the value with the prediction. No model stores it: it is
	// for callers (see model.Checks).
	Flag
)

type policyNames struct{}

func (policyNames) Enum() (string, []string) {
	return "policy", []string{"learned", "error", "flag"}
}

// The two reserved codes of a categorical column. Every other code indexes Field.Levels.
const (
	MissingCode uint32 = math.MaxUint32     // no value
	UnseenCode  uint32 = math.MaxUint32 - 1 // a text that the dictionary does not hold
	// MaxLevels is the largest number of levels that a dictionary may hold.
	MaxLevels = 1 << 24
)

// Field describes one column: its name, its kind, and what prediction does with values it cannot
// compare.
type Field struct {
	Name string `json:"name"`
	Kind Kind   `json:"kind"`
	// Format is how values are written as texts, where not as plain numbers or names: of numbers a
	// spelling.NumberFormat.Code, of dates the name of a DateFormat, where "" is ymd; of categories
	// HashedLevels if the dictionary has hashes of texts, NumberLevels if it has numbers, and
	// CodeLevels if it has some codes; of texts a TextFormat.Code.
	Format string `json:"format,omitempty"`
	// the dictionary of a categorical or a text column: Levels[code] is its text; no duplicates
	Levels  []string `json:"levels,omitempty"`
	Missing Policy   `json:"missing"`
	Unseen  Policy   `json:"unseen"`

	// Role is what a file states that the column is, beside a feature; "" = nothing. Columns of
	// features have none.
	Role Role `json:"-"`

	// From describes how a numeric column was made of a date column; nil for all others.
	From *DatePart `json:"from,omitempty"`
	// Text describes how a numeric column was made of a text column; nil for all others.
	Text *TextPart `json:"text,omitempty"`
}

// Source names the column of a table that the field comes from: the date or the text column that it
// was made of, else the field itself.
func (f *Field) Source() string {
	switch {
	case f.From != nil:
		return f.From.Source
	case f.Text != nil:
		return f.Text.Source
	}
	return f.Name
}

// Derived reports whether the field was made of a date or a text column.
func (f *Field) Derived() bool { return f.From != nil || f.Text != nil }

// MadeAs reports whether two fields were made in the same way of a date or a text column, or both
// of none.
func (f *Field) MadeAs(g *Field) bool { return f.From.equal(g.From) && f.Text.Equal(g.Text) }

// Schema is the ordered list of the columns of a table. Columns are matched by name; positions
// matter only inside one Frame.
type Schema struct {
	Fields []Field `json:"fields"`
	// Tokens holds the texts that meant a missing value in the files of training, where they were
	// not the readers' own choice; nil otherwise. Files for a model are read by its tokens.
	Tokens []string `json:"missing_tokens,omitempty"`
	// TokensOf holds the texts that meant a missing value in one column of those files, beside the
	// tokens of all columns, by its name.
	TokensOf map[string][]string `json:"missing_tokens_of,omitempty"`
	// AbsentValues is what values mean that sparse rows do not name; "" is AbsentZero. Sparse rows
	// for a model are read by it.
	AbsentValues Absent `json:"absent_values,omitempty"`
	// FirstIndex is what the features f0, f1, ... of sparse rows count from; "" = unknown. Sparse
	// rows for a model are read by it.
	FirstIndex FirstIndex `json:"first_index,omitempty"`
}

// Like returns a schema of other fields, or none, with what else s has.
func (s *Schema) Like(fields []Field) Schema {
	own := *s
	own.Fields = fields
	return own
}

// Index returns the position of the column called name, or -1.
func (s *Schema) Index(name string) int {
	for i := range s.Fields {
		if s.Fields[i].Name == name {
			return i
		}
	}
	return -1
}

// IndexFrom returns what Index does. It looks at the columns from a position on first, so that
// finding the columns of one table in another of the same order takes a step for each.
func (s *Schema) IndexFrom(name string, from int) int {
	from = min(max(from, 0), len(s.Fields))
	for i := from; i < len(s.Fields); i++ {
		if s.Fields[i].Name == name {
			return i
		}
	}
	head := Schema{Fields: s.Fields[:from]}
	return head.Index(name)
}

// Find writes into at the position of the column that each field names. It returns the first field
// whose name no column has, nil if all are there. A part of dates or texts is found by its source
// where no column has its own name, one of dates also in the days of the same source. The former
// content of at is a guess: a right one saves a search. Only names are compared.
func (s *Schema) Find(fields []Field, at []int) *Field {
	var byName map[string]int // made when a guess is wrong
	for i := range fields {
		if s.Matches(at[i], &fields[i]) {
			continue
		}
		if byName == nil {
			byName = make(map[string]int, len(s.Fields))
			for p := len(s.Fields) - 1; p >= 0; p-- { // of equal names the first, as Index
				byName[s.Fields[p].Name] = p
			}
		}
		p, ok := byName[fields[i].Name]
		if !ok && fields[i].Derived() {
			source := fields[i].Source()
			if p, ok = byName[source]; !ok && fields[i].From != nil {
				p, ok = s.daysOf(source)
			}
		}
		if !ok {
			return &fields[i]
		}
		at[i] = p
	}
	return nil
}

// Matches reports whether the column at a position is that of a field, or the source of a part of
// dates or texts that no column has the name of. Positions that no column has hold nothing.
func (s *Schema) Matches(position int, field *Field) bool {
	switch {
	case uint64(position) >= uint64(len(s.Fields)):
		return false
	case s.Fields[position].Name == field.Name:
		return true
	}
	return field.Derived() && s.Fields[position].Name == field.Source() && s.Index(field.Name) < 0
}

// daysOf returns the position of the days that were made of a date column.
func (s *Schema) daysOf(source string) (position int, ok bool) {
	for i := range s.Fields {
		if d := s.Fields[i].From; d != nil && d.Part == Days && d.Source == source {
			return i, true
		}
	}
	return 0, false
}

// Clone returns a schema that has no changeable memory in common with s.
func (s *Schema) Clone() Schema {
	c := s.Like(slices.Clone(s.Fields))
	c.Tokens = slices.Clone(s.Tokens)
	c.TokensOf = maps.Clone(s.TokensOf)
	for name, tokens := range c.TokensOf {
		c.TokensOf[name] = slices.Clone(tokens)
	}
	for i := range c.Fields {
		c.Fields[i].Levels = slices.Clone(c.Fields[i].Levels)
		if d := c.Fields[i].From; d != nil {
			own := *d
			c.Fields[i].From = &own
		}
		if t := c.Fields[i].Text; t != nil {
			own := *t
			c.Fields[i].Text = &own
		}
	}
	return c
}

// Kinds are the kinds of columns by their names.
type Kinds map[string]Kind

// Kinds returns the kinds of the fields.
func (s *Schema) Kinds() Kinds {
	kinds := make(Kinds, len(s.Fields))
	for i := range s.Fields {
		kinds[s.Fields[i].Name] = s.Fields[i].Kind
	}
	return kinds
}

// MissingFrom returns the first field of a schema that has no column of its name and kind here, nil
// if there is none.
func (k Kinds) MissingFrom(s *Schema) *Field {
	for i := range s.Fields {
		if kind, ok := k[s.Fields[i].Name]; !ok || kind != s.Fields[i].Kind {
			return &s.Fields[i]
		}
	}
	return nil
}

// Names returns the column names in order.
func (s *Schema) Names() []string {
	names := make([]string, len(s.Fields))
	for i := range s.Fields {
		names[i] = s.Fields[i].Name
	}
	return names
}

// Absent returns the name of the first column that the fields of the schema need and a table does
// not have. A part of a date or text needs its source, unless the table has the part itself. ok
// is false if none is missing.
func (s *Schema) Absent(table *Schema) (column string, ok bool) {
	at := -1
	for i := range s.Fields {
		f := &s.Fields[i]
		if at = table.IndexFrom(f.Name, at+1); at >= 0 || table.Index(f.Source()) >= 0 {
			continue
		}
		if _, days := table.daysOf(f.Source()); !days {
			return f.Source(), true
		}
	}
	return "", false
}

// Validate checks that
//
//   - names are present and unique, and the meaning of absent values and the first index are
//     known ones;
//   - kinds, policies and formats are known ones;
//   - only categorical and text fields have levels, and the former have no format;
//   - no dictionary repeats a text or exceeds MaxLevels;
//   - parts of dates and texts are numeric and agree on how their source is read, which is no
//     column of the schema.
//
// Readers of untrusted files call it.
func (s *Schema) Validate() error {
	if err := s.AbsentValues.Check(); err != nil {
		return err
	}
	if err := s.FirstIndex.Check(); err != nil {
		return err
	}
	seen := make(map[string]bool, len(s.Fields))
	for i := range s.Fields {
		f := &s.Fields[i]
		switch {
		case f.Name == "":
			return fmt.Errorf("column %d has no name", i+1)
		case seen[f.Name]:
			return fmt.Errorf("two columns are called %q", f.Name)
		case f.Kind > Text || f.Missing > Refuse || f.Unseen > Refuse:
			return fmt.Errorf("column %q: unknown kind or policy", f.Name)
		case !f.Kind.HasLevels() && len(f.Levels) > 0:
			return fmt.Errorf("column %q is %s and has levels", f.Name, f.Kind)
		case len(f.Levels) > MaxLevels:
			return fmt.Errorf("column %q has %d levels, the limit is %d", f.Name,
				len(f.Levels), MaxLevels)
		}
		if err := f.validateFormat(); err != nil {
			return fmt.Errorf("column %q: %w", f.Name, err)
		}
		seen[f.Name] = true
		if level, twice := repeated(f.Levels); twice {
			return fmt.Errorf("column %q has level %q twice", f.Name, level)
		}
	}
	return s.validateParts(seen)
}

// repeated returns the first level that was there before. Readers sort levels, of which neighbours
// are compared alone, and bare codes differ.
func repeated(levels []string) (level string, twice bool) {
	ascending := true
	for i := 1; i < len(levels) && ascending; i++ {
		ascending = levels[i-1] < levels[i]
	}
	if ascending {
		return "", false
	}
	bare := bareCodes(levels) // of which there may be millions
	seen := make(map[string]bool, len(levels)-bare)
	for _, l := range levels[bare:] {
		if _, is := bareCode(l, bare); is || seen[l] {
			return l, true
		}
		seen[l] = true
	}
	return "", false
}

// validateParts checks the fields that are made of dates and texts, in a schema of columns of these
// names.
func (s *Schema) validateParts(names map[string]bool) error {
	var first map[string]*Field // by source
	for i := range s.Fields {
		f := &s.Fields[i]
		if !f.Derived() {
			continue
		}
		if err := f.validatePart(); err != nil {
			return fmt.Errorf("column %q: %w", f.Name, err)
		}
		if first == nil {
			first = map[string]*Field{}
		}
		other := first[f.Source()]
		switch {
		case f.Kind != Numeric:
			return fmt.Errorf("column %q is %s and part of a date or text", f.Name, f.Kind)
		case names[f.Source()]:
			return fmt.Errorf("column %q is made of column %q, which is there too", f.Name,
				f.Source())
		case other == nil:
			first[f.Source()] = f
		case (f.Text != nil) != (other.Text != nil):
			return fmt.Errorf("column %q is made of a date and of a text", f.Source())
		case f.Text != nil && f.Text.Format != other.Text.Format:
			return fmt.Errorf("column %q has texts of the formats %s and %s", f.Source(),
				other.Text.Format.Code(), f.Text.Format.Code())
		case f.From != nil && f.From.Format != other.From.Format:
			return fmt.Errorf("column %q has dates of the formats %s and %s", f.Source(),
				other.From.Format, f.From.Format)
		}
	}
	return nil
}

// validatePart checks what a field is made of.
func (f *Field) validatePart() error {
	switch {
	case f.From != nil && f.Text != nil:
		return fmt.Errorf("it is made of a date and of a text")
	case f.From != nil:
		return f.From.validate()
	}
	return f.Text.validate()
}

func (f *Field) validateFormat() (err error) {
	switch {
	case f.Kind == Date:
		_, err = f.DateFormat()
	case f.Kind == Numeric:
		_, err = spelling.ParseNumberFormat(f.Format)
	case f.Kind == Text:
		_, err = f.TextFormat()
	case f.Kind == Categorical && f.Format == CodeLevels:
		_, err = codesOf(f.Levels)
	case f.Format != "" && !f.Hashed() && !f.Numbers():
		err = fmt.Errorf("a categorical column has the format %q", f.Format)
	}
	return err
}
