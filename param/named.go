package param

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Named is a number by a name: one entry of a text such as "spam=2,ham=1".
type Named struct {
	Name  string
	Value float64
}

// ParseNamed reads NAME=NUMBER,... with numbers above 0 and different names. The number follows the
// last '=', so that names may hold that sign; names in quotes may hold commas too (see SplitList).
// The words what (of the numbers) and of (of the names) are for errors: "weight", "class".
func ParseNamed(text, what, of string) ([]Named, error) {
	var entries []Named
	list, err := SplitList(text, ',')
	if err != nil {
		return nil, err
	}
	for _, entry := range list {
		before, value, found := CutLastSign(entry, '=')
		if !found || before == "" {
			return nil, fmt.Errorf("%q is not NAME=%s", entry, strings.ToUpper(what))
		}
		x, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if err != nil || !(x > 0) || math.IsInf(x, 0) {
			return nil, fmt.Errorf("%s %q of %s %q is not a positive number", what, value, of, before)
		}
		e := Named{EntryName(before), x}
		if slices.ContainsFunc(entries, func(o Named) bool { return o.Name == e.Name }) {
			return nil, fmt.Errorf("%s %q has two %ss", of, e.Name, what)
		}
		entries = append(entries, e)
	}
	return entries, nil
}
