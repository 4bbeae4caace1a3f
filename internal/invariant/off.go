//go:build !invariants

package invariant

// On reports that this program checks no invariants.
const On = false
