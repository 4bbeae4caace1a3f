//go:build amd64 && !purego

#include "go_asm.h"
#include "textflag.h"

// func hasHalf() bool
TEXT ·hasHalf(SB), NOSPLIT, $0-1
	XORL AX, AX
	CPUID
	XORL R8, R8
	CMPL AX, $7
	JLT  old
	MOVL $7, AX
	XORL CX, CX
	CPUID
	MOVL DX, R8
	SHRL $23, R8
	ANDL $1, R8
old:
	MOVB R8, ret+0(FP)
	RET

// func floorTile(dst *[64]float32, values *float64) bool
//
//	K1 changed
TEXT ·floorTile(SB), NOSPLIT, $0-17
	MOVQ dst+0(FP), DI
	MOVQ values+8(FP), SI
	MOVQ $8, CX
	KXORW K1, K1, K1
floor:
	VMOVUPD (SI), Z16
	VCVTPD2PS.RD_SAE Z16, Y17
	VMOVUPS Y17, (DI)
	VCVTPS2PD Y17, Z17
	VCMPPD $12, Z16, Z17, K2 // not equal; NaN is not that
	KORW K2, K1, K1
	ADDQ $64, SI
	ADDQ $32, DI
	DECQ CX
	JNZ  floor
	KTESTW K1, K1
	SETEQ ret+16(FP)
	VZEROUPPER
	RET

DATA evenWords<>+0(SB)/8, $0
DATA evenWords<>+8(SB)/8, $2
DATA evenWords<>+16(SB)/8, $4
DATA evenWords<>+24(SB)/8, $6
DATA evenWords<>+32(SB)/8, $8
DATA evenWords<>+40(SB)/8, $10
DATA evenWords<>+48(SB)/8, $12
DATA evenWords<>+56(SB)/8, $14
GLOBL evenWords<>(SB), RODATA|NOPTR, $64

// func packNodes(to *uint64, nodes *Node, n int, at *uint32, leaf int, slots bool) uint32
//
//	K3 slots are nothing   Z16 even words   Z17 odd ones   Y18 leaf, which is the last place   Y19 children, or-ed   Z20 thresholds   Z21 Child and Look
TEXT ·packNodes(SB), NOSPLIT, $0-52
	MOVQ to+0(FP), DI
	MOVQ nodes+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ at+24(FP), R8
	MOVQ leaf+32(FP), AX
	VPBROADCASTD AX, Y18
	MOVBLZX slots+40(FP), AX
	DECL AX
	KMOVW AX, K3
	VMOVDQU64 evenWords<>(SB), Z16
	VPTERNLOGQ $0xff, Z17, Z17, Z17
	VPSUBQ Z17, Z16, Z17
	VPXORD Y19, Y19, Y19
	PCALIGN $32
eight:
	VMOVDQU64 (SI), Z22
	VMOVDQU64 64(SI), Z23
	VMOVDQA64 Z16, Z20
	VPERMI2Q Z23, Z22, Z20
	VMOVDQA64 Z17, Z21
	VPERMI2Q Z23, Z22, Z21
	VCVTPD2PS.RD_SAE Z20, Y20
	VPMOVQD Z21, Y22 // child
	VPSRLQ $36, Z21, Z21
	VPMOVQD Z21, Y23
	VPMINUD Y18, Y23, Y23
	VPCMPEQD Y18, Y23, K3, K2
	VPXORD Y22, Y22, K2, Y22
	KXNORW K1, K1, K1
	VPXORD Y24, Y24, Y24
	VPGATHERDD (R8)(Y23*4), K1, Y24
	VPORD Y22, Y19, Y19
	VPORD Y22, Y24, Y24
	VPMOVZXDQ Y20, Z20
	VPMOVZXDQ Y24, Z24
	VPSLLQ $32, Z24, Z24
	VPORQ Z20, Z24, Z24
	VMOVDQU64 Z24, (DI)
	SUBQ $-128, SI
	ADDQ $64, DI
	SUBQ $8, CX
	JNZ  eight
	VEXTRACTI32X4 $1, Y19, X20
	VPORD X20, X19, X19
	VPSHUFD $0x4e, X19, X20
	VPORD X20, X19, X19
	VPSHUFD $0xb1, X19, X20
	VPORD X20, X19, X19
	VMOVD X19, AX
	MOVL AX, ret+48(FP)
	VZEROUPPER
	RET

