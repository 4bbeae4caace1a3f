//go:build amd64 && !purego

#include "textflag.h"

// TWO puts the values of two rows side by side.
#define TWO(i, x) \
	MOVL    (8*(i))(SI), AX \
	MOVL    (8*(i)+4)(SI), BX \
	IMULQ   R9, AX \
	IMULQ   R9, BX \
	VMOVSD  (R8)(AX*1), x \
	VMOVHPD (R8)(BX*1), x, x

// FOUR makes the values of four rows a vector.
#define FOUR(i, x, y, temp) \
	TWO(2*i, x) \
	TWO(2*i+1, temp) \
	VINSERTF128 $1, temp, y, y

// SINGLE puts a value into a vector.
#define SINGLE(at, place, x) \
	MOVL  (4*(at))(SI), AX \
	IMULQ R9, AX \
	VINSERTPS $place, (R8)(AX*1), x, x

// FOURSINGLE is FOUR for numbers of single precision.
#define FOURSINGLE(i, x, y, temp) \
	VXORPS x, x, x \
	SINGLE(4*i, 0, x) \
	SINGLE(4*i+1, 0x10, x) \
	SINGLE(4*i+2, 0x20, x) \
	SINGLE(4*i+3, 0x30, x) \
	VCVTPS2PD x, y

// GOFIRST makes of four values masks of those that go first.
#define GOFIRST(y) \
	VCMPPD $3, y, y, Y7 \
	VCMPPD $18, Y5, y, y \
	VANDPD Y6, Y7, Y7 \
	VORPD  Y7, y, y

// SEND puts the eight rows at SI to those that go first, whose bits are in BX, and to the others. It
// compares the next rows with their end.
#define SEND \
	VMOVDQU (SI), Y0 \
	VPMOVZXBD (R10)(BX*8), Y1 \
	VPERMD Y0, Y1, Y1 \
	POPCNTL BX, AX \
	XORL $255, BX \
	VPMOVZXBD (R10)(BX*8), Y2 \
	VPERMD Y0, Y2, Y2 \
	VMOVDQU Y2, (DI) \
	VMOVDQU Y1, (DX) \
	ADDQ $32, SI \
	LEAQ (DX)(AX*4), DX \
	NEGQ AX \
	LEAQ 32(DI)(AX*4), DI \
	CMPQ SI, R11

// EIGHTS is partitionValueEights of numbers of 1<<shift bytes each.
//
//	SI row   R11 end   DX next that goes first   DI next of spare   R8 values   R9 bytes between
//	R10 order   Y0 rows   Y5 split point   Y6 missing
#define EIGHTS(shift, four) \
	MOVQ rows+0(FP), SI \
	MOVQ spare+8(FP), DI \
	MOVQ values+16(FP), R8 \
	MOVQ stride+24(FP), R9 \
	MOVQ n+32(FP), CX \
	VBROADCASTSD splitPoint+40(FP), Y5 \
	VBROADCASTSD missing+48(FP), Y6 \
	MOVQ order+56(FP), R10 \
	SHLQ $shift, R9 \
	LEAQ (SI)(CX*4), R11 \
	MOVQ SI, DX \
	PCALIGN $32 \
eight: \
	four(0, X1, Y1, X2) \
	four(1, X3, Y3, X4) \
	GOFIRST(Y1) \
	GOFIRST(Y3) \
	VMOVMSKPD Y1, AX \
	VMOVMSKPD Y3, BX \
	SHLL $4, BX \
	ORL  AX, BX \
	SEND \
	JB   eight \
	VZEROUPPER \
	SUBQ spare+8(FP), DI \
	SHRQ $2, DI \
	MOVQ DI, ret+64(FP) \
	RET

// func partitionValueEights(rows, spare *uint32, values *float64, stride, n int, splitPoint float64, missing uint64, order *[256][8]uint8) int
TEXT ·partitionValueEights(SB), NOSPLIT, $0-72
	EIGHTS(3, FOUR)

// func partitionSingleEights(rows, spare *uint32, values *float32, stride, n int, splitPoint float64, missing uint64, order *[256][8]uint8) int
TEXT ·partitionSingleEights(SB), NOSPLIT, $0-72
	EIGHTS(2, FOURSINGLE)
