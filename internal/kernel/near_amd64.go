//go:build amd64 && !purego

package kernel

// VectorNear reports whether Near has vectors.
func VectorNear() bool { return hasAVX2 }

func near(query, group []float32, limit float32) uint32 {
	if !hasAVX2 {
		return nearPlain(query, group, limit)
	}
	return nearInVectors(&query[0], len(query), &group[0], limit)
}

//go:noescape
func nearInVectors(query *float32, width int, group *float32, limit float32) uint32
