package data

import (
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/param"
)

// ColumnGroups reads sets of columns, "COL+COL+...,COL+COL+...", as their places in the schema. It
// is nil for "". Errors begin with the name of the parameter that holds the text. They are columns
// that the schema does not have, and columns that are twice in a set. Names in quotes may hold the
// signs of the list (see param.SplitList).
func (s *Schema) ColumnGroups(parameter, text string) ([][]int32, error) {
	if text == "" {
		return nil, nil
	}
	var groups [][]int32
	parts, err := param.SplitList(text, ',')
	if err != nil {
		return nil, fmt.Errorf("%s: %w", parameter, err)
	}
	for _, part := range parts {
		var group []int32
		entries, err := param.SplitList(part, '+')
		if err != nil {
			return nil, fmt.Errorf("%s: %w", parameter, err)
		}
		for _, entry := range entries {
			name := param.EntryName(entry)
			c := s.Index(name)
			switch {
			case c < 0 && param.Nearest(name, s.Names()) != "":
				return nil, fmt.Errorf("%s: there is no column %q: did you mean %q?", parameter,
					name, param.Nearest(name, s.Names()))
			case c < 0:
				return nil, fmt.Errorf("%s: there is no column %q", parameter, name)
			case slices.Contains(group, int32(c)):
				return nil, fmt.Errorf("%s: column %q is twice in a group", parameter, name)
			}
			group = append(group, int32(c))
		}
		groups = append(groups, group)
	}
	return groups, nil
}
