//go:build amd64 && !purego

#include "go_asm.h"
#include "textflag.h"

// func stepOfSplitPoints(l *level)
//
//	SI nodes   R8 place   DI x   R10 walker   R11 the last one's end   AX child and look, then node   BX row
TEXT ·stepOfSplitPoints(SB), NOSPLIT, $0-8
	MOVQ l+0(FP), DX
	MOVQ level_nodes(DX), SI
	MOVQ level_place(DX), R8
	MOVQ level_x(DX), DI
	MOVQ level_row(DX), R10
	MOVQ level_n(DX), R11
	LEAQ (R10)(R11*walker__size), R11
	PCALIGN $32
split:
	MOVL walker_node(R10), CX
	MOVL walker_row(R10), BX
	SHLQ $4, CX
	MOVQ Node_Child(SI)(CX*1), AX
	MOVQ AX, DX
	SHRQ $36, DX
	MOVL (R8)(DX*4), DX
	ADDL BX, DX
	MOVSD Node_SplitPoint(SI)(CX*1), X0
	UCOMISD (DI)(DX*8), X0 // carry: the threshold is below the value, or that is NaN
	ADCL $0, AX
	MOVL AX, walker_node(R10)
	ADDQ $walker__size, R10
	CMPQ R10, R11
	JB   split
	RET

// func stepOfSets(l *level)
//
// As stepOfSplitPoints, with R12 SetAt   R13 Sets   DX the code   R14 the set, then 1 if it holds the code
TEXT ·stepOfSets(SB), NOSPLIT, $0-8
	MOVQ l+0(FP), DX
	MOVQ level_nodes(DX), SI
	MOVQ level_place(DX), R8
	MOVQ level_x(DX), DI
	MOVQ level_row(DX), R10
	MOVQ level_n(DX), R11
	LEAQ (R10)(R11*walker__size), R11
	MOVQ level_setAt(DX), R12
	MOVQ level_sets(DX), R13
	PCALIGN $32
set:
	MOVL walker_node(R10), CX
	MOVL walker_row(R10), BX
	SHLQ $4, CX
	MOVQ Node_Child(SI)(CX*1), AX
	MOVQ AX, DX
	SHRQ $36, DX
	MOVL (R8)(DX*4), DX
	ADDL BX, DX
	CVTTSD2SQ (DI)(DX*8), DX // infinities and NaN become the least number
	CVTTSD2SQ Node_SplitPoint(SI)(CX*1), R14
	CMPQ DX, $-1
	JLT  missing
	MOVL DX, CX
	SHRL $6, CX
	ADDL (R12)(R14*4), CX // the code's word; of -1 it is beyond all words
	CMPL CX, 4(R12)(R14*4)
	JAE  beyond
	MOVQ (R13)(CX*8), CX
	XORL R14, R14
	BTQ  DX, CX
	ADCL $0, R14
side:
	MOVQ AX, DX
	SHRQ $32, DX
	XORL DX, R14 // bit 0: the kind and the set disagree
	NOTL R14
	ANDL $1, R14
	ADDL R14, AX
store:
	MOVL AX, walker_node(R10)
	ADDQ $walker__size, R10
	CMPQ R10, R11
	JB   set
	RET
beyond:
	XORL R14, R14
	JMP  side
missing:
	MOVQ AX, R14
	SHRQ $36, R14
	ANDL $1, R14 // the rule
	ADDL R14, AX
	JMP  store

// func queueUp(l *level)
//
// The ends of the four queues are parts of one register: in memory each could be read only when it is known whether the
// store before it was of the same.
//
//	SI nodes   R8 queues   R9 their ends   R10 walker   R11 the last one's end   AX node   BX row   CX 16 x kind
TEXT ·queueUp(SB), NOSPLIT, $0-8
	MOVQ l+0(FP), DX
	MOVQ level_nodes(DX), SI
	MOVQ level_next(DX), R8
	MOVQ level_ends(DX), R9
	MOVQ level_row(DX), R10
	MOVQ level_n(DX), R11
	LEAQ (R10)(R11*walker__size), R11
	PCALIGN $32
