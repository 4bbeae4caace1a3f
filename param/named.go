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

// ParseNamed reads NAME=NUMBER,... with different names; "" has none. The number follows the last
// '=', so that names may hold that sign; names in quotes may hold commas too (see SplitList). read
// reads a number; nil: those above 0. The words what (of the numbers) and of (of the names) are for
// errors: "weight", "class".
func ParseNamed(text, what, of string, read func(string) (float64, error)) ([]Named, error) {
	if text == "" {
		return nil, nil
	}
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
		e := Named{Name: EntryName(before)}
		if value = strings.TrimSpace(value); read != nil {
			if e.Value, err = read(value); err != nil {
				return nil, fmt.Errorf("%s %q: %w", of, e.Name, err)
			}
		} else if e.Value, err = strconv.ParseFloat(value, 64); err != nil ||
			!(e.Value > 0) || math.IsInf(e.Value, 0) {
			return nil, fmt.Errorf("%s %q of %s %q is not a positive number", what, value, of, before)
		}
		if slices.ContainsFunc(entries, func(o Named) bool { return o.Name == e.Name }) {
			return nil, fmt.Errorf("%s %q has two %ss", of, e.Name, what)
		}
		entries = append(entries, e)
	}
	return entries, nil
}

// WriteNamed returns a text that ParseNamed reads.
func WriteNamed(entries []Named) string {
	texts := make([]string, len(entries))
	for i, e := range entries {
		texts[i] = WriteName(e.Name) + "=" + formatFloat(e.Value)
	}
	return strings.Join(texts, ",")
}
