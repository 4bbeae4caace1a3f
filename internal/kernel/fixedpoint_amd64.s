//go:build amd64 && !purego

#include "go_asm.h"
#include "textflag.h"

DATA fixMagic<>+0(SB)/8, $0x4338000000000000 // 3 << 51
GLOBL fixMagic<>(SB), RODATA, $8
DATA fixOne<>+0(SB)/8, $0x3FF0000000000000 // 1
GLOBL fixOne<>(SB), RODATA, $8

// func addSizes(a, b *[4]float64, first, second *float64, n int)
//
//	Y0 sums of first, without signs   Y1 of second   Y15 all bits but the sign
TEXT ·addSizes(SB), NOSPLIT, $0-40
	MOVQ a+0(FP), AX
	MOVQ b+8(FP), BX
	MOVQ first+16(FP), SI
	MOVQ second+24(FP), DI
	MOVQ n+32(FP), CX
	VPCMPEQQ Y15, Y15, Y15
	VPSRLQ $1, Y15, Y15
	VMOVUPD (AX), Y0
	VMOVUPD (BX), Y1
	PCALIGN $32

sizes:
	VANDPD (SI), Y15, Y2
	VADDPD Y2, Y0, Y0
	VADDPD (DI), Y1, Y1
	ADDQ $32, SI
	ADDQ $32, DI
	SUBQ $4, CX
	JNE  sizes
	VMOVUPD Y0, (AX)
	VMOVUPD Y1, (BX)
	VZEROUPPER
	RET

// func fixVectors(f *fixing)
//
//	SI g   DI h   DX words   CX rows to go   Y8 perG   Y9 perH   Y10 magic   Y11 coarse   Y12 1   Y13 0   Y15 all bits but the sign
//	Y4 sums of g   Y5 of h   Y6 least h   Y7 greatest   Y14 rows that are not coarse, negative
TEXT ·fixVectors(SB), NOSPLIT, $0-8
	MOVQ f+0(FP), AX
	MOVQ fixing_packed(AX), DX
	MOVQ fixing_g(AX), SI
	MOVQ fixing_h(AX), DI
	MOVQ fixing_n(AX), CX
	VBROADCASTSD fixing_perG(AX), Y8
	VBROADCASTSD fixing_perH(AX), Y9
	VBROADCASTSD fixMagic<>(SB), Y10
	VBROADCASTSD fixing_coarse(AX), Y11
	VBROADCASTSD fixOne<>(SB), Y12
	VXORPD Y13, Y13, Y13
	VPCMPEQQ Y15, Y15, Y15
	VPSRLQ $1, Y15, Y15
	VPXOR Y4, Y4, Y4
	VPXOR Y5, Y5, Y5
	VMOVUPD fixing_least(AX), Y6
	VMOVUPD fixing_most(AX), Y7
	VPXOR Y14, Y14, Y14
	PCALIGN $32

fours:
	VMOVUPD (SI), Y0
	VMULPD Y8, Y0, Y1
	VADDPD Y10, Y1, Y1
	VSUBPD Y10, Y1, Y1

	// Neither coarse nor 0.
	VCMPPD $0, Y13, Y0, Y0
	VANDPD Y15, Y1, Y2
	VCMPPD $29, Y11, Y2, Y2
	VPOR   Y2, Y0, Y0
	VPADDQ Y0, Y14, Y14

	VMOVUPD (DI), Y2
	VMULPD Y9, Y2, Y3
	VADDPD Y10, Y3, Y3
	VSUBPD Y10, Y3, Y3

	// 0 that was more is 1.
	VCMPPD $30, Y13, Y2, Y2
	VCMPPD $0, Y13, Y3, Y0
	VANDPD Y2, Y0, Y0
	VANDPD Y12, Y0, Y0
	VORPD  Y0, Y3, Y3
	VMINPD Y3, Y6, Y6
	VMAXPD Y3, Y7, Y7

	// The low bits of magic and an integer are the integer.
	VADDPD Y10, Y1, Y1
	VPSUBQ Y10, Y1, Y1
	VADDPD Y10, Y3, Y3
	VPSUBQ Y10, Y3, Y3
	VPADDQ Y1, Y4, Y4
	VPADDQ Y3, Y5, Y5
	VPSLLQ $32, Y1, Y1
	VPADDQ Y3, Y1, Y1
	VMOVDQU Y1, (DX)
	ADDQ $32, SI
	ADDQ $32, DI
	ADDQ $32, DX
	SUBQ $4, CX
	JNE  fours

	VPXOR  Y0, Y0, Y0
	VPSUBQ Y14, Y0, Y14
	VMOVDQU Y4, fixing_sumG(AX)
	VMOVDQU Y5, fixing_sumH(AX)
	VMOVUPD Y6, fixing_least(AX)
	VMOVUPD Y7, fixing_most(AX)
	VMOVDQU Y14, fixing_fine(AX)
	VZEROUPPER
	RET
