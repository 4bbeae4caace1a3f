//go:build !amd64 || purego

package kernel

// folds reports whether Checksum multiplies vectors without carry.
const folds = false

func foldedChecksum(uint32, []byte) uint32 { panic("kernel: no vectors") }
