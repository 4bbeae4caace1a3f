//go:build amd64 && !purego

#include "textflag.h"

DATA sideConstants<>+0(SB)/8, $0x8040201008040201
DATA sideConstants<>+8(SB)/8, $0x8040201008040201
DATA sideConstants<>+16(SB)/8, $0x0000000001071f
GLOBL sideConstants<>(SB), RODATA|NOPTR, $24

// func sidesOf(dst, codes *int8, table *SideTable, vectors int)
//
//	Y0, Y1 the two halves of the table   Y2 bits by number   Y3 31, Y4 7, Y5 1 in each byte
TEXT ·sidesOf(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ codes+8(FP), SI
	MOVQ table+16(FP), DX
	MOVQ vectors+24(FP), CX
	VBROADCASTI128 (DX), Y0
	VBROADCASTI128 16(DX), Y1
	VBROADCASTI128 sideConstants<>+0(SB), Y2
	VPBROADCASTB sideConstants<>+16(SB), Y3
	VPBROADCASTB sideConstants<>+17(SB), Y4
	VPBROADCASTB sideConstants<>+18(SB), Y5
	PCALIGN $32
rows:
	VMOVDQU (SI), Y6
	VPSRLW $3, Y6, Y7
	VPAND Y3, Y7, Y7 // the byte of the table
	VPAND Y4, Y6, Y6 // and the bit in it
	VPSHUFB Y7, Y0, Y8
	VPSHUFB Y7, Y1, Y9
	VPSLLW $3, Y7, Y7 // bytes from 16 on have the highest bit
	VPBLENDVB Y7, Y9, Y8, Y8
	VPSHUFB Y6, Y2, Y6
	VPAND Y6, Y8, Y8
	VPCMPEQB Y6, Y8, Y8
	VPADDB Y5, Y8, Y8
	VMOVDQU Y8, (DI)
	ADDQ $32, SI
	ADDQ $32, DI
	DECQ CX
	JNE  rows
	VZEROUPPER
	RET
