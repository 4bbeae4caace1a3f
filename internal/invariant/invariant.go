// Package invariant owns the checks at the boundaries between engines: what one hands to the next,
// and what no error can report because only a fault of ours breaks it.
//
// Checks are in programs that are built with the tag "invariants", as some tests are. In others On
// is false, and the compiler leaves out what stands in
//
//	if invariant.On {
//		invariant.Check(...)
//	}
package invariant

import "fmt"

// Check panics with a message if what must hold does not.
func Check(holds bool, format string, args ...any) {
	if !holds {
		panic("invariant: " + fmt.Sprintf(format, args...))
	}
}