DATA numbers<>+0(SB)/8, $0x0000000100000000
DATA numbers<>+8(SB)/8, $0x0000000300000002
DATA numbers<>+16(SB)/8, $0x0000000500000004
DATA numbers<>+24(SB)/8, $0x0000000700000006
DATA numbers<>+32(SB)/8, $0x0000000900000008
DATA numbers<>+40(SB)/8, $0x0000000b0000000a
DATA numbers<>+48(SB)/8, $0x0000000d0000000c
DATA numbers<>+56(SB)/8, $0x0000000f0000000e
GLOBL numbers<>(SB), RODATA|NOPTR, $64

// STEP takes sixteen rows one node further. Rows that end leave their lanes to the next ones, without a branch: they are packed
// into the list of ends, and the numbers of the next rows expanded to where they were. Beyond the last row lanes have that
// again, under numbers that are no rows.
//
//	Y16 nodes of the upper eight   Z17, Z18 packed nodes   Z19 place and child, then child   Z20 place in x
//	Z22 value   Z24 threshold   Z26 row in range   K3 ended   K5 continuing   K1 goes second   K2 value and threshold are equal
#define STEP(node, nodeLow, row, untied) \
	VEXTRACTI64X4 $1, node, Y16 \
	KXNORW K1, K1, K1 \
	KXNORW K2, K2, K2 \
	VPXORD Z17, Z17, Z17 \
	VPXORD Z18, Z18, Z18 \
	VPGATHERDQ (SI)(nodeLow*8), K1, Z17 \
	VPGATHERDQ (SI)(Y16*8), K2, Z18 \
	VPMINUD Z11, row, Z26 \
	VPMULLD Z12, Z26, Z27 \
	VMOVDQA64 Z9, Z19 \
	VPERMI2D Z18, Z17, Z19 \
	VMOVDQA64 Z8, Z24 \
	VPERMI2D Z18, Z17, Z24 \
	VPSRLD $const_childBits, Z19, Z20 \
	VPCMPEQD Z10, Z20, K3 \
	KNOTW K3, K5 \
	KMOVW K5, K4 \
	VPADDD Z27, Z20, Z20 \
	VPXORD Z22, Z22, Z22 \
	VGATHERDPS (DI)(Z20*4), K4, Z22 \
	VPANDD Z30, Z19, Z19 \
	VPBLENDMD Z19, node, K6, Z27 \
	VPCMPUD $1, Z13, row, K3, K4 \
	VPCOMPRESSD row, K4, Z28 \
	VPCOMPRESSD Z27, K4, Z29 \
	VMOVDQU32 Z28, gathering_row(R9)(R10*4) \
	VMOVDQU32 Z29, gathering_end(R9)(R10*4) \
	KMOVW K4, AX \
	POPCNTL AX, AX \
	ADDQ AX, R10 \
	VPBROADCASTD R13, Z31 \
	VPADDD Z15, Z31, Z31 \
	VPEXPANDD Z31, K3, row \
	KMOVW K3, AX \
	POPCNTL AX, AX \
	ADDQ AX, R13 \
	VCMPPS $22, Z24, Z22, K5, K1 \
	KANDW K7, K5, K4 \
	VCMPPS $0, Z24, Z22, K4, K2 \
	KORTESTW K2, K2 \
	JEQ untied \
	VMOVDQU32 node, gathering_tieNode(R9) \
	CALL ties<>(SB) \
untied: \
	VPADDD Z14, Z19, K1, Z19 \
	VMOVDQA32.Z Z19, K5, node

// ties makes K1 right for the lanes of K2. It changes AX, BX, CX, DX, R15 and X27.
TEXT ties<>(SB), NOSPLIT, $0-0
	VMOVDQU32 Z26, gathering_tieRow(R9)
	KMOVW K1, AX
	KMOVW K2, CX
