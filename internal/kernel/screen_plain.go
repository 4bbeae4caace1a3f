//go:build !amd64 || purego

package kernel

// screens reports whether columns are passed over. Without vectors that takes no less time than the
// scores.
func screens() bool { return false }

func (s *Screen) may([]int64, int, int64) bool { return true }
