//go:build amd64 && !purego

#include "go_asm.h"
#include "textflag.h"

// RANK and LEVEL add the side of a row to others, as their lowest bit: 1 for those that go first.
//
//	SI rows   DI codes   BX, R9 what they are compared with   AX any
#define RANK(i, bits, row) \
	MOVWLZX (2*(i))(SI), AX \
	CMPW (DI)(AX*row), BX \
	ADCL bits, bits

#define LEVEL(i, bits, row) \
	MOVWLZX (2*(i))(SI), AX \
	MOVWLZX (DI)(AX*row), AX \
	BTQ AX, R9 \
	ADCL bits, bits

// EIGHT adds the sides of four rows to each of two parts, from the last row to the first.
#define EIGHT(test, i, row) \
	test(i+19, R10, row) \
	test(i+3, R11, row) \
	test(i+18, R10, row) \
	test(i+2, R11, row) \
	test(i+17, R10, row) \
	test(i+1, R11, row) \
	test(i+16, R10, row) \
	test(i, R11, row)

// SIDES makes the sides of 32 rows bits of R11.
#define SIDES(test, row) \
	XORL R10, R10 \
	XORL R11, R11 \
	EIGHT(test, 12, row) \
	EIGHT(test, 8, row) \
	EIGHT(test, 4, row) \
	EIGHT(test, 0, row) \
	SHLL $16, R10 \
	ORL  R10, R11 \
	MOVL R11, R12 \
	NOTL R12

// PACK moves a vector's rows to where those go that are first, and to spare.
//
//	R11 who goes first   R12 who goes second   DX next first   R8 next spare
#define PACK \
	KMOVD R11, K1 \
	KMOVD R12, K2 \
	VMOVDQU16 (SI), Z16 \
	VPCOMPRESSW.Z Z16, K1, Z17 \
	VPCOMPRESSW.Z Z16, K2, Z18 \
	POPCNTL R11, AX \
	POPCNTL R12, R12 \
	VMOVDQU16 Z17, (DX) \
	VMOVDQU16 Z18, (R8) \
	LEAQ (DX)(AX*2), DX \
	LEAQ (R8)(R12*2), R8 \
	ADDQ $64, SI

// LIST partitions a list by vectors of 32 rows. What they write behind it is put right at the end. No more than 64 bytes behind the
// list are read and written. Vectors from the 16th on need no VZEROUPPER.
#define LIST(test, row) \
	MOVQ rows+0(FP), SI \
	MOVQ spare+8(FP), R8 \
	MOVQ n+16(FP), CX \
	MOVQ x+24(FP), DI \
	MOVQ SI, DX \
	LEAQ (SI)(CX*2), R13 \
	VMOVDQU16 (R13), Z19 \
	SUBQ $32, CX \
	JB   rest \
	PCALIGN $32 \
loop: \
	SIDES(test, row) \
	PACK \
	SUBQ $32, CX \
	JAE  loop \
rest: \
	ADDQ $32, CX \
	JEQ  back \
	SIDES(test, row) \
	BZHIL CX, R11, R11 \
	BZHIL CX, R12, R12 \
	PACK \
back: \
	MOVQ DX, AX \
	SUBQ rows+0(FP), AX \
	SHRQ $1, AX \
	MOVQ AX, ret+40(FP) \
	MOVQ spare+8(FP), R12 \
copy: \
	VMOVDQU16 (R12), Z16 \
	VMOVDQU16 Z16, (DX) \
	ADDQ $64, R12 \
	ADDQ $64, DX \
	CMPQ R12, R8 \
	JB   copy \
	VMOVDQU16 Z19, (R13) \
	RET

// func packRanks(rows, spare *uint16, n int, x *uint16, base uint16) int
TEXT ·packRanks(SB), NOSPLIT, $0-48
	MOVWLZX base+32(FP), BX
	LIST(RANK, 8)

// func packLevels(rows, spare *uint16, n int, x *uint16, side uint64) int
TEXT ·packLevels(SB), NOSPLIT, $0-48
	MOVQ side+32(FP), R9
	NOTQ R9
	LIST(LEVEL, 8)

// func packRanksOfStrip(rows, spare *uint16, n int, x *uint16, base uint16) int
TEXT ·packRanksOfStrip(SB), NOSPLIT, $0-48
	MOVWLZX base+32(FP), BX
	LIST(RANK, 1)

// func packLevelsOfStrip(rows, spare *uint16, n int, x *uint16, side uint64) int
TEXT ·packLevelsOfStrip(SB), NOSPLIT, $0-48
	MOVQ side+32(FP), R9
	NOTQ R9
	LIST(LEVEL, 1)

// func wanderAll(going *wanderer, n int, nodes *ranked, start *uint32, x *uint16, out *int32)
//
//	SI nodes   DI x   R8 start   R9 out   R10 going   R11 the next one   R13 the last one's end   R12 those who go on
//	CX node, side   BX row   DX code   R15 base   AX child
TEXT ·wanderAll(SB), NOSPLIT, $0-48
	MOVQ going+0(FP), R10
	MOVQ n+8(FP), R12
	MOVQ nodes+16(FP), SI
	MOVQ start+24(FP), R8
	MOVQ x+32(FP), DI
	MOVQ out+40(FP), R9
level:
	LEAQ (R10)(R12*wanderer__size), R13
	MOVQ R10, R11
	XORL R12, R12
	PCALIGN $32
step:
	MOVL wanderer_node(R11), CX
	MOVL wanderer_row(R11), BX
	SHLQ $4, CX
	MOVWLZX ranked_value(SI)(CX*1), DX
	MOVL (R8)(DX*4), DX
	LEAQ (DX)(BX*4), DX
	MOVWLZX (DI)(DX*2), DX
	MOVWLZX ranked_base(SI)(CX*1), R15
	MOVL ranked_child(SI)(CX*1), AX
	MOVQ ranked_side(SI)(CX*1), CX
	SUBQ R15, DX
	SARXQ AX, DX, DX
	SHRXQ DX, CX, CX
	ANDL $1, CX
	SHRL $const_turnBits, AX
	MOVL AX, (R9)(BX*1)
	ADDL CX, AX
	MOVL AX, wanderer_node(R10)(R12*wanderer__size)
	MOVL BX, wanderer_row(R10)(R12*wanderer__size)
	CMPL R15, $const_leafBase // carry: it is no leaf
	ADCQ $0, R12
	ADDQ $wanderer__size, R11
	CMPQ R11, R13
	JB   step
	TESTQ R12, R12
	JNE  level
	RET
