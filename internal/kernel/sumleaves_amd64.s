//go:build amd64 && !purego

#include "go_asm.h"
#include "textflag.h"

// ROW adds the value of a tree's leaf to the sum of a row.
#define ROW(i, sum) \
	MOVBLZX i(BX), DX \
	VADDSD (AX)(DX*8), sum, sum

// func sumOfEights(sum *float64, eights int, leaf *uint8, value *float64, at *uint32, trees int)
TEXT ·sumOfEights(SB), NOSPLIT, $0-48
	MOVQ sum+0(FP), DI
	MOVQ eights+8(FP), CX
	MOVQ leaf+16(FP), SI
	MOVQ value+24(FP), R8
	MOVQ at+32(FP), R9
	MOVQ trees+40(FP), R10
	LEAQ (R9)(R10*4), R10
rows:
	VMOVSD (DI), X0
	VMOVSD 8(DI), X1
	VMOVSD 16(DI), X2
	VMOVSD 24(DI), X3
	VMOVSD 32(DI), X4
	VMOVSD 40(DI), X5
	VMOVSD 48(DI), X6
	VMOVSD 56(DI), X7
	MOVQ SI, BX
	MOVQ R9, R11
	PCALIGN $32
tree:
	MOVL (R11), AX
	LEAQ (R8)(AX*8), AX
	ROW(0, X0)
	ROW(1, X1)
	ROW(2, X2)
	ROW(3, X3)
	ROW(4, X4)
	ROW(5, X5)
	ROW(6, X6)
	ROW(7, X7)
	ADDQ $const_ScanRows, BX
	ADDQ $4, R11
	CMPQ R11, R10
	JB   tree
	VMOVSD X0, (DI)
	VMOVSD X1, 8(DI)
	VMOVSD X2, 16(DI)
	VMOVSD X3, 24(DI)
	VMOVSD X4, 32(DI)
	VMOVSD X5, 40(DI)
	VMOVSD X6, 48(DI)
	VMOVSD X7, 56(DI)
	ADDQ $64, DI
	ADDQ $8, SI
	DECQ CX
	JNE  rows
	RET

// func sumOfFour(sum *[4]float64, leaf *uint8, value *float64, at *uint32, trees int)
TEXT ·sumOfFour(SB), NOSPLIT, $0-40
	MOVQ sum+0(FP), DI
	MOVQ leaf+8(FP), BX
	MOVQ value+16(FP), R8
	MOVQ at+24(FP), R11
	MOVQ trees+32(FP), R10
	LEAQ (R11)(R10*4), R10
	VMOVSD (DI), X0
	VMOVSD 8(DI), X1
	VMOVSD 16(DI), X2
	VMOVSD 24(DI), X3
	PCALIGN $32
tree:
	MOVL (R11), AX
	LEAQ (R8)(AX*8), AX
	ROW(0, X0)
	ROW(1, X1)
	ROW(2, X2)
	ROW(3, X3)
	ADDQ $const_ScanRows, BX
	ADDQ $4, R11
	CMPQ R11, R10
	JB   tree
	VMOVSD X0, (DI)
	VMOVSD X1, 8(DI)
	VMOVSD X2, 16(DI)
	VMOVSD X3, 24(DI)
	RET

// TREE adds the value of a row's leaf in a tree.
#define TREE(i) \
	MOVL (4*(i))(R9), AX \
	MOVBLZX i(SI), BX \
	ADDQ BX, AX \
	VADDSD (R8)(AX*8), X0, X0

// func sumOfRow(sum *float64, fours int, leaf *uint8, value *float64, at *uint32)
TEXT ·sumOfRow(SB), NOSPLIT, $0-40
	MOVQ sum+0(FP), DI
	MOVQ fours+8(FP), CX
	MOVQ leaf+16(FP), SI
	MOVQ value+24(FP), R8
	MOVQ at+32(FP), R9
	VMOVSD (DI), X0
	PCALIGN $32
fours:
	TREE(0)
	TREE(1)
	TREE(2)
	TREE(3)
	ADDQ $4, SI
	ADDQ $16, R9
	DECQ CX
	JNE  fours
	VMOVSD X0, (DI)
	RET
