// Package enum owns names: those of types of a few values, which are numbered from 0, and those of
// the rows of a table, such as losses.
package enum

import (
	"fmt"
	"slices"
)

// Names are the names of all values of E, by their numbers.
type Names[E ~uint8] []string

// Name returns the name of a value; of a number without a name what with the number, as "kind(9)".
func (n Names[E]) Name(what string, e E) string {
	if int(e) < len(n) {
		return n[e]
	}
	return fmt.Sprintf("%s(%d)", what, uint8(e))
}

// Read sets e to the value of a name, for the UnmarshalText of E. The error of another text says
// what it should be the name of; e is 0 then.
func (n Names[E]) Read(e *E, what string, text []byte) error {
	i := slices.Index(n, string(text))
	*e = E(max(0, i))
	if i < 0 {
		return fmt.Errorf("unknown %s %q", what, text)
	}
	return nil
}

// NamesOf returns the names of the rows of a table, in its order.
func NamesOf[R any](table []R, of func(R) string) []string {
	names := make([]string, len(table))
	for i, r := range table {
		names[i] = of(r)
	}
	return names
}

// Find returns the row of a name, and whether there is one.
func Find[R any](table []R, name string, of func(R) string) (row R, found bool) {
	if i := slices.IndexFunc(table, func(r R) bool { return of(r) == name }); i >= 0 {
		return table[i], true
	}
	return row, false
}