queue:
	MOVL walker_node(R10), AX
	MOVQ AX, DX
	SHLQ $4, DX
	MOVL Node_Look(SI)(DX*1), CX
	ANDL $3, CX
	SHLL $4, CX
	MOVQ (R10), AX
	MOVQ R9, DX
	SHRQ CX, DX
	MOVWLZX DX, DX
	MOVQ AX, (R8)(DX*walker__size)
	MOVL $1, DX
	SHLQ CX, DX
	ADDQ DX, R9
	ADDQ $walker__size, R10
	CMPQ R10, R11
	JB   queue
	MOVQ l+0(FP), DX
	MOVQ R9, level_ends(DX)
	RET

// PART puts a row where the next goes that is first, and where the next goes that is second; the carry tells which of the
// places is taken.
//
//	DX place of the first   CX by how many rows the place of the second is beyond that   AX row
#define PART(compare, i) \
	compare(i) \
	MOVW AX, (DX) \
	MOVW AX, (-2*i)(DX)(CX*2) \
	SBBQ BX, BX \
	LEAQ 2(DX)(BX*2), DX

#define BYCUT(i) \
	MOVWLZX (2*i)(SI), AX \
	UCOMISD (DI)(AX*8), X0

#define BYSET(i) \
	MOVWLZX (2*i)(SI), AX \
	MOVWLZX (DI)(AX*2), BX \
	MOVL BX, R9 \
	SHRL $6, R9 \
	MOVQ (R8)(R9*8), R9 \
	BTQ  BX, R9

// func partitionBySplitPoint(to, rows *uint16, n int, x *float64, threshold float64) int
//
//	SI row   DI x   X0 threshold, below the value or that is NaN: carry
TEXT ·partitionBySplitPoint(SB), NOSPLIT, $0-48
	MOVQ  to+0(FP), DX
	MOVQ  rows+8(FP), SI
	MOVQ  n+16(FP), CX
	MOVQ  x+24(FP), DI
	MOVSD threshold+32(FP), X0
	DECQ  CX
	SUBQ  $3, CX
	JLT   rest
	PCALIGN $32
four:
	ADDQ $3, CX
	PART(BYCUT, 0)
	PART(BYCUT, 1)
	PART(BYCUT, 2)
	PART(BYCUT, 3)
	ADDQ $8, SI
	SUBQ $7, CX
	JGE  four
rest:
	ADDQ $3, CX
	JLT  done
one:
	PART(BYCUT, 0)
	ADDQ $2, SI
	DECQ CX
	JGE  one
done:
	SUBQ to+0(FP), DX
	SHRQ $1, DX
	MOVQ DX, ret+40(FP)
	RET

// func partitionBySet(to, rows *uint16, n int, codes *uint16, side *[1024]uint64) int
//
//	SI row   DI codes   R8 side: the bit of the code is the carry
TEXT ·partitionBySet(SB), NOSPLIT, $0-48
	MOVQ to+0(FP), DX
	MOVQ rows+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ codes+24(FP), DI
	MOVQ side+32(FP), R8
	DECQ CX
	SUBQ $3, CX
	JLT  rest
	PCALIGN $32
four:
	ADDQ $3, CX
	PART(BYSET, 0)
	PART(BYSET, 1)
	PART(BYSET, 2)
	PART(BYSET, 3)
	ADDQ $8, SI
	SUBQ $7, CX
	JGE  four
rest:
	ADDQ $3, CX
	JLT  done
one:
	PART(BYSET, 0)
	ADDQ $2, SI
	DECQ CX
	JGE  one
done:
	SUBQ to+0(FP), DX
	SHRQ $1, DX
	MOVQ DX, ret+40(FP)
	RET

// PAIR puts the values of two rows side by side.
#define PAIR(i, x) \
	MOVWLZX (4*i)(SI), R8 \
	MOVWLZX (4*i+2)(SI), R9 \
	VMOVSD  (DI)(R8*8), x \
	VMOVHPD (DI)(R9*8), x, x

