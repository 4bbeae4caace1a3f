//go:build !amd64 || purego

package kernel

// otherwise does nothing where there are no kernels of a maker's processors.
func otherwise(func()) {}
