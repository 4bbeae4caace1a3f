package data

import (
	"fmt"
	"math"
)

// Kind is the kind of a column.
type Kind uint8

// The kinds of columns.
const (
	Numeric     Kind = iota // float64 values, NaN = missing
	Categorical             // codes into a dictionary of texts
)

var kindNames = []string{"numeric", "categorical"}

// String returns "numeric" or "categorical".
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("kind(%d)", k)
}

// MarshalText writes the kind by its name.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads a name that MarshalText wrote; any other name is an error.
func (k *Kind) UnmarshalText(text []byte) error {
	i, err := nameIndex("column kind", kindNames, text)
	*k = Kind(i)
	return err
}

// Policy says what a model does at prediction time with a value that it cannot compare:
// a missing value, or a category that training never saw.
type Policy uint8

// The policies.
const (
	Learned Policy = iota // go where each node learned to send it (the heavier child where training had none)
	Refuse                // return an error that names row and column
)

var policyNames = []string{"learned", "error"}

// String returns "learned" or "error".
func (p Policy) String() string {
	if int(p) < len(policyNames) {
		return policyNames[p]
	}
	return fmt.Sprintf("policy(%d)", p)
}

// MarshalText writes the policy by its name.
func (p Policy) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText reads a name that MarshalText wrote; any other name is an error.
func (p *Policy) UnmarshalText(text []byte) error {
	i, err := nameIndex("policy", policyNames, text)
	*p = Policy(i)
	return err
}

func nameIndex(what string, names []string, text []byte) (int, error) {
	for i, n := range names {
		if n == string(text) {
			return i, nil
		}
	}
	return 0, fmt.Errorf("unknown %s %q", what, text)
}

// The two reserved codes of a categorical column. Every other code indexes Field.Levels.
const (
	MissingCode uint32 = math.MaxUint32     // no value
	UnseenCode  uint32 = math.MaxUint32 - 1 // a text that the dictionary does not hold
	// MaxLevels is the largest number of levels that a dictionary may hold.
	MaxLevels = 1 << 24
)

// Field describes one column: its name, its kind, and what prediction does with values it cannot compare.
type Field struct {
	Name    string   `json:"name"`
	Kind    Kind     `json:"kind"`
	Format  string   `json:"format,omitempty"` // how values are written as texts, where not as plain numbers or names
	Levels  []string `json:"levels,omitempty"` // the dictionary of a categorical column: Levels[code] is its text; no duplicates
	Missing Policy   `json:"missing"`
	Unseen  Policy   `json:"unseen"`
}

// Schema is the ordered list of the columns of a table. Columns are matched by name; positions matter only
// inside one Frame.
type Schema struct {
	Fields []Field `json:"fields"`
	// Tokens holds the texts that meant a missing value in the files of training, where they were not the readers' own
	// choice; nil otherwise. Files for a model are read by its tokens.
	Tokens []string `json:"missing_tokens,omitempty"`
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

// Lacks returns the first field of a schema that has no column of its name and kind here, nil if there is none.
func (k Kinds) Lacks(s *Schema) *Field {
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

// Validate checks that names are present and unique, kinds and policies are known, only categorical fields have
// levels, and no dictionary repeats a text or exceeds MaxLevels. Readers of untrusted files call it.
func (s *Schema) Validate() error {
	seen := make(map[string]bool, len(s.Fields))
	for i := range s.Fields {
		f := &s.Fields[i]
		switch {
		case f.Name == "":
			return fmt.Errorf("column %d has no name", i+1)
		case seen[f.Name]:
			return fmt.Errorf("two columns are called %q", f.Name)
		case f.Kind > Categorical || f.Missing > Refuse || f.Unseen > Refuse:
			return fmt.Errorf("column %q: unknown kind or policy", f.Name)
		case f.Kind == Numeric && len(f.Levels) > 0:
			return fmt.Errorf("column %q is numeric and has levels", f.Name)
		case len(f.Levels) > MaxLevels:
			return fmt.Errorf("column %q has %d levels, the limit is %d", f.Name, len(f.Levels), MaxLevels)
		}
		seen[f.Name] = true
		levels := make(map[string]bool, len(f.Levels))
		for _, l := range f.Levels {
			if levels[l] {
				return fmt.Errorf("column %q has level %q twice", f.Name, l)
			}
			levels[l] = true
		}
	}
	return nil
}
