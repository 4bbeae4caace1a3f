//go:build amd64 && !purego

#include "go_asm.h"
#include "textflag.h"

// STEP takes the row of a lane through a numeric node, or to ends if it is none. Child and Look are read together; the
// comparison sets the carry if the threshold is below the value or that is NaN, and the carry makes the first child the second.
#define STEP(base, lane, ends) \
	MOVL (lane+lane_node)(base), CX \
	SHLQ $4, CX \
	MOVQ Node_Child(SI)(CX*1), AX \
	MOVQ AX, DX \
	SHRQ $36, DX \
	CMPL DX, R15 \
	JAE  ends \
	MOVL (R8)(DX*4), DX \
	ADDL (lane+lane_x)(base), DX \
	MOVSD Node_SplitPoint(SI)(CX*1), X0 \
	UCOMISD (DI)(DX*8), X0 \
	ADCL $0, AX \
	MOVL AX, (lane+lane_node)(base)

// END finds which lane's row has ended.
#define END(lane, name) \
name: \
	LEAQ lane(R9), R12 \
	JMP  end

// func descend(a *descent)
//
// Each lane in turn takes its row one node further; a row that ends frees its lane for the next one. No branch depends on
// a value, since a processor could not predict it. The end of a row is a branch, the only one that is often mispredicted.
// When all rows have set out, or if there are too few, loop takes the lanes that are left.
//
//	SI nodes   R8 place   R15 its length   DI x   R11 out   R13 next row
//	R9 first lane   R10 end of the lanes in use   R12 lane   CX 16 x node
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
	CMPQ R13, $const_lanes
	JNE  loop

	PCALIGN $32
round:
	STEP(R9, 0*lane__size, end0)
	STEP(R9, 1*lane__size, end1)
	STEP(R9, 2*lane__size, end2)
	STEP(R9, 3*lane__size, end3)
	STEP(R9, 4*lane__size, end4)
	STEP(R9, 5*lane__size, end5)
	STEP(R9, 6*lane__size, end6)
	STEP(R9, 7*lane__size, end7)
	STEP(R9, 8*lane__size, end8)
	STEP(R9, 9*lane__size, end9)
	STEP(R9, 10*lane__size, end10)
	STEP(R9, 11*lane__size, end11)
	STEP(R9, 12*lane__size, end12)
	STEP(R9, 13*lane__size, end13)
	STEP(R9, 14*lane__size, end14)
	STEP(R9, 15*lane__size, end15)
	JMP  round
	END(0*lane__size, end0)
	END(1*lane__size, end1)
	END(2*lane__size, end2)
	END(3*lane__size, end3)
	END(4*lane__size, end4)
	END(5*lane__size, end5)
	END(6*lane__size, end6)
	END(7*lane__size, end7)
	END(8*lane__size, end8)
	END(9*lane__size, end9)
	END(10*lane__size, end10)
	END(11*lane__size, end11)
	END(12*lane__size, end12)
	END(13*lane__size, end13)
	END(14*lane__size, end14)
	END(15*lane__size, end15)

	PCALIGN $32
loop:
	STEP(R12, 0, end)
	ADDQ $lane__size, R12
	CMPQ R12, R10
	JB   loop
	MOVQ R9, R12
	JMP  loop

end:
	MOVL    Node_Child(SI)(CX*1), AX
	SHRQ    $4, CX
	MOVQ    a+0(FP), DX
	CMPQ    descent_slots(DX), $0
	CMOVLEQ CX, AX
	MOVL    lane_row(R12), BX
	MOVL    AX, (R11)(BX*4)
	CMPQ    R13, descent_rows(DX)
	JAE     drain
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
	MOVL $0, lane_node(R12)
	JMP  round // from its beginning: that the first lanes get more turns than the last does no harm

drain: // of lanes, in loop
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
