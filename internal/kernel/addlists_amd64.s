//go:build amd64 && !purego

#include "go_asm.h"
#include "textflag.h"

// func addLists(l *listing)
//
//	SI row   R12 end of the rows   DI words   R8 start   R9 places   R10 cells
//	R15 word   AX place   BX their end   CX, DX, R13, R14 spare
TEXT ·addLists(SB), NOSPLIT, $0-8
	MOVQ l+0(FP), DX
	MOVQ listing_cells(DX), R10
	MOVQ listing_start(DX), R8
	MOVQ listing_places(DX), R9
	MOVQ listing_words(DX), DI
	MOVQ listing_rows(DX), SI
	MOVQ listing_n(DX), R12
	LEAQ (SI)(R12*4), R12
	PCALIGN $32

row:
	MOVL (const_listsAhead*4)(SI), CX
	PREFETCHT0 (R8)(CX*4)
	PREFETCHT0 (DI)(CX*8)
	MOVL (const_listsAhead*2)(SI), CX
	MOVL (R8)(CX*4), AX
	MOVL 4(R8)(CX*4), BX
	LEAQ (R9)(AX*4), AX
	LEAQ (R9)(BX*4), BX

fetch:
	PREFETCHT0 (AX)
	ADDQ $64, AX
	CMPQ AX, BX
	JB   fetch

	MOVL (SI), CX
	ADDQ $4, SI
	MOVQ (DI)(CX*8), R15
	MOVL (R8)(CX*4), AX
	MOVL 4(R8)(CX*4), BX
	LEAQ (R9)(AX*4), AX
	LEAQ (R9)(BX*4), BX
	LEAQ -16(BX), DX
	CMPQ AX, DX
	JA   one

four:
	MOVL (AX), CX
	MOVL 4(AX), R13
	ADDQ R15, (R10)(CX*8)
	ADDQ R15, (R10)(R13*8)
	MOVL 8(AX), CX
	MOVL 12(AX), R13
	ADDQ R15, (R10)(CX*8)
	ADDQ R15, (R10)(R13*8)
	ADDQ $16, AX
	CMPQ AX, DX
	JBE  four

one:
	CMPQ AX, BX
	JAE  next
	MOVL (AX), CX
	ADDQ R15, (R10)(CX*8)
	ADDQ $4, AX
	JMP  one

next:
	CMPQ SI, R12
	JB   row
	RET
