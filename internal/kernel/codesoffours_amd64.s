//go:build amd64 && !purego

#include "textflag.h"

// STEP goes one step down the search tree for four values.
//
//	SI keys   R8 to R11 the values' keys   AX, BX, DX, R15 where they are
#define STEP \
	CMPQ (R12)(AX*8), R8 \
	ADCQ AX, AX \
	CMPQ (R12)(BX*8), R9 \
	ADCQ BX, BX \
	CMPQ (R12)(DX*8), R10 \
	ADCQ DX, DX \
	CMPQ (R12)(R15*8), R11 \
	ADCQ R15, R15

// FOUR makes ordered keys of four values, and begins their search at word 1.
//
//	SI values   Y0 zero   Y1 the sign bits   Y2 becomes nonzero if a value is missing
#define FOUR \
	VADDPD (SI), Y0, Y3 \
	VCMPPD $3, Y3, Y3, Y4 \
	VORPD Y4, Y2, Y2 \
	VPCMPGTQ Y3, Y0, Y4 \
	VPOR Y4, Y1, Y4 \
	VPXOR Y4, Y3, Y3 \
	VEXTRACTI128 $1, Y3, X4 \
	VMOVQ X3, R8 \
	VPEXTRQ $1, X3, R9 \
	VMOVQ X4, R10 \
	VPEXTRQ $1, X4, R11 \
	MOVL $1, AX \
	MOVL $1, BX \
	MOVL $1, DX \
	MOVL $1, R15

// NEXT writes four codes of some bytes.
#define NEXT(store, size) \
	ADDL R14, AX \
	ADDL R14, BX \
	ADDL R14, DX \
	ADDL R14, R15 \
	store AX, (DI) \
	store BX, size(DI) \
	store DX, (2*size)(DI) \
	store R15, (3*size)(DI) \
	ADDQ $32, SI \
	ADDQ $(4*size), DI

// SEARCH begins the search of values; any goes down as many steps.
#define SEARCH \
	MOVQ dst+0(FP), DI \
	MOVQ x+8(FP), SI \
	MOVQ fours+16(FP), CX \
	MOVQ keys+24(FP), R12 \
	MOVQ bias+40(FP), R14 \
	VPXOR Y0, Y0, Y0 \
	VPCMPEQQ Y1, Y1, Y1 \
	VPSLLQ $63, Y1, Y1 \
	VPXOR Y2, Y2, Y2

#define ANY(store, size) \
any: \
	FOUR \
	MOVQ steps+32(FP), R13 \
step: \
	STEP \
	DECQ R13 \
	JNE  step \
	NEXT(store, size) \
	DECQ CX \
	JNE  any

// FOUND returns whether a value is missing.
#define FOUND \
	VMOVMSKPD Y2, AX \
	MOVQ AX, ret+48(FP) \
	VZEROUPPER \
	RET

// func codesOfFours(dst *int8, x *float64, fours int, keys *uint64, steps, bias int) int
TEXT ·codesOfFours(SB), NOSPLIT, $0-56
	SEARCH
	CMPQ steps+32(FP), $8
	JNE  any
	PCALIGN $32
eight:
	FOUR
	STEP
	STEP
	STEP
	STEP
	STEP
	STEP
	STEP
	STEP
	NEXT(MOVB, 1)
	DECQ CX
	JNE  eight
	JMP  end
	ANY(MOVB, 1)
end:
	FOUND

// func wideCodesOfFours(dst *uint16, x *float64, fours int, keys *uint64, steps, bias int) int
TEXT ·wideCodesOfFours(SB), NOSPLIT, $0-56
	SEARCH
	ANY(MOVW, 2)
	FOUND
