package data

import (
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/param"
)

// ColumnGroups returns sets of columns as their places in the schema; nil has none. Errors begin
// with the name of the parameter that holds the sets. They are columns that the schema does not
// have, and columns that are twice in a set.
func (s *Schema) ColumnGroups(parameter string, sets [][]string) ([][]int32, error) {
	var groups [][]int32
	for _, set := range sets {
		var group []int32
		for _, name := range set {
			c := s.Index(name)
			switch {
			case c < 0:
				return nil, fmt.Errorf("%s: there is no column %q%s", parameter, name,
					param.Meant(": ", name, s.Names()))
			case slices.Contains(group, int32(c)):
				return nil, fmt.Errorf("%s: column %q is twice in a group", parameter, name)
			}
			group = append(group, int32(c))
		}
		groups = append(groups, group)
	}
	return groups, nil
}
