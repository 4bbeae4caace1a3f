//go:build amd64 && !purego

#include "go_asm.h"
#include "textflag.h"

DATA rowBitsMasks<>+0(SB)/8, $0x55330f
GLOBL rowBitsMasks<>(SB), RODATA|NOPTR, $8

#define MASKS \
	VPBROADCASTB rowBitsMasks<>+0(SB), Y13 \
	VPBROADCASTB rowBitsMasks<>+1(SB), Y14 \
	VPBROADCASTB rowBitsMasks<>+2(SB), Y15

// SWAP exchanges bits of two registers.
#define SWAP(shift, mask, a, b) \
	VPSRLQ shift, a, Y8 \
	VPXOR b, Y8, Y8 \
	VPAND mask, Y8, Y8 \
	VPXOR Y8, b, b \
	VPSLLQ shift, Y8, Y8 \
	VPXOR Y8, a, a

// TRANSPOSE exchanges bit c of each byte of register k with bit k of that byte in register c.
#define TRANSPOSE \
	SWAP($4, Y13, Y0, Y4) \
	SWAP($4, Y13, Y1, Y5) \
	SWAP($4, Y13, Y2, Y6) \
	SWAP($4, Y13, Y3, Y7) \
	SWAP($2, Y14, Y0, Y2) \
	SWAP($2, Y14, Y1, Y3) \
	SWAP($2, Y14, Y4, Y6) \
	SWAP($2, Y14, Y5, Y7) \
	SWAP($1, Y15, Y0, Y1) \
	SWAP($1, Y15, Y2, Y3) \
	SWAP($1, Y15, Y4, Y5) \
	SWAP($1, Y15, Y6, Y7)

// THREE makes of three bits in which bytes their number is greater than 0 to 6, in Y8 to Y14.
#define THREE(p0, p1, p2) \
	VPOR  p1, p0, Y15 \
	VPOR  p2, Y15, Y8 \
	VPAND p2, Y15, Y12 \
	VPOR  p2, p1, Y9 \
	VPAND p2, p1, Y13 \
	VPAND p1, p0, Y15 \
	VPOR  p2, Y15, Y10 \
	VPAND p2, Y15, Y14 \
	VMOVDQA p2, Y11

#define CODES(k, to) \
	VMOVDQU (32*(k))(SI), to \
	VPSUBB Y15, to, to

// HIGH stores in which bytes the high four bits are greater than two numbers.
#define HIGH(i, three) \
	VPOR three, Y7, Y15 \
	VMOVDQU Y15, (32*(i)+32)(BX) \
	VPAND three, Y7, Y15 \
	VMOVDQU Y15, (32*(i)+32*9)(BX)

// CODE writes which rows have greater codes.
#define CODE(v, low) \
	VPAND (BX), low, Y15 \
	VPOR 32(BX), Y15, Y15 \
	VMOVDQU Y15, (32*(v))(DI)

#define CUT(i, plane) VPXOR (32*(i))(BX), plane, plane

// NODE makes a cut, of the rows that place finds.
#define NODE(test, low, high, cut, place) \
	MOVL CutNode_Test(SI), low \
	MOVWLZX low, test \
	SHRL $16, low \
	place \
	SHLL $5, test \
	VMOVDQU (DX)(test*1), cut \
	VPAND (R8)(low*1), cut, cut \
	MOVL CutNode_High(SI), high \
	MOVWLZX high, test \
	SHRL $16, high \
	VPOR (R8)(test*1), cut, cut \
	VMOVDQU cut, (R8)(high*1) \
	ADDQ $CutNode__size, SI

// AS_IT_IS leaves a test.
#define AS_IT_IS

// PLACE adds the place of the next split point to a test.
#define PLACE \
	MOVL (R14), CX \
	ADDQ $4, R14 \
	ANDL R12, AX \
	MOVWLZX (R15)(CX*2), CX \
	ADDL CX, AX

