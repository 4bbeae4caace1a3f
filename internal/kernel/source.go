package kernel

import "embed"

// Files are the files of functions that results may depend on: exponentials, logarithms and the
// normal distribution. They have no dependency but math and each other. Generated programs contain
// what they need of them, so that their results have the same bits. So the files use Go 1.13 alone,
// which those programs need.
//
//go:embed exp.go exp2.go exptable.go log.go mills.go normal.go table.go
var Files embed.FS
