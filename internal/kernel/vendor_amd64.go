//go:build amd64 && !purego

package kernel

// amd reports whether the processor is one of AMD's, for kernels whose fastest form is another one
// there.
var amd = isAMD()

// isAMD reports whether the processor is of AMD.
func isAMD() bool
