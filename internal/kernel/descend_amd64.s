//go:build amd64 && !purego

#include "go_asm.h"
#include "textflag.h"

// func descend(a *descent)
//
// Each lane in turn takes its row one node further; a row that ends makes room for the next one. The comparisons make
// no branch, since nobody could predict it.
//
//	SI nodes, R8 place, R15 its length, DI x, R11 out, R9 first lane, R10 end of the lanes, R12 lane, R13 next row
TEXT ·descend(SB), NOSPLIT, $0-8
	MOVQ a+0(FP), DX
	MOVQ descent_Descent(DX), CX
	MOVQ Descent_Nodes(CX), SI
	MOVQ Descent_Place(CX), R8
	MOVQ Descent_Place+8(CX), R15
	MOVQ Descent_X(CX), DI
	MOVQ descent_out(DX), R11
	MOVQ descent_row(DX), R13
	LEAQ descent_lane(DX), R9
	MOVQ R13, R10
	SHLQ $4, R10
	ADDQ R9, R10
	MOVQ R9, R12

	PCALIGN $32
loop:
	MOVL lane_node(R12), AX
	MOVL lane_x(R12), BX
step:
	MOVL  AX, CX
	SHLQ  $4, CX
	MOVL  Node_Look(SI)(CX*1), DX
	TESTL $2, DX
	JNZ   set
	SHRL  $4, DX
	CMPL  DX, R15
	JAE   end
	MOVL  (R8)(DX*4), DX
	ADDL  BX, DX
	MOVSD Node_Cut(SI)(CX*1), X0
	MOVL  Node_Child(SI)(CX*1), AX
	UCOMISD (DI)(DX*8), X0 // carry: the cut is below the value, or that is NaN
	ADCL  $0, AX
store:
	MOVL AX, lane_node(R12)
	ADDQ $lane__size, R12
	CMPQ R12, R10
	JB   loop
	MOVQ R9, R12
	JMP  loop

set:
	SHRL $4, DX
	CMPL DX, R15
	JAE  end
	MOVL (R8)(DX*4), DX
	ADDL BX, DX
	CVTTSD2SQ (DI)(DX*8), BX // the code; infinities and NaN become the least number
	XORL DX, DX
	CMPQ BX, $-1
	JLT  missing
	JEQ  side
	CVTTSD2SQ Node_Cut(SI)(CX*1), AX
	MOVQ a+0(FP), R14
	MOVQ descent_Descent(R14), R14
	MOVQ Descent_SetAt(R14), R9
	MOVL BX, DX
	SHRL $6, DX
	ADDL (R9)(AX*4), DX // the code's word
	CMPL DX, 4(R9)(AX*4)
	JAE  beyond
	MOVQ Descent_Sets(R14), R9
	MOVQ (R9)(DX*8), R9
	XORL DX, DX
	BTQ  BX, R9
	ADCL $0, DX
side:
	XORL Node_Look(SI)(CX*1), DX // bit 0: whether the kind and the set disagree
	NOTL DX
	ANDL $1, DX
second:
	ADDL Node_Child(SI)(CX*1), DX
	MOVL DX, AX
	MOVQ a+0(FP), R9
	LEAQ descent_lane(R9), R9
	JMP  store
beyond:
	XORL DX, DX
	JMP  side
missing:
	MOVL Node_Look(SI)(CX*1), DX
	SHRL $4, DX
	ANDL $1, DX
	JMP  second

end:
	MOVL lane_row(R12), BX
	MOVL AX, (R11)(BX*4)
	MOVQ a+0(FP), DX
	CMPQ R13, descent_rows(DX)
	JAE  drain
	MOVQ descent_next(DX), CX
	PREFETCHT1 (CX)
	PREFETCHT1 64(CX)
	ADDQ descent_nextBy(DX), CX
	MOVQ CX, descent_next(DX)
	MOVQ descent_ahead(DX), CX
	PREFETCHT1 (CX)
	PREFETCHT1 64(CX)
	PREFETCHT1 128(CX)
	PREFETCHT1 192(CX)
	ADDQ descent_aheadBy(DX), CX
	MOVQ CX, descent_ahead(DX)
	MOVQ descent_Descent(DX), DX
	MOVL R13, BX
	SHRL $6, BX
	IMULL Descent_Tile(DX), BX
	MOVL R13, CX
	ANDL $63, CX
	ADDL CX, BX
	MOVL BX, lane_x(R12)
	MOVL R13, lane_row(R12)
	INCQ R13
	XORL AX, AX
	JMP  step

drain:
	SUBQ $lane__size, R10
	CMPQ R10, R9
	JEQ  done
	MOVUPS (R10), X0 // the last lane moves here; it may be this one
	MOVUPS X0, (R12)
	CMPQ R12, R10
	JB   loop
	MOVQ R9, R12
	JMP  loop
done:
	RET
