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

// Parse returns the value of a name. The error of another text says what it should be the name of,
// and ends with advice, such as ": use a or b".
func (n Names[E]) Parse(what, name, advice string) (E, error) {
	if i := slices.Index(n, name); i >= 0 {
		return E(i), nil
	}
	return 0, fmt.Errorf("unknown %s %q%s", what, name, advice)
}

// Read is Parse for the UnmarshalText of E.
func (n Names[E]) Read(e *E, what string, text []byte) (err error) {
	*e, err = n.Parse(what, string(text), "")
	return err
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
