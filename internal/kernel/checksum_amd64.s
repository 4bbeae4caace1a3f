//go:build amd64 && !purego

#include "textflag.h"

// FOLD moves 64 bytes of the state a block ahead and adds the bytes there.
#define FOLD(at, state, product) \
	VPCLMULQDQ $0x00, Z8, state, product; \
	VPCLMULQDQ $0x11, Z8, state, state; \
	VPTERNLOGQ $0x96, at(SI), product, state

// func foldBlocks(state *[checksumBlock]byte, b *byte, blocks int, factors *[2]uint64)
//
//	DI state   SI b   CX blocks   Z0 to Z3 the state   Z8 factors
TEXT ·foldBlocks(SB), NOSPLIT, $0-32
	MOVQ state+0(FP), DI
	MOVQ b+8(FP), SI
	MOVQ blocks+16(FP), CX
	MOVQ factors+24(FP), AX
	VBROADCASTI32X4 (AX), Z8
	VMOVDQU64 (DI), Z0
	VMOVDQU64 64(DI), Z1
	VMOVDQU64 128(DI), Z2
	VMOVDQU64 192(DI), Z3

block:
	FOLD(0, Z0, Z4)
	FOLD(64, Z1, Z5)
	FOLD(128, Z2, Z6)
	FOLD(192, Z3, Z7)
	ADDQ $256, SI
	DECQ CX
	JNE block
	VMOVDQU64 Z0, (DI)
	VMOVDQU64 Z1, 64(DI)
	VMOVDQU64 Z2, 128(DI)
	VMOVDQU64 Z3, 192(DI)
	VZEROUPPER
	RET
