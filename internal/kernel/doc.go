// Package kernel owns the innermost functions and loops: those whose speed decides how fast Coppice
// is, and those whose every bit must be the same on every machine. Each fast kernel has a twin in
// plain Go, of which its comment is the loop, and a fuzz test that the two agree. The build tag
// purego leaves all assembly out.
//
// The elementary functions are here because models have equal bytes on all architectures, which
// package math does not guarantee. It uses assembly on some. On others the compiler fuses x*y + z
// into one instruction that rounds once instead of twice. All code here that adds to a product
// therefore writes float64(x*y) + z, which the language defines as rounded.
package kernel
