//go:build amd64 && !purego

#include "textflag.h"

// func squaresInVectors(out *Squares, counts *uint16, values, vectors int) int
//
//	DI out   SI counts   CX values   DX vectors   R8 bytes from value to value   R14 the value at hand
//	0(SP) rows by class   128(SP) those up to the value at hand
//	Y1 side   Y2 cross   Y3 rows   Y4 counters of the value, or-ed   Y5 0   Y15 ones
TEXT ·squaresInVectors(SB), NOSPLIT, $256-40
	MOVQ out+0(FP), DI
	MOVQ counts+8(FP), SI
	MOVQ values+16(FP), CX
	MOVQ vectors+24(FP), DX
	MOVQ DX, R8
	SHLQ $5, R8
	VPXOR Y5, Y5, Y5
	VPCMPEQW Y15, Y15, Y15
	VPSRLW $15, Y15, Y15
	LEAQ 0(SP), R9
	MOVQ SI, R10
	MOVQ DX, R11

totals:
	VPXOR Y0, Y0, Y0
	MOVQ R10, R12
	MOVQ CX, R13

total:
	VPADDW (R12), Y0, Y0
	ADDQ R8, R12
	DECQ R13
	JNE total
	VMOVDQU Y0, (R9)
	VMOVDQU Y5, 128(R9)
	ADDQ $32, R9
	ADDQ $32, R10
	DECQ R11
	JNE totals
	XORL R14, R14
	PCALIGN $32

value:
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	VPXOR Y4, Y4, Y4
	LEAQ 0(SP), R9
	MOVQ DX, R11

vector:
	VMOVDQU (SI), Y0
	VMOVDQU Y5, (SI)
	VPOR Y0, Y4, Y4
	VPADDW 128(R9), Y0, Y0
	VMOVDQU Y0, 128(R9)
	VPMADDWD Y0, Y0, Y6
	VPADDD Y6, Y1, Y1
	VPMADDWD (R9), Y0, Y6
	VPADDD Y6, Y2, Y2
	VPMADDWD Y15, Y0, Y6
	VPADDD Y6, Y3, Y3
	ADDQ $32, SI
	ADDQ $32, R9
	DECQ R11
	JNE vector
	VPHADDD Y2, Y1, Y1
	VPHADDD Y5, Y3, Y3
	VPHADDD Y3, Y1, Y1
	VEXTRACTI128 $1, Y1, X2
	VPADDD X2, X1, X1
	VPINSRD $3, R14, X1, X1
	VMOVDQU X1, (DI)
	XORL R10, R10
	VPTEST Y4, Y4
	SETNE R10
	SHLQ $4, R10
	ADDQ R10, DI
	INCQ R14
	CMPQ R14, CX
	JNE value
	VZEROUPPER
	SUBQ out+0(FP), DI
	SHRQ $4, DI
	MOVQ DI, ret+32(FP)
	RET