// CUTS begins the cuts of all trees. No row is in a cut from the number of leaves on, up to a
// multiple of 32.
//
//	DI leaf   R9 trees   R10 their end   SI nodes   R11 their end   DX bits   R8 cuts
#define CUTS \
	MOVQ leaf+0(FP), DI \
	MOVQ trees+8(FP), R9 \
	MOVQ n+16(FP), R10 \
	MOVQ nodes+24(FP), SI \
	MOVQ m+32(FP), R11 \
	MOVQ bits+40(FP), DX \
	MOVQ cuts+48(FP), R8 \
	LEAQ (R9)(R10*CutTree__size), R10 \
	LEAQ (SI)(R11*CutNode__size), R11 \
	VPCMPEQB Y0, Y0, Y0 \
	VPXOR Y1, Y1, Y1 \
	MASKS \
	MOVQ R9, CX \
begin: \
	MOVWLZX CutTree_First(CX), BX \
	MOVWLZX CutTree_Leaves(CX), AX \
	ADDQ R8, BX \
	VMOVDQU Y0, (BX) \
	LEAQ 31(AX), R12 \
	SHLQ $5, AX \
	ADDQ BX, AX \
	ANDQ $~31, R12 \
	SHLQ $5, R12 \
	ADDQ BX, R12 \
empty: \
	VMOVDQU Y1, (AX) \
	ADDQ $32, AX \
	CMPQ AX, R12 \
	JLS  empty \
	ADDQ $CutTree__size, CX \
	CMPQ CX, R10 \
	JB   begin

// LEAVES writes the leaves of all trees.
#define LEAVES \
tree: \
	MOVWLZX CutTree_First(R9), R13 \
	MOVWLZX CutTree_Leaves(R9), R12 \
	ADDQ R8, R13 \
	DECQ R12 \
	SHRQ $5, R12 \
	MOVQ R12, AX \
	MOVQ R13, BX \
	VPXOR Y0, Y0, Y0 \
	VPXOR Y1, Y1, Y1 \
	VPXOR Y2, Y2, Y2 \
	VPXOR Y3, Y3, Y3 \
	VPXOR Y4, Y4, Y4 \
	VPXOR Y5, Y5, Y5 \
	VPXOR Y6, Y6, Y6 \
	VPXOR Y7, Y7, Y7 \
block: \
	CUT(1, Y0) \
	CUT(2, Y1) \
	CUT(3, Y0) \
	CUT(4, Y2) \
	CUT(5, Y0) \
	CUT(6, Y1) \
	CUT(7, Y0) \
	CUT(8, Y3) \
	CUT(9, Y0) \
	CUT(10, Y1) \
	CUT(11, Y0) \
	CUT(12, Y2) \
	CUT(13, Y0) \
	CUT(14, Y1) \
	CUT(15, Y0) \
	CUT(16, Y4) \
	CUT(17, Y0) \
	CUT(18, Y1) \
	CUT(19, Y0) \
	CUT(20, Y2) \
	CUT(21, Y0) \
	CUT(22, Y1) \
	CUT(23, Y0) \
	CUT(24, Y3) \
	CUT(25, Y0) \
	CUT(26, Y1) \
	CUT(27, Y0) \
	CUT(28, Y2) \
	CUT(29, Y0) \
	CUT(30, Y1) \
	CUT(31, Y0) \
	ADDQ $1024, BX \
	DECQ AX \
	JGE  block \
	MOVQ R13, BX \
	CMPQ R12, $1 \
	JB   planes \
	CUT(32, Y5) \
	JEQ  planes \
	CUT(64, Y6) \
	CMPQ R12, $3 \
	JB   planes \
	CUT(96, Y5) \
	JEQ  planes \
	CUT(128, Y7) \
	CMPQ R12, $5 \
	JB   planes \
	CUT(160, Y5) \
	JEQ  planes \
	CUT(192, Y6) \
	CMPQ R12, $7 \
	JB   planes \
	CUT(224, Y5) \
planes: \
	VPXOR Y7, Y6, Y6 \
	VPXOR Y6, Y5, Y5 \
	VPXOR Y5, Y4, Y4 \
	VPXOR Y4, Y3, Y3 \
	VPXOR Y3, Y2, Y2 \
	VPXOR Y2, Y1, Y1 \
	VPXOR Y1, Y0, Y0 \
	TRANSPOSE \
	VMOVDQU Y0, (DI) \
	VMOVDQU Y1, 32(DI) \
	VMOVDQU Y2, 64(DI) \
	VMOVDQU Y3, 96(DI) \
	VMOVDQU Y4, 128(DI) \
	VMOVDQU Y5, 160(DI) \
	VMOVDQU Y6, 192(DI) \
	VMOVDQU Y7, 224(DI) \
	ADDQ $const_ScanRows, DI \
	ADDQ $CutTree__size, R9 \
	CMPQ R9, R10 \
	JB   tree \
	VZEROUPPER \
	RET

