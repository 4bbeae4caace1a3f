package learn

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/param"
)

// MemberColumnsParam declares the parameter columns of learners that combine others: the columns
// that each member is trained on. Members are given by their names, or aliases of these. A member
// that is not named gets all. Example:
//
//	bloods=lab_*,notes=categorical,rest=age+sex+numeric
func MemberColumnsParam(p *string) param.Param {
	check := func(text string) error {
		_, err := parseMemberColumns(text)
		return err
	}
	return param.Text(p, "columns", "", "NAME=COL+COL|numeric|categorical,...", check,
		"columns that a member is trained on, by name (a date column stands for all that were "+
			"made of it), by a pattern with *, or all of a kind; members not named get all")
}

// memberColumns is the columns of one member.
type memberColumns struct {
	member string
	words  []string
}

func parseMemberColumns(text string) ([]memberColumns, error) {
	var all []memberColumns
	if text == "" {
		return nil, nil
	}
	parts, err := param.SplitList(text, ',')
	if err != nil {
		return nil, err
	}
	for _, part := range parts {
		name, columns, ok := param.CutSign(part, '=')
		if name = param.EntryName(name); !ok || name == "" || columns == "" {
			return nil, fmt.Errorf("%q is not NAME=COLUMNS", part)
		}
		if slices.ContainsFunc(all, func(s memberColumns) bool { return s.member == name }) {
			return nil, fmt.Errorf("member %q has columns twice", name)
		}
		s := memberColumns{member: name}
		entries, err := param.SplitList(columns, '+')
		if err != nil {
			return nil, err
		}
		for _, entry := range entries {
			word := param.EntryName(entry)
			if word == "" {
				return nil, fmt.Errorf("%q has a column without a name", part)
			}
			if _, err := path.Match(word, ""); err != nil {
				return nil, fmt.Errorf("%q is no pattern", word)
			}
			s.words = append(s.words, word)
		}
		all = append(all, s)
	}
	return all, nil
}

// Columns returns the places of the columns that each member uses, ascending, by a text of
// MemberColumnsParam; nil = all.
func (m *Members) Columns(text string, s *data.Schema) ([][]int, error) {
	sources, err := parseMemberColumns(m.Canonical(text))
	if err != nil {
		return nil, err
	}
	names := m.names()
	columns := make([][]int, len(names))
	for _, from := range sources {
		i := slices.Index(names, from.member)
		if i < 0 {
			return nil, fmt.Errorf("columns: %w", param.Unknown("member", from.member, names))
		}
		seen := make([]bool, len(s.Fields))
		for _, word := range from.words {
			if !mark(seen, word, s) {
				return nil, unknownColumn(word, s)
			}
		}
		for at, is := range seen {
			if is {
				columns[i] = append(columns[i], at)
			}
		}
	}
	return columns, nil
}

// mark marks the columns that a word stands for, and reports whether there are any.
func mark(seen []bool, word string, s *data.Schema) bool {
	found := false
	for at := range s.Fields {
		f := &s.Fields[at]
		is := f.Name == word || f.Source() == word || word == f.Kind.String()
		if !is && strings.ContainsAny(word, "*?[") {
			is, _ = path.Match(word, f.Name)
		}
		if is {
			seen[at], found = true, true
		}
	}
	return found
}

func unknownColumn(word string, s *data.Schema) error {
	if word == data.Numeric.String() || word == data.Categorical.String() {
		return fmt.Errorf("columns: none of the %d features is %s", len(s.Fields), word)
	}
	if near := param.Nearest(word, s.Names()); near != "" {
		return fmt.Errorf("columns: there is no column %q: did you mean %q?", word, near)
	}
	return fmt.Errorf("columns: there is no column %q among the %d features", word, len(s.Fields))
}
