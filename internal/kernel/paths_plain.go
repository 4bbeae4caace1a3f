//go:build !amd64 || purego

package kernel

// Paths returns the paths that kernels may take: one, as there are no instructions to choose from.
func Paths() []Path {
	return []Path{{Name: "plain", take: func() func() { return func() {} }}}
}
