//go:build amd64 && !purego

#include "textflag.h"

// PART does the row at SI + at.
#define PART(at) \
	MOVL    at(SI), AX \
	MOVBLZX (R8)(AX*1), BX \
	MOVBLZX (R9)(BX*1), BX \
	MOVL    AX, at(SI)(R13*4) \
	MOVL    AX, (DI) \
	SUBQ    BX, R13 \
	LEAQ    (DI)(BX*4), DI

// func partBytes(rows, spare *int32, codes, side *uint8, n int) int
//
//	SI row   DI next of spare   R8 codes   R9 side   R10 end of fours   R11 end   R13 -last, rows from SI to the next first one
TEXT ·partBytes(SB), NOSPLIT, $0-48
	MOVQ rows+0(FP), SI
	MOVQ spare+8(FP), DI
	MOVQ codes+16(FP), R8
	MOVQ side+24(FP), R9
	MOVQ n+32(FP), CX
	LEAQ (SI)(CX*4), R11
	ANDQ $~3, CX
	LEAQ (SI)(CX*4), R10
	XORL R13, R13
	CMPQ SI, R10
	JAE  ones
	PCALIGN $32

four:
	PART(0)
	PART(4)
	PART(8)
	PART(12)
	ADDQ $16, SI
	CMPQ SI, R10
	JB   four

ones:
	CMPQ SI, R11
	JAE  end
	PART(0)
	ADDQ $4, SI
	JMP  ones

end:
	NEGQ R13
	MOVQ R13, ret+40(FP)
	RET
