//go:build !amd64 || purego

package kernel

// Rows adds some rows.
func (a *AddPacked) Rows(rows []int32) { a.rows(rows) }

// Rows adds some rows.
func (a *AddPairs) Rows(rows []int32) { a.rows(rows) }
