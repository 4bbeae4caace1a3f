//go:build amd64 && !purego

#include "textflag.h"

// SIDE puts the side of a row before those of the rows behind it.
#define SIDE(at, temp, sides, load, bytes) \
	MOVL    at(SI), temp \
	load    (R8)(temp*bytes), temp \
	MOVBLZX (R9)(temp*1), temp \
	LEAL    (temp)(sides*2), sides

// EIGHTS is the loop of partEights, for codes of some bytes each that load loads.
//
//	SI row   R11 end   DX next of side 0   DI next of spare   R8 codes   R9 side   R10 order   BX sides   Y0 rows
#define EIGHTS(load, bytes) \
	MOVQ rows+0(FP), SI \
	MOVQ spare+8(FP), DI \
	MOVQ codes+16(FP), R8 \
	MOVQ side+24(FP), R9 \
	MOVQ n+32(FP), CX \
	MOVQ order+40(FP), R10 \
	LEAQ (SI)(CX*4), R11 \
	MOVQ SI, DX \
	PCALIGN $32 \
eight: \
	XORL BX, BX \
	XORL CX, CX \
	SIDE(28, AX, BX, load, bytes) \
	SIDE(12, R13, CX, load, bytes) \
	SIDE(24, AX, BX, load, bytes) \
	SIDE(8, R13, CX, load, bytes) \
	SIDE(20, AX, BX, load, bytes) \
	SIDE(4, R13, CX, load, bytes) \
	SIDE(16, AX, BX, load, bytes) \
	SIDE(0, R13, CX, load, bytes) \
	SHLL $4, BX \
	ORL  CX, BX \
	VMOVDQU (SI), Y0 \
	VPMOVZXBD (R10)(BX*8), Y1 \
	VPERMD Y0, Y1, Y1 \
	POPCNTL BX, AX \
	XORL $255, BX \
	VPMOVZXBD (R10)(BX*8), Y2 \
	VPERMD Y0, Y2, Y2 \
	VMOVDQU Y1, (DI) \
	VMOVDQU Y2, (DX) \
	ADDQ $32, SI \
	LEAQ (DI)(AX*4), DI \
	NEGQ AX \
	LEAQ 32(DX)(AX*4), DX \
	CMPQ SI, R11 \
	JB   eight \
	VZEROUPPER \
	SUBQ spare+8(FP), DI \
	SHRQ $2, DI \
	MOVQ DI, ret+48(FP) \
	RET

// func partEights(rows, spare *int32, codes, side *uint8, n int, order *[256][8]uint8) int
//
// A bit for each of eight rows chooses the order that brings those of side 0 to the front of a vector, and the one that brings the others
// there. Both vectors are stored whole: what is behind those rows is written over, or is where the next ones are stored.
TEXT ·partEights(SB), NOSPLIT, $0-56
	EIGHTS(MOVBLZX, 1)

// func partWideEights(rows, spare *int32, codes *uint16, side *uint8, n int, order *[256][8]uint8) int
TEXT ·partWideEights(SB), NOSPLIT, $0-56
	EIGHTS(MOVWLZX, 2)
