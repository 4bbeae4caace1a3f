//go:build amd64 && !purego

#include "go_asm.h"
#include "textflag.h"

// ROWS takes 32 rows through a node.
//
//	AX codes of the column   Y8 above   Y9 first   Y10 last   Y11, Y12 any   cur the rows' leaves
#define ROWS(i, cur) \
	VPCMPGTB (32*(i))(AX), Y8, Y11 \
	VPCMPEQB cur, Y9, Y12 \
	VPANDN Y12, Y11, Y11 \
	VPBLENDVB Y11, Y10, cur, cur

#define ROWS1 ROWS(0, Y0)
#define ROWS2 ROWS1 \
	ROWS(1, Y1)
#define ROWS4 ROWS2 \
	ROWS(2, Y2) \
	ROWS(3, Y3)
#define ROWS8 ROWS4 \
	ROWS(4, Y4) \
	ROWS(5, Y5) \
	ROWS(6, Y6) \
	ROWS(7, Y7)

#define CLEAR1 VPXOR Y0, Y0, Y0
#define CLEAR2 CLEAR1 \
	VPXOR Y1, Y1, Y1
#define CLEAR4 CLEAR2 \
	VPXOR Y2, Y2, Y2 \
	VPXOR Y3, Y3, Y3
#define CLEAR8 CLEAR4 \
	VPXOR Y4, Y4, Y4 \
	VPXOR Y5, Y5, Y5 \
	VPXOR Y6, Y6, Y6 \
	VPXOR Y7, Y7, Y7

#define STORE1 VMOVDQU Y0, (DI)
#define STORE2 STORE1 \
	VMOVDQU Y1, 32(DI)
#define STORE4 STORE2 \
	VMOVDQU Y2, 64(DI) \
	VMOVDQU Y3, 96(DI)
#define STORE8 STORE4 \
	VMOVDQU Y4, 128(DI) \
	VMOVDQU Y5, 160(DI) \
	VMOVDQU Y6, 192(DI) \
	VMOVDQU Y7, 224(DI)

#define NODE \
	VPBROADCASTB ScanNode_Above(SI), Y8 \
	VPBROADCASTB ScanNode_First(SI), Y9 \
	VPBROADCASTB ScanNode_Last(SI), Y10

// LEVEL takes 32 rows through a level of an oblivious tree: cur, which is the leaf's number plus 1,
// becomes 2 cur - 1 where the code is not above, else 2 cur.
//
//	AX codes of the column   Y8 above   Y11 any   Y13 -1 in each byte
#define LEVEL(i, cur) \
	VPCMPGTB (32*(i))(AX), Y8, Y11 \
	VPADDB cur, cur, cur \
	VPADDB Y11, cur, cur

#define LEVELS2 LEVEL(0, Y0) \
	LEVEL(1, Y1)
#define LEVELS8 LEVELS2 \
	LEVEL(2, Y2) \
	LEVEL(3, Y3) \
	LEVEL(4, Y4) \
	LEVEL(5, Y5) \
	LEVEL(6, Y6) \
	LEVEL(7, Y7)

#define ABOVE VPBROADCASTB ScanNode_Above(SI), Y8

#define ONES2 VPCMPEQB Y13, Y13, Y13 \
	VPABSB Y13, Y0 \
	VPABSB Y13, Y1
#define ONES8 ONES2 \
	VPABSB Y13, Y2 \
	VPABSB Y13, Y3 \
	VPABSB Y13, Y4 \
	VPABSB Y13, Y5 \
	VPABSB Y13, Y6 \
	VPABSB Y13, Y7

#define NUMBERS2 VPADDB Y13, Y0, Y0 \
	VPADDB Y13, Y1, Y1 \
	STORE2
#define NUMBERS8 VPADDB Y13, Y0, Y0 \
	VPADDB Y13, Y1, Y1 \
	VPADDB Y13, Y2, Y2 \
	VPADDB Y13, Y3, Y3 \
	VPADDB Y13, Y4, Y4 \
	VPADDB Y13, Y5, Y5 \
	VPADDB Y13, Y6, Y6 \
	VPADDB Y13, Y7, Y7 \
	STORE8

