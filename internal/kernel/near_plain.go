//go:build !amd64 || purego

package kernel

// VectorNear reports whether Near has vectors.
func VectorNear() bool { return false }

func near(query, group []float32, limit float32) uint32 { return nearPlain(query, group, limit) }