tie:
	TZCNTL CX, BX
	MOVQ gathering_Descent(R9), R15
	MOVLQSX gathering_tieNode(R9)(BX*4), DX
	SHLQ $4, DX
	ADDQ Descent_Nodes(R15), DX
	VMOVSD Node_SplitPoint(DX), X27
	MOVL Node_Look(DX), DX
	SHRL $4, DX
	MOVL (R8)(DX*4), DX // place of the column
	MOVQ Descent_Tile(R15), R15
	BTRL BX, AX
	MOVL gathering_tieRow(R9)(BX*4), BX
	ANDL $63, BX
	ADDL BX, DX
	TZCNTL CX, BX
	MOVL gathering_tieRow(R9)(BX*4), BX
	SHRL $6, BX
	IMULL R15, BX
	ADDL BX, DX
	MOVQ gathering_Descent(R9), R15
	MOVQ Descent_X(R15), R15
	TZCNTL CX, BX
	VUCOMISD (R15)(DX*8), X27 // carry: the threshold is below the value, or that is NaN
	JCC  first
	BTSL BX, AX
first:
	BLSRL CX, CX
	JNZ  tie
	KMOVW AX, K1
	RET

// func gather(a *gathering)
//
//	SI nodes   R8 place of the doubles   DI x   R9 a   R10 ends in the list   R11 out   R12 rows   R13 next row   K6 write slots   K7 values were rounded
//	Z0 ... Z3 nodes   Z4 ... Z7 rows   Z8 even numbers   Z9 odd ones   Z10 leafAt   Z11 last row   Z12 stride   Z13 rows   Z14 1   Z15 0, 1, 2 ...   Z30 bits of a child
TEXT ·gather(SB), NOSPLIT, $8-8
	MOVQ a+0(FP), R9
	MOVQ gathering_Descent(R9), CX
	MOVQ Descent_Place(CX), R8
	MOVQ gathering_nodes(R9), SI
	MOVQ gathering_x(R9), DI
	MOVQ gathering_out(R9), R11
	MOVQ gathering_rows(R9), R12
	VPBROADCASTD R12, Z13
	VPTERNLOGD $0xff, Z11, Z11, Z11
	VPADDD Z11, Z13, Z11
	MOVL $const_leafAt, AX
	VPBROADCASTD AX, Z10
	MOVL $const_maxPacked, AX
	VPBROADCASTD AX, Z30
	VPBROADCASTD gathering_stride(R9), Z12
	MOVQ gathering_slots(R9), AX
	KMOVW AX, K6
	MOVQ gathering_inexact(R9), AX
	KMOVW AX, K7
	VMOVDQU32 numbers<>(SB), Z15
	VPADDD Z15, Z15, Z8
	MOVL $1, AX
	VPBROADCASTD AX, Z14
	VPADDD Z14, Z8, Z9
	MOVL $16, AX
	VPBROADCASTD AX, Z16
	VMOVDQA64 Z15, Z4
	VPADDD Z16, Z4, Z5
	VPADDD Z16, Z5, Z6
	VPADDD Z16, Z6, Z7
	VPXORD Z0, Z0, Z0
	VPXORD Z1, Z1, Z1
	VPXORD Z2, Z2, Z2
	VPXORD Z3, Z3, Z3
	MOVQ $const_vectorLanes, R13
	XORL R10, R10
	PCALIGN $32
round:
	STEP(Z0, Y0, Z4, untied0)
	STEP(Z1, Y1, Z5, untied1)
	STEP(Z2, Y2, Z6, untied2)
	STEP(Z3, Y3, Z7, untied3)
	CMPQ R10, $const_endsAtOnce
	JAE  write
	CMPQ R13, R12
	JB   round
	VPCMPUD $1, Z13, Z4, K1
	VPCMPUD $1, Z13, Z5, K2
	VPCMPUD $1, Z13, Z6, K3
	VPCMPUD $1, Z13, Z7, K4
	KORW K1, K2, K1
	KORW K3, K4, K3
	KORTESTW K1, K3
	JNE  round
write:
	XORL BX, BX
	CMPQ BX, R10
	JAE  written
each:
	MOVL gathering_row(R9)(BX*4), AX
	MOVL gathering_end(R9)(BX*4), DX
	MOVL DX, (R11)(AX*4)
	INCQ BX
	CMPQ BX, R10
	JB   each
written:
	XORL R10, R10
	CMPQ R13, R12
	JB   round
	VPCMPUD $1, Z13, Z4, K1
	VPCMPUD $1, Z13, Z5, K2
	VPCMPUD $1, Z13, Z6, K3
	VPCMPUD $1, Z13, Z7, K4
	KORW K1, K2, K1
	KORW K3, K4, K3
	KORTESTW K1, K3
	JNE  round
	VZEROUPPER
	RET
