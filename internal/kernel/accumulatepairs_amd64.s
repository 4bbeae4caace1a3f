//go:build amd64 && !purego

#include "textflag.h"

// func accumulatePairs(dst *float64, slots *int32, n int, value *float64, scale float64)
TEXT ·accumulatePairs(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), DI
	MOVQ slots+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ value+24(FP), DX
	MOVSD scale+32(FP), X0
	UNPCKLPD X0, X0
	PCALIGN $32
two:
	MOVLQSX (SI), AX
	MOVLQSX 4(SI), BX
	SHLQ $4, AX
	SHLQ $4, BX
	MOVUPD (DX)(AX*1), X1
	MOVUPD (DX)(BX*1), X2
	MOVUPD (DI), X3
	MOVUPD 16(DI), X4
	MULPD X0, X1
	MULPD X0, X2
	ADDPD X1, X3
	ADDPD X2, X4
	MOVUPD X3, (DI)
	MOVUPD X4, 16(DI)
	ADDQ $8, SI
	ADDQ $32, DI
	SUBQ $2, CX
	JNE  two
	RET