// SCAN takes rows through trees.
//
//	DI leaf   SI next node   R8 end of the tree's nodes   R9 at   CX trees left   DX codes   R10 nodes
#define SCAN(load, rows, empty, store) \
	MOVQ leaf+0(FP), DI \
	MOVQ nodes+8(FP), R10 \
	MOVQ at+16(FP), R9 \
	MOVQ trees+24(FP), CX \
	MOVQ codes+32(FP), DX \
	MOVLQSX (R9), SI \
	LEAQ (R10)(SI*ScanNode__size), SI \
tree: \
	ADDQ $4, R9 \
	MOVLQSX (R9), R8 \
	LEAQ (R10)(R8*ScanNode__size), R8 \
	empty \
	CMPQ SI, R8 \
	JAE  done \
	PCALIGN $32 \
node: \
	MOVL ScanNode_At(SI), AX \
	load \
	ADDQ DX, AX \
	ADDQ $ScanNode__size, SI \
	rows \
	CMPQ SI, R8 \
	JB   node \
done: \
	store \
	ADDQ $const_ScanRows, DI \
	DECQ CX \
	JNE  tree \
	VZEROUPPER \
	RET

// func scan8(leaf *uint8, nodes *ScanNode, at *int32, trees int, codes *int8)
TEXT ·scan8(SB), NOSPLIT, $0-40
	SCAN(NODE, ROWS8, CLEAR8, STORE8)

// func scan4(leaf *uint8, nodes *ScanNode, at *int32, trees int, codes *int8)
TEXT ·scan4(SB), NOSPLIT, $0-40
	SCAN(NODE, ROWS4, CLEAR4, STORE4)

// func scan2(leaf *uint8, nodes *ScanNode, at *int32, trees int, codes *int8)
TEXT ·scan2(SB), NOSPLIT, $0-40
	SCAN(NODE, ROWS2, CLEAR2, STORE2)

// func scan1(leaf *uint8, nodes *ScanNode, at *int32, trees int, codes *int8)
TEXT ·scan1(SB), NOSPLIT, $0-40
	SCAN(NODE, ROWS1, CLEAR1, STORE1)

// func levels8(leaf *uint8, nodes *ScanNode, at *int32, trees int, codes *int8)
TEXT ·levels8(SB), NOSPLIT, $0-40
	SCAN(ABOVE, LEVELS8, ONES8, NUMBERS8)

// func levels2(leaf *uint8, nodes *ScanNode, at *int32, trees int, codes *int8)
TEXT ·levels2(SB), NOSPLIT, $0-40
	SCAN(ABOVE, LEVELS2, ONES2, NUMBERS2)

#define DOWN \
	CMPQ (R12)(AX*8), R8 \
	ADCQ AX, AX

// func codesOfRow(dst *int8, x *float64, slots *codedSlot, n int, keys *uint64) int
//
//	DI dst   SI x   DX slots   CX slots left   R12 keys of the slot   R10 all keys   R11 the sign bit   R13 missing values
TEXT ·codesOfRow(SB), NOSPLIT, $0-48
	MOVQ dst+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ slots+16(FP), DX
	MOVQ n+24(FP), CX
	MOVQ keys+32(FP), R10
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
	MOVL codedSlot_at(DX), R12
	LEAQ (R10)(R12*8), R12
	MOVL codedSlot_steps(DX), R9
	MOVL $1, AX
	CMPL R9, $8
	JNE  any
	DOWN
	DOWN
	DOWN
	DOWN
	DOWN
	DOWN
	DOWN
	DOWN
found:
	ADDB codedSlot_bias(DX), AX
	MOVB AX, (DI)
next:
	INCQ DI
	ADDQ $codedSlot__size, DX
	DECQ CX
	JNE  slot
	MOVQ R13, ret+40(FP)
	RET
any:
	DOWN
	DECL R9
	JNE  any
	JMP  found
missing:
	MOVL $1, R13
	MOVB codedSlot_missing(DX), AX
	MOVB AX, (DI)
	JMP  next
