//go:build !amd64 || purego

package kernel

// Rows adds some rows.
func (a *AddLists) Rows(rows []int32) { a.rows(rows) }
