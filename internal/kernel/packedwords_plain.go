//go:build !amd64 || purego

package kernel

func subtractInVectors(_, _ []int64) int { return 0 }

func addInVectors(_, _ []int64) int { return 0 }
