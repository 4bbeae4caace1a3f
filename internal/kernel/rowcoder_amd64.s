//go:build amd64 && !purego

#include "go_asm.h"
#include "textflag.h"

// COUNT writes into R9 how many of 16 keys are less than that of the value in Z1.
#define COUNT(low, high) \
	VPCMPUQ $6, low, Z1, K1 \
	VPCMPUQ $6, high, Z1, K2 \
	KUNPCKBW K1, K2, K1 \
	KMOVW K1, R9 \
	POPCNTL R9, R9

// func codesByPivots(dst *int8, x *float64, slots *codedSlot, n int, sorted *uint64) int
//
//	DI dst   SI x   DX slots   CX slots left   R10 all keys   R11 the sign bit   R13 missing values
//
// A code takes two counts, of pivots and of the keys between two of these. So it waits for two keys
// in turn, and not for eight.
TEXT ·codesByPivots(SB), NOSPLIT, $0-48
	MOVQ dst+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ slots+16(FP), DX
	MOVQ n+24(FP), CX
	MOVQ sorted+32(FP), R10
	VXORPD X0, X0, X0
	XORL R13, R13
	MOVQ $1, R11
	SHLQ $63, R11
	PCALIGN $32
slot:
	MOVL codedSlot_column(DX), AX
	VADDSD (SI)(AX*8), X0, X1
	VUCOMISD X1, X1
	JPS  missing
	VMOVQ X1, R8
	MOVQ R8, R9
	SARQ $63, R9
	ORQ  R11, R9
	XORQ R9, R8
	VPBROADCASTQ R8, Z1
	MOVL codedSlot_pivots(DX), R12
	LEAQ (R10)(R12*8), R12
	COUNT((R12), 64(R12))
	SHLL $4, R9
	MOVL R9, AX
	COUNT(128(R12)(R9*8), 192(R12)(R9*8))
	ADDL R9, AX
	ADDB codedSlot_first(DX), AX
	MOVB AX, (DI)
next:
	INCQ DI
	ADDQ $codedSlot__size, DX
	DECQ CX
	JNE  slot
	MOVQ R13, ret+40(FP)
	VZEROUPPER
	RET
missing:
	MOVL $1, R13
	MOVB codedSlot_missing(DX), AX
	MOVB AX, (DI)
	JMP  next
