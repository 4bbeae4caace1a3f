//go:build !amd64 || purego

package kernel

// Descend writes into out the node at which each row of the block ends; len(out) is the number of rows. Nodes and
// their children must be in range, a child after its parent, and so must be sets and places: nothing is checked again.
func (d *Descent) Descend(out []int32) { d.descend(out) }