// func codeBits(dst *RowBits, steps int, codes *int8, first int)
//
//	BX for the high four bits greater than -1, 0, ... 15; where a vector does not cross cache lines
TEXT ·codeBits(SB), 0, $576-32
	MOVQ dst+0(FP), DI
	MOVQ steps+8(FP), CX
	MOVQ codes+16(FP), SI
	MOVQ first+24(FP), AX
	VMOVQ AX, X15
	VPBROADCASTB X15, Y15
	CODES(0, Y0)
	CODES(1, Y1)
	CODES(2, Y2)
	CODES(3, Y3)
	CODES(4, Y4)
	CODES(5, Y5)
	CODES(6, Y6)
	CODES(7, Y7)
	MASKS
	TRANSPOSE
	VPCMPEQB Y15, Y15, Y15
	LEAQ 31(SP), BX
	ANDQ $~31, BX
	VMOVDQU Y15, (BX)
	THREE(Y4, Y5, Y6)
	HIGH(0, Y8)
	HIGH(1, Y9)
	HIGH(2, Y10)
	HIGH(3, Y11)
	HIGH(4, Y12)
	HIGH(5, Y13)
	HIGH(6, Y14)
	VMOVDQU Y7, (32*8)(BX)
	VPXOR Y15, Y15, Y15
	VMOVDQU Y15, (32*16)(BX)
	THREE(Y0, Y1, Y2)
	VPOR Y8, Y3, Y0
	VPOR Y9, Y3, Y1
	VPOR Y10, Y3, Y2
	VPOR Y11, Y3, Y4
	VPOR Y12, Y3, Y5
	VPOR Y13, Y3, Y6
	VPOR Y14, Y3, Y7
	VPAND Y8, Y3, Y8
	VPAND Y9, Y3, Y9
	VPAND Y10, Y3, Y10
	VPAND Y11, Y3, Y11
	VPAND Y12, Y3, Y12
	VPAND Y13, Y3, Y13
	VPAND Y14, Y3, Y14
	PCALIGN $32
step:
	CODE(0, Y0)
	CODE(1, Y1)
	CODE(2, Y2)
	CODE(3, Y4)
	CODE(4, Y5)
	CODE(5, Y6)
	CODE(6, Y7)
	CODE(7, Y3)
	CODE(8, Y8)
	CODE(9, Y9)
	CODE(10, Y10)
	CODE(11, Y11)
	CODE(12, Y12)
	CODE(13, Y13)
	CODE(14, Y14)
	VMOVDQU 32(BX), Y15
	VMOVDQU Y15, (32*15)(DI)
	ADDQ $32, BX
	ADDQ $512, DI
	DECQ CX
	JNE  step
	VZEROUPPER
	RET

// func scanCuts(leaf *uint8, trees *CutTree, n int, nodes *CutNode, m int, bits *RowBits, cuts *Cuts)
TEXT ·scanCuts(SB), NOSPLIT, $0-56
	CUTS
	CMPQ SI, R11
	JAE  tree
	PCALIGN $32
node:
	NODE(AX, BX, R13, Y0, AS_IT_IS)
	CMPQ SI, R11
	JB   node
	LEAVES

// func scanPlaced(leaf *uint8, trees *CutTree, n int, nodes *CutNode, m int, bits *RowBits, cuts *Cuts, points *uint32, place *uint16, mask int)
//
//	R14 number of the next split point   R15 places   R12 bits of tests that count
TEXT ·scanPlaced(SB), NOSPLIT, $0-80
	CUTS
	MOVQ points+56(FP), R14
	MOVQ place+64(FP), R15
	MOVQ mask+72(FP), R12
	PCALIGN $32
node:
	NODE(AX, BX, R13, Y0, PLACE)
	CMPQ SI, R11
	JB   node
	LEAVES
