//go:build amd64 && !purego

package kernel

// otherwise calls f with the kernels of another maker's processors.
func otherwise(f func()) {
	amd = !amd
	defer func() { amd = !amd }()
	f()
}
