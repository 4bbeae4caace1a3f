//go:build amd64 && !purego

#include "textflag.h"

// PAIR puts the values of two rows side by side.
#define PAIR(i, x) \
	MOVL    (8*i)(SI), R8 \
	MOVL    (8*i+4)(SI), R9 \
	VMOVSD  (DI)(R8*8), x \
	VMOVHPD (DI)(R9*8), x, x

// FIRST makes of four values masks of those that go first.
#define FIRST(y) \
	VCMPPD $3, y, y, Y7 \
	VCMPPD $18, Y5, y, y \
	VPAND  Y6, Y7, Y7 \
	VPOR   Y7, y, y

// PACK writes eight rows, of which those in AX go first, to both ends of what is left of a list.
#define PACK \
	VMOVDQU (SI), Y0 \
	POPCNTL AX, BX \
	VPMOVZXBD (R10)(AX*8), Y1 \
	VPERMD  Y0, Y1, Y0 \
	VMOVDQU Y0, (DX) \
	VMOVDQU Y0, -32(DX)(CX*4) \
	LEAQ    (DX)(BX*4), DX \
	ADDQ    $32, SI \
	SUBQ    $8, CX

// func vectorsOfRows(to, rows *int32, n int, values *float64, splitPoint float64, missing uint64, order *[256][8]uint8) int
//
//	DX beginning   CX rows to go   SI rows   DI values   R10 order   Y5 split point   Y6 missing
TEXT ·vectorsOfRows(SB), NOSPLIT, $0-64
	MOVQ to+0(FP), DX
	MOVQ rows+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ values+24(FP), DI
	VBROADCASTSD splitPoint+32(FP), Y5
	VBROADCASTSD missing+40(FP), Y6
	MOVQ order+48(FP), R10
	PCALIGN $32
eight:
	PAIR(0, X1)
	PAIR(1, X2)
	PAIR(2, X3)
	PAIR(3, X4)
	VINSERTF128 $1, X2, Y1, Y1
	VINSERTF128 $1, X4, Y3, Y3
	FIRST(Y1)
	FIRST(Y3)
	VMOVMSKPD Y1, AX
	VMOVMSKPD Y3, BX
	SHLL $4, BX
	ORL  BX, AX
	PACK
	CMPQ    CX, $16
	JGE     eight
	VZEROUPPER
	SUBQ to+0(FP), DX
	SHRQ $2, DX
	MOVQ DX, ret+56(FP)
	RET

// CODE puts the code of a row into a vector.
#define CODE(row, i, x) \
	MOVL    (4*row)(SI), R8 \
	VPINSRD $i, (DI)(R8*4), x, x

// func vectorsOfCodes(to, rows *int32, n int, codes *uint32, sides *Sides, order *[256][8]uint8) int
//
//	X5 sides, in both halves of Y5   Y6 all 2   Y7 all 127   Y8 all 31
TEXT ·vectorsOfCodes(SB), NOSPLIT, $0-56
	MOVQ to+0(FP), DX
	MOVQ rows+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ codes+24(FP), DI
	MOVQ sides+32(FP), AX
	VBROADCASTI128 (AX), Y5
	MOVQ order+40(FP), R10
	VPCMPEQD Y9, Y9, Y9
	VPSRLD $31, Y9, Y6
	VPADDD Y6, Y6, Y6
	VPSRLD $25, Y9, Y7
	VPSRLD $27, Y9, Y8
	PCALIGN $32
eight:
	VPXOR X1, X1, X1
	VPXOR X2, X2, X2
	CODE(0, 0, X1)
	CODE(4, 0, X2)
	CODE(1, 1, X1)
	CODE(5, 1, X2)
	CODE(2, 2, X1)
	CODE(6, 2, X2)
	CODE(3, 3, X1)
	CODE(7, 3, X2)
	VINSERTI128 $1, X2, Y1, Y1
	VPADDD Y6, Y1, Y1
	VPMINUD Y7, Y1, Y1
	VPSRLD $5, Y1, Y2
	VPERMILPS Y2, Y5, Y2 // the 32 sides among which the code's is
	VPANDN Y8, Y1, Y1
	VPSLLVD Y1, Y2, Y2 // that side is the highest bit
	VMOVMSKPS Y2, AX
	PACK
	CMPQ CX, $16
	JGE  eight
	VZEROUPPER
	SUBQ to+0(FP), DX
	SHRQ $2, DX
	MOVQ DX, ret+48(FP)
	RET
