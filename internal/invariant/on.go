//go:build invariants

package invariant

// On reports that this program checks invariants.
const On = true
