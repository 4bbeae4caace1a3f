//go:build amd64 && !purego

#include "go_asm.h"
#include "textflag.h"

// One row goes through two groups of trees at once, so that neither waits for its own last step. A
// code is looked up by one instruction in all codes of the row, which are in registers.
//
//	Z0, Z1 codes   Y2 to Y4 any   Y8, Y9 where the row is in each tree   X10 the sum

#define LOOK32 VPERMB Y0, Y2, Y2
#define LOOK64 VPERMB Z0, Z2, Z2
#define LOOK128 VPERMI2B Z1, Z0, Z2

#define LOAD32 VMOVDQU (DX), Y0
#define LOAD64 VMOVDQU64 (DX), Z0
#define LOAD128 LOAD64 \
	VMOVDQU64 64(DX), Z1

// CHILD goes to a child of a node in each tree of a group.
#define CHILD(nodes, look, cur) \
	VMOVDQU LaneNodes_Column(nodes), Y2 \
	look \
	VMOVDQU LaneNodes_Above(nodes), Y3 \
	VPCMPGTB Y2, Y3, Y3 \
	VPCMPEQB LaneNodes_First(nodes), cur, Y4 \
	VPANDN Y4, Y3, Y3 \
	VPBLENDVB Y3, LaneNodes_Last(nodes), cur, cur

// VALUE adds the value of the leaf in the next tree.
#define VALUE \
	MOVL (R9)(BX*4), AX \
	MOVBLZX (R10)(BX*1), DX \
	INCQ BX \
	ADDQ DX, AX \
	VADDSD (R8)(AX*8), X10, X10

// PAIRS takes a row through all nodes, and adds two values for each as long as there are both.
//
//	R8 values   R9 where those of a tree begin   R10 its leaf   R11 trees   R12 the sum
//	R13 nodes that have two trees   BX tree
#define PAIRS(load, look) \
	MOVQ leaf+0(FP), DI \
	MOVQ a+8(FP), SI \
	MOVQ b+16(FP), R15 \
	MOVQ n+24(FP), CX \
	MOVQ codes+32(FP), DX \
	MOVQ s+40(FP), R12 \
	load \
	VPXOR Y8, Y8, Y8 \
	VPXOR Y9, Y9, Y9 \
	VMOVSD LaneSum_Sum(R12), X10 \
	MOVQ LaneSum_Leaf(R12), R10 \
	MOVQ LaneSum_Value(R12), R8 \
	MOVQ LaneSum_At(R12), R9 \
	MOVQ LaneSum_At+8(R12), R11 \
	MOVQ R11, R13 \
	SHRQ $1, R13 \
	CMPQ R13, CX \
	CMOVQGT CX, R13 \
	SUBQ R13, CX \
	ADDQ R13, R13 \
	XORL BX, BX \
	CMPQ BX, R13 \
	JAE  rest \
	PCALIGN $32 \
both: \
	VALUE \
	CHILD(SI, look, Y8) \
	VALUE \
	CHILD(R15, look, Y9) \
	ADDQ $LaneNodes__size, SI \
	ADDQ $LaneNodes__size, R15 \
	CMPQ BX, R13 \
	JB   both \
rest: \
	TESTQ CX, CX \
	JEQ  scanned \
	PCALIGN $32 \
node: \
	CHILD(SI, look, Y8) \
	CHILD(R15, look, Y9) \
	ADDQ $LaneNodes__size, SI \
	ADDQ $LaneNodes__size, R15 \
	DECQ CX \
	JNE  node \
scanned: \
	CMPQ BX, R11 \
	JAE  added \
value: \
	VALUE \
	CMPQ BX, R11 \
	JB   value \
added: \
	VMOVSD X10, LaneSum_Sum(R12) \
	VMOVDQU Y8, (DI) \
	VMOVDQU Y9, 32(DI) \
	VZEROUPPER \
	RET

// func addPairs32(leaf *uint8, a, b *LaneNodes, n int, codes *[MaxLaneCodes]int8, s *LaneSum)
TEXT ·addPairs32(SB), NOSPLIT, $0-48
	PAIRS(LOAD32, LOOK32)

// func addPairs64(leaf *uint8, a, b *LaneNodes, n int, codes *[MaxLaneCodes]int8, s *LaneSum)
TEXT ·addPairs64(SB), NOSPLIT, $0-48
	PAIRS(LOAD64, LOOK64)

// func addPairs128(leaf *uint8, a, b *LaneNodes, n int, codes *[MaxLaneCodes]int8, s *LaneSum)
TEXT ·addPairs128(SB), NOSPLIT, $0-48
	PAIRS(LOAD128, LOOK128)
