//go:build amd64 && !purego

#include "textflag.h"

// TWOROWS writes two rows' bytes of eight columns and goes on to the next two rows.
#define TWOROWS(x) \
	VMOVQ   x, (DI) \
	VMOVHPS x, (DI)(R11*1) \
	LEAQ    (DI)(R11*2), DI

// func interleaveTurns(dst *uint8, stride int, columns *[8]*uint8, turns int)
//
// Sixteen rows at a time: bytes of columns are put beside each other, then twos, then fours.
//
//	AX, BX, CX, DX, SI, R8, R9, R10 columns   DI row of dst   R11 stride   R12 turns left   R13 row
//	X0 ... X7 columns   X8 ... X15 twos: those of columns 0 and 1 of the first rows, of the last rows, those of 2 and 3, ...
TEXT ·interleaveTurns(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ stride+8(FP), R11
	MOVQ columns+16(FP), R10
	MOVQ turns+24(FP), R12
	MOVQ (R10), AX
	MOVQ 8(R10), BX
	MOVQ 16(R10), CX
	MOVQ 24(R10), DX
	MOVQ 32(R10), SI
	MOVQ 40(R10), R8
	MOVQ 48(R10), R9
	MOVQ 56(R10), R10
	XORQ R13, R13
	PCALIGN $32

turn:
	VMOVDQU (AX)(R13*1), X0
	VMOVDQU (BX)(R13*1), X1
	VMOVDQU (CX)(R13*1), X2
	VMOVDQU (DX)(R13*1), X3
	VMOVDQU (SI)(R13*1), X4
	VMOVDQU (R8)(R13*1), X5
	VMOVDQU (R9)(R13*1), X6
	VMOVDQU (R10)(R13*1), X7
	VPUNPCKLBW X1, X0, X8
	VPUNPCKHBW X1, X0, X9
	VPUNPCKLBW X3, X2, X10
	VPUNPCKHBW X3, X2, X11
	VPUNPCKLBW X5, X4, X12
	VPUNPCKHBW X5, X4, X13
	VPUNPCKLBW X7, X6, X14
	VPUNPCKHBW X7, X6, X15
	VPUNPCKLWD X10, X8, X0
	VPUNPCKHWD X10, X8, X1
	VPUNPCKLWD X11, X9, X2
	VPUNPCKHWD X11, X9, X3
	VPUNPCKLWD X14, X12, X4
	VPUNPCKHWD X14, X12, X5
	VPUNPCKLWD X15, X13, X6
	VPUNPCKHWD X15, X13, X7
	VPUNPCKLDQ X4, X0, X8
	VPUNPCKHDQ X4, X0, X9
	VPUNPCKLDQ X5, X1, X10
	VPUNPCKHDQ X5, X1, X11
	VPUNPCKLDQ X6, X2, X12
	VPUNPCKHDQ X6, X2, X13
	VPUNPCKLDQ X7, X3, X14
	VPUNPCKHDQ X7, X3, X15
	TWOROWS(X8)
	TWOROWS(X9)
	TWOROWS(X10)
	TWOROWS(X11)
	TWOROWS(X12)
	TWOROWS(X13)
	TWOROWS(X14)
	TWOROWS(X15)
	ADDQ $16, R13
	DECQ R12
	JNE  turn
	RET
