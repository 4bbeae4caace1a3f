//go:build amd64 && !purego

package kernel

import (
	"slices"
	"strings"

	"golang.org/x/sys/cpu"
)

// instructions are those that the forms of a path need, by name.
type instructions []struct {
	name  string
	there bool
}

// missing lists the instructions that the processor does not have.
func (all instructions) missing() string {
	var names []string
	for _, i := range all {
		if !i.there && !slices.Contains(names, i.name) {
			names = append(names, i.name)
		}
	}
	return strings.Join(names, ", ")
}

// The instructions of the forms in vectors of AVX2, of those that gather, of those that pack words,
// of those that permute, and of those that fold.
var (
	forVectors = instructions{{"AVX2", cpu.X86.HasAVX2}, {"FMA", cpu.X86.HasFMA}}
	forGathers = instructions{{"AVX512F", cpu.X86.HasAVX512F}, {"AVX512DQ", cpu.X86.HasAVX512DQ},
		{"AVX512BW", cpu.X86.HasAVX512BW},
		{"AVX512VL", cpu.X86.HasAVX512VL}, {"BMI1", cpu.X86.HasBMI1}}
	forWords = instructions{{"AVX512F", cpu.X86.HasAVX512F}, {"AVX512BW", cpu.X86.HasAVX512BW},
		{"AVX512VBMI2", cpu.X86.HasAVX512VBMI2},
		{"BMI2", cpu.X86.HasBMI2}, {"POPCNT", cpu.X86.HasPOPCNT}}
	forPermutes = instructions{{"AVX512F", cpu.X86.HasAVX512F}, {"AVX512BW", cpu.X86.HasAVX512BW},
		{"AVX512VL", cpu.X86.HasAVX512VL}, {"AVX512VBMI", cpu.X86.HasAVX512VBMI},
		{"POPCNT", cpu.X86.HasPOPCNT}}
	forFolds = instructions{{"AVX512F", cpu.X86.HasAVX512F},
		{"VPCLMULQDQ", cpu.X86.HasAVX512VPCLMULQDQ}}
)

// permutes reports whether to look up numbers in vectors of AVX-512 that hold all of a table.
var permutes = slices.Concat(forVectors, forPermutes).missing() == ""

// choice is which forms kernels take.
type choice struct {
	vectors, gathers, words, permutes, folds bool

	amd bool // the forms that are faster on AMD's processors
}

// Paths returns all paths that kernels may take, whatever is fast here and whether the processor
// has them or not.
func Paths() []Path {
	var all []Path
	for _, row := range []struct {
		name  string
		takes choice
	}{
		{"plain", choice{}},
		{"plain as on AMD", choice{amd: true}},
		{"AVX2", choice{vectors: true}},
		{"AVX2 as on AMD", choice{vectors: true, amd: true}},
		{"AVX-512 that gathers", choice{vectors: true, gathers: true}},
		{"AVX-512 that packs words", choice{vectors: true, words: true}},
		{"AVX-512 that packs words as on AMD", choice{vectors: true, words: true, amd: true}},
		{"AVX-512 that does both", choice{vectors: true, gathers: true, words: true}},
		{"AVX-512 that permutes", choice{vectors: true, permutes: true}},
		{"AVX-512 that folds", choice{vectors: true, folds: true}},
		{"AVX-512 that does all", choice{vectors: true, gathers: true, words: true,
			permutes: true}},
	} {
		var needs instructions
		if row.takes.vectors {
			needs = append(needs, forVectors...)
		}
		if row.takes.gathers {
			needs = append(needs, forGathers...)
		}
		if row.takes.words {
			needs = append(needs, forWords...)
		}
		if row.takes.permutes {
			needs = append(needs, forPermutes...)
		}
		if row.takes.folds {
			needs = append(needs, forFolds...)
		}
		all = append(all, Path{Name: row.name, Missing: needs.missing(), take: row.takes.take})
	}
	return all
}

// take makes kernels take forms until restore is called.
func (c choice) take() (restore func()) {
	before := choice{gathers: gathers, words: packsWords, permutes: permutes, folds: folds,
		amd: amd}
	avx2, fma, squares := hasAVX2, hasFMA, VectorSquares
	hasAVX2, hasFMA, VectorSquares = c.vectors, c.vectors, c.vectors
	gathers, packsWords, permutes, folds, amd = c.gathers, c.words, c.permutes, c.folds, c.amd
	return func() {
		hasAVX2, hasFMA, VectorSquares = avx2, fma, squares
		gathers, packsWords, permutes = before.gathers, before.words, before.permutes
		folds, amd = before.folds, before.amd
	}
}
