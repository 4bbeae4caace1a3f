//go:build amd64 && !purego

#include "textflag.h"

// Numbers in a vector whose high halves are to be taken out of two.
DATA coderConstants<>+0(SB)/8, $0x0000000300000001
DATA coderConstants<>+8(SB)/8, $0x0000000700000005
DATA coderConstants<>+16(SB)/8, $0x0000000b00000009
DATA coderConstants<>+24(SB)/8, $0x0000000f0000000d
DATA coderConstants<>+32(SB)/8, $0x0000001300000011
DATA coderConstants<>+40(SB)/8, $0x0000001700000015
DATA coderConstants<>+48(SB)/8, $0x0000001b00000019
DATA coderConstants<>+56(SB)/8, $0x0000001f0000001d
DATA coderConstants<>+64(SB)/8, $0x8000000000000000
DATA coderConstants<>+72(SB)/8, $0x0000000180000000
DATA coderConstants<>+80(SB)/8, $0x0000004000000020
GLOBL coderConstants<>(SB), RODATA|NOPTR, $88

#define SIGNS coderConstants<>+64(SB)
#define SIGN  coderConstants<>+72(SB)
#define ONE   coderConstants<>+76(SB)
#define BIT5  coderConstants<>+80(SB)
#define BIT6  coderConstants<>+84(SB)

// DOWN goes one step down the search tree.
//
//	Z1 where the values are   Z2 their keys   Z3 one   found the keys there
//	K5 the values that were equal to some key
#define DOWN(found) \
	VPCMPUD $1, Z2, found, K1 \
	VPCMPEQD Z2, found, K2 \
	VPADDD Z1, Z1, Z1 \
	KORW K2, K5, K5 \
	VPADDD Z3, Z1, K1, Z1

// LOOKUP finds the keys of where the values are in two registers, by the low five bits.
#define LOOKUP(first, last, found) \
	VMOVDQA64 Z1, found \
	VPERMI2D last, first, found

// LOOKUP4 does so in four registers, by six bits, of which K2 has the highest.
#define LOOKUP4(a, b, c, d, other, found) \
	LOOKUP(a, b, found) \
	LOOKUP(c, d, other) \
	VMOVDQA32 other, K2, found

// KEYS makes ordered keys of values.
#define KEYS(x) \
	VPSRAQ $63, x, Z4 \
	VPTERNLOGQ.BCST $0x1e, SIGNS, Z4, x

// func codesOfSixteens(dst *int8, x *float64, sixteens int, heads *uint32, sorted *uint64, steps, bias int) int
//
// The high halves of 16 keys go down the search tree at once. All of it is in registers. The keys of
// a level lie one after the other, so that the low bits of a word's number are its place there.
TEXT ·codesOfSixteens(SB), NOSPLIT, $0-64
	MOVQ dst+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ heads+24(FP), R12
	MOVQ sorted+32(FP), R11
	MOVQ steps+40(FP), R13
	MOVQ R13, CX
	MOVL $8, AX
	SHLQ CX, AX
	SUBQ AX, R11 // the number of a word minus that of all of them is a place in sorted
	MOVQ sixteens+16(FP), CX
	MOVQ bias+48(FP), AX
	VPBROADCASTD AX, Z0
	VPBROADCASTD ONE, Z3
	VMOVDQU64 coderConstants<>+0(SB), Z15
	VPXORQ Z14, Z14, Z14
	KXORW K6, K6, K6
	VMOVDQU64 (R12), Z16
	CMPQ R13, $5
	JB   sixteen
	VMOVDQU64 64(R12), Z17
	JEQ  sixteen
	VMOVDQU64 128(R12), Z18
	VMOVDQU64 192(R12), Z19
	CMPQ R13, $7
	JB   sixteen
	VMOVDQU64 256(R12), Z20
	VMOVDQU64 320(R12), Z21
	VMOVDQU64 384(R12), Z22
	VMOVDQU64 448(R12), Z23
	JEQ  sixteen
	VMOVDQU64 512(R12), Z24
	VMOVDQU64 576(R12), Z25
	VMOVDQU64 640(R12), Z26
	VMOVDQU64 704(R12), Z27
	VMOVDQU64 768(R12), Z28
	VMOVDQU64 832(R12), Z29
	VMOVDQU64 896(R12), Z30
	VMOVDQU64 960(R12), Z31
	PCALIGN $32
sixteen:
	VADDPD (SI), Z14, Z12
	VADDPD 64(SI), Z14, Z13
	VCMPPD $3, Z12, Z12, K1
	VCMPPD $3, Z13, Z13, K2
	KORW K1, K6, K6
	KORW K2, K6, K6
	VMOVDQA64 Z15, Z2
	VPERMI2D Z13, Z12, Z2
	VPSRAD $31, Z2, Z4
	VPTERNLOGD.BCST $0x1e, SIGN, Z4, Z2
	VMOVDQA64 Z3, Z1
	KXORW K5, K5, K5
	VPERMD Z16, Z1, Z4
	DOWN(Z4)
	CMPQ R13, $2
	JB   found
	VPERMD Z16, Z1, Z4
	DOWN(Z4)
	JEQ  found
	VPERMD Z16, Z1, Z4
	DOWN(Z4)
	CMPQ R13, $4
	JB   found
	VPERMD Z16, Z1, Z4
	DOWN(Z4)
	JEQ  found
	VPERMD Z17, Z1, Z4
	DOWN(Z4)
	CMPQ R13, $6
	JB   found
	LOOKUP(Z18, Z19, Z4)
	DOWN(Z4)
	JEQ  found
	VPTESTMD.BCST BIT5, Z1, K2
	LOOKUP4(Z20, Z21, Z22, Z23, Z5, Z4)
	DOWN(Z4)
	CMPQ R13, $8
	JB   found
	VPTESTMD.BCST BIT5, Z1, K2
	VPTESTMD.BCST BIT6, Z1, K3
	LOOKUP4(Z24, Z25, Z26, Z27, Z5, Z4)
	LOOKUP4(Z28, Z29, Z30, Z31, Z6, Z5)
	VMOVDQA32 Z5, K3, Z4
	DOWN(Z4)
found:
	KORTESTW K5, K5
	JNE  equal
next:
	VPADDD Z0, Z1, Z1
	VPMOVDB Z1, (DI)
	ADDQ $128, SI
	ADDQ $16, DI
	DECQ CX
	JNE  sixteen
	KMOVW K6, AX
	MOVQ AX, ret+56(FP)
	VZEROUPPER
	RET

equal:
	// the only split point with the same high half is the first that the value was not above
	KEYS(Z12)
	KEYS(Z13)
	KXNORW K1, K1, K1
	VPXORQ Z5, Z5, Z5
	VPGATHERDQ (R11)(Y1*8), K1, Z5
	VEXTRACTI64X4 $1, Z1, Y7
	KXNORW K1, K1, K1
	VPXORQ Z6, Z6, Z6
	VPGATHERDQ (R11)(Y7*8), K1, Z6
	VPCMPUQ $1, Z12, Z5, K1
	VPCMPUQ $1, Z13, Z6, K2
	KUNPCKBW K1, K2, K1
	VPADDD Z3, Z1, K1, Z1
	JMP  next
