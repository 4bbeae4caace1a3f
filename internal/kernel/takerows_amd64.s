//go:build amd64 && !purego

#include "textflag.h"

// func takeLines(dst, table unsafe.Pointer, bytes int, rows *uint32, n int)
//
//	DI dst   SI table   BX bytes of a row   R8 row   R9 last row   DX bytes to go of the row
//	R11 the row that is eight later   R12 the row
TEXT ·takeLines(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), DI
	MOVQ table+8(FP), SI
	MOVQ bytes+16(FP), BX
	MOVQ rows+24(FP), R8
	MOVQ n+32(FP), CX
	LEAQ -4(R8)(CX*4), R9
	PCALIGN $32

row:
	LEAQ 32(R8), R10
	CMPQ R10, R9
	CMOVQHI R9, R10
	MOVL (R10), R11
	MOVL (R8), R12
	IMULQ BX, R11
	IMULQ BX, R12
	ADDQ SI, R11
	ADDQ SI, R12
	MOVQ BX, DX

line:
	PREFETCHT0 (R11)
	VMOVUPS (R12), Y0
	VMOVUPS 32(R12), Y1
	VMOVUPS Y0, (DI)
	VMOVUPS Y1, 32(DI)
	ADDQ $64, R11
	ADDQ $64, R12
	ADDQ $64, DI
	SUBQ $64, DX
	JNE  line
	ADDQ $4, R8
	CMPQ R8, R9
	JLS  row
	VZEROUPPER
	RET