// PACK writes eight rows, of which those in AX go first, to both ends of what is left of a list. With 16 rows or more to go the
// ends do not overlap.
//
//	DX beginning   CX rows to go   SI rows   R10 packing   AX, BX
#define PACK \
	VMOVDQU (SI), X0 \
	POPCNTL AX, BX \
	SHLL    $4, AX \
	VPSHUFB (R10)(AX*1), X0, X0 \
	VMOVDQU X0, (DX) \
	VMOVDQU X0, -16(DX)(CX*2) \
	LEAQ    (DX)(BX*2), DX \
	ADDQ    $16, SI \
	SUBQ    $8, CX

// func vectorsByPoint(to, rows *uint16, n int, x *float64, threshold float64, packing *[256][16]uint8) int
//
//	Y5 threshold
TEXT ·vectorsByPoint(SB), NOSPLIT, $0-56
	MOVQ to+0(FP), DX
	MOVQ rows+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ x+24(FP), DI
	VBROADCASTSD threshold+32(FP), Y5
	MOVQ packing+40(FP), R10
	PCALIGN $32
eight:
	PAIR(0, X1)
	PAIR(1, X2)
	PAIR(2, X3)
	PAIR(3, X4)
	VINSERTF128 $1, X2, Y1, Y1
	VINSERTF128 $1, X4, Y3, Y3
	VCMPPD $18, Y5, Y1, Y1 // not above the threshold, and no NaN
	VCMPPD $18, Y5, Y3, Y3
	VMOVMSKPD Y1, AX
	VMOVMSKPD Y3, BX
	SHLL $4, BX
	ORL  BX, AX
	PACK
	CMPQ CX, $16
	JGE  eight
	VZEROUPPER
	SUBQ to+0(FP), DX
	SHRQ $1, DX
	MOVQ DX, ret+48(FP)
	RET

// CODE puts the code of a row into a vector.
#define CODE(i, x) \
	MOVWLZX (2*i)(SI), R8 \
	VPINSRW $i, (DI)(R8*2), x, x

DATA bitOf<>+0(SB)/8, $0x8040201008040201
DATA bitOf<>+8(SB)/8, $0x8040201008040201
GLOBL bitOf<>(SB), RODATA|NOPTR, $16

// func vectorsBySet(to, rows *uint16, n int, codes *uint16, side *[1024]uint64, packing *[256][16]uint8) int
//
//	X5 sides, a bit each   X6 the bit of codes 0 to 7 in a byte   X7 all 7   X8 all 255   X9 0
TEXT ·vectorsBySet(SB), NOSPLIT, $0-56
	MOVQ to+0(FP), DX
	MOVQ rows+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ codes+24(FP), DI
	MOVQ side+32(FP), AX
	VMOVDQU (AX), X5
	MOVQ packing+40(FP), R10
	VMOVDQU bitOf<>(SB), X6
	VPCMPEQW X9, X9, X9
	VPSRLW $13, X9, X7
	VPSRLW $8, X9, X8
	VPXOR X9, X9, X9
	PCALIGN $32
eight:
	VPXOR X1, X1, X1
	VPXOR X2, X2, X2
	CODE(0, X1)
	CODE(4, X2)
	CODE(1, X1)
	CODE(5, X2)
	CODE(2, X1)
	CODE(6, X2)
	CODE(3, X1)
	CODE(7, X2)
	VPOR X1, X2, X1
	VPSRLW $3, X1, X2
	VPSHUFB X2, X5, X2 // the byte of the code; the upper one of each word is any
	VPAND X7, X1, X3
	VPSHUFB X3, X6, X3
	VPAND X2, X3, X2
	VPAND X8, X2, X2
	VPCMPEQW X9, X2, X2
	VPACKSSWB X9, X2, X2
	VPMOVMSKB X2, AX
	PACK
	CMPQ CX, $16
	JGE  eight
	SUBQ to+0(FP), DX
	SHRQ $1, DX
	MOVQ DX, ret+48(FP)
	RET
