//go:build amd64 && !purego

#include "go_asm.h"
#include "textflag.h"

// SIDE puts the side of a row before those of the rows behind it.
#define SIDE(at, temp, sides, load, bytes) \
	MOVL    at(SI), temp \
	load    (R8)(temp*bytes), temp \
	MOVBLZX (R9)(temp*1), temp \
	LEAL    (temp)(sides*2), sides

// FETCHCODE prefetches the code of a row to come.
#define FETCHCODE(at, bytes) \
	MOVL at(R12), AX \
	PREFETCHT1 (R8)(AX*bytes)

// FETCHCODES prefetches the codes of the eight rows that are codesAhead rows after the current ones, or of the last eight.
#define FETCHCODES(bytes) \
	LEAQ (const_codesAhead*4)(SI), R12 \
	CMPQ R12, R14 \
	CMOVQHI R14, R12 \
	FETCHCODE(0, bytes) \
	FETCHCODE(4, bytes) \
	FETCHCODE(8, bytes) \
	FETCHCODE(12, bytes) \
	FETCHCODE(16, bytes) \
	FETCHCODE(20, bytes) \
	FETCHCODE(24, bytes) \
	FETCHCODE(28, bytes)

// FETCHNONE prefetches nothing.
#define FETCHNONE(bytes)

// EIGHTS is the loop of partitionEights, for codes of some bytes each that load loads.
//
//	SI row   R11 end   DX next of side 0   DI next of spare   R8 codes   R9 side   R10 order   BX sides   Y0 rows
//	R14 last eight rows   R12 those whose codes are fetched
#define EIGHTS(load, bytes, fetch) \
	MOVQ rows+0(FP), SI \
	MOVQ spare+8(FP), DI \
	MOVQ codes+16(FP), R8 \
	MOVQ side+24(FP), R9 \
	MOVQ n+32(FP), CX \
	MOVQ order+40(FP), R10 \
	LEAQ (SI)(CX*4), R11 \
	LEAQ -32(R11), R14 \
	MOVQ SI, DX \
	PCALIGN $32 \
eight: \
	fetch(bytes) \
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

// WORDS makes words of sides, a bit each, as many bytes of words as are told.
#define WORDS(to, bytes) \
	MOVQ side+24(FP), R9 \
	XORL CX, CX \
words: \
	VMOVDQU (R9)(CX*8), Y0 \
	VPSLLW $7, Y0, Y0 \
	VPMOVMSKB Y0, AX \
	MOVL AX, to(CX*1) \
	ADDQ $4, CX \
	CMPQ CX, $bytes \
	JB   words

// SIXTEENS is the loop of partitionSixteens, of 1<<per codes in 4 bytes, 1<<places bits each; first is where the last of them begins.
//
//	SI row   R11 end   DX next of side 0   DI next of spare   R8 codes, aligned   Z15 what they were off by   Z14 first   Z13 1
//	Z12 sides   Z0 rows
#define SIXTEENS(per, places, first) \
	MOVQ rows+0(FP), SI \
	MOVQ spare+8(FP), DI \
	MOVQ codes+16(FP), R8 \
	MOVQ n+32(FP), CX \
	LEAQ (SI)(CX*4), R11 \
	MOVQ SI, DX \
	MOVL R8, AX \
	ANDL $3, AX \
	SHRL $(2-per), AX \
	VPBROADCASTD AX, Z15 \
	ANDQ $-4, R8 \
	MOVL $first, AX \
	VPBROADCASTD AX, Z14 \
	MOVL $1, AX \
	VPBROADCASTD AX, Z13 \
	PCALIGN $32 \
sixteen: \
	VMOVDQU32 (SI), Z0 \
	VPADDD Z15, Z0, Z1 \
	VPSRLD $per, Z1, Z2 \
	VPSLLD $places, Z1, Z1 \
	VPANDD Z14, Z1, Z1 \
	KXNORW K1, K1, K1 \
	VPXORD Z3, Z3, Z3 \
	VPGATHERDD (R8)(Z2*4), K1, Z3 \
	VPSRLVD Z1, Z3, Z3 \
	VPSRLD $5, Z3, Z4 \
	VPERMD Z12, Z4, Z4 \
	VPRORVD Z3, Z4, Z4 \
	VPTESTMD Z13, Z4, K2 \
	VPTESTNMD Z13, Z4, K3 \
	VPCOMPRESSD.Z Z0, K2, Z1 \
	VPCOMPRESSD.Z Z0, K3, Z2 \
	KMOVW K2, AX \
	POPCNTL AX, AX \
	VMOVDQU32 Z1, (DI) \
	VMOVDQU32 Z2, (DX) \
	ADDQ $64, SI \
	LEAQ (DI)(AX*4), DI \
	NEGQ AX \
	LEAQ 64(DX)(AX*4), DX \
	CMPQ SI, R11 \
	JB   sixteen \
	VZEROUPPER \
	SUBQ spare+8(FP), DI \
	SHRQ $2, DI \
	MOVQ DI, ret+40(FP) \
	RET

// func partitionEights(rows, spare *int32, codes, side *uint8, n int, order *[256][8]uint8) int
//
// A bit for each of eight rows chooses the order that brings those of side 0 to the front of a vector, and the one that brings the others
// there. Both vectors are stored whole: what is behind those rows is written over, or is where the next ones are stored.
TEXT ·partitionEights(SB), NOSPLIT, $0-56
	EIGHTS(MOVBLZX, 1, FETCHNONE)

// func partitionWideEights(rows, spare *int32, codes *uint16, side *uint8, n int, order *[256][8]uint8) int
TEXT ·partitionWideEights(SB), NOSPLIT, $0-56
	EIGHTS(MOVWLZX, 2, FETCHNONE)

// func partitionFarEights(rows, spare *int32, codes, side *uint8, n int, order *[256][8]uint8) int
TEXT ·partitionFarEights(SB), NOSPLIT, $0-56
	EIGHTS(MOVBLZX, 1, FETCHCODES)

// func partitionFarWideEights(rows, spare *int32, codes *uint16, side *uint8, n int, order *[256][8]uint8) int
TEXT ·partitionFarWideEights(SB), NOSPLIT, $0-56
	EIGHTS(MOVWLZX, 2, FETCHCODES)

// func partitionSixteens(rows, spare *int32, codes, side *uint8, n int) int
//
// What partitionEights does, with the codes of sixteen rows gathered: each with its neighbours in 4 bytes that are aligned, so that none is read
// beyond the page of a code. Their sides are bits of eight words, which code/32 chooses and code%32 turns to the front.
TEXT ·partitionSixteens(SB), NOSPLIT, $32-48
	WORDS(words-32(SP), 32)
	VBROADCASTI64X4 words-32(SP), Z12
	SIXTEENS(2, 3, 24)

// func partitionWideSixteens(rows, spare *int32, codes *uint16, side *uint8, n int) int
TEXT ·partitionWideSixteens(SB), NOSPLIT, $64-48
	WORDS(words-64(SP), 64)
	VMOVDQU32 words-64(SP), Z12
	SIXTEENS(1, 4, 16)
