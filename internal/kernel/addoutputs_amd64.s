//go:build amd64 && !purego

#include "textflag.h"

// ADDOUTPUTS adds the words of a row to the cell of its code, which is at some place of the codes.
#define ADDOUTPUTS(cells, codes, place, words) \
	MOVBLZX place(codes), AX \
	SHLQ    $5, AX \
	VPADDQ  (cells)(AX*1), words, Y2 \
	VMOVDQU Y2, (cells)(AX*1)

// func addOutputPairs(a *OutputCells, codes *uint8, words *int64, n int)
//
// Two rows at a time: Y0 and Y1 are their words.
TEXT ·addOutputPairs(SB), NOSPLIT, $0-32
	MOVQ a+0(FP), DI
	MOVQ codes+8(FP), R8
	MOVQ words+16(FP), SI
	MOVQ n+24(FP), CX
	PCALIGN $32

one:
	VMOVDQU (SI), Y0
	VMOVDQU 32(SI), Y1
	ADDOUTPUTS(DI, R8, 0, Y0)
	ADDOUTPUTS(DI, R8, 1, Y1)
	ADDQ $2, R8
	ADDQ $64, SI
	SUBQ $2, CX
	JNE  one
	VZEROUPPER
	RET

// func addOutputPairsOfTwo(a, b *OutputCells, first, second *uint8, words *int64, n int)
TEXT ·addOutputPairsOfTwo(SB), NOSPLIT, $0-48
	MOVQ a+0(FP), DI
	MOVQ b+8(FP), DX
	MOVQ first+16(FP), R8
	MOVQ second+24(FP), R9
	MOVQ words+32(FP), SI
	MOVQ n+40(FP), CX
	PCALIGN $32

two:
	VMOVDQU (SI), Y0
	VMOVDQU 32(SI), Y1
	ADDOUTPUTS(DI, R8, 0, Y0)
	ADDOUTPUTS(DX, R9, 0, Y0)
	ADDOUTPUTS(DI, R8, 1, Y1)
	ADDOUTPUTS(DX, R9, 1, Y1)
	ADDQ $2, R8
	ADDQ $2, R9
	ADDQ $64, SI
	SUBQ $2, CX
	JNE  two
	VZEROUPPER
	RET
