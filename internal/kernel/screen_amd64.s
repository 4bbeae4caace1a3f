//go:build amd64 && !purego

#include "go_asm.h"
#include "textflag.h"

DATA screenBin<>+0(SB)/8, $0
DATA screenBin<>+8(SB)/8, $1
DATA screenBin<>+16(SB)/8, $2
DATA screenBin<>+24(SB)/8, $3
DATA screenBin<>+32(SB)/8, $4
DATA screenBin<>+40(SB)/8, $4
DATA screenBin<>+48(SB)/8, $4
DATA screenBin<>+56(SB)/8, $4
GLOBL screenBin<>(SB), RODATA|NOPTR, $64

// func screenBins(s *Screen, words *int64, fours, usual int, start int64) bool
//
// The sieve is that of bestSplitPoint. The usual bin is added to the sums of all bins from it on.
//
//	Y0 first child's words   Y2 x   Y3 y   Y5 bins   Y6 sum so far   Y7 rest   Y8 factor   Y9 slack
//	Y10 the usual bin's words   Y11 its number   Y12 L2   Y13 2 G/D   Y14 2^52   Y15 2^52 + 2^31
TEXT ·screenBins(SB), NOSPLIT, $0-41
	MOVQ s+0(FP), DI
	MOVQ words+8(FP), SI
	MOVQ fours+16(FP), CX
	MOVQ usual+24(FP), DX
	MOVQ SI, BX
	MOVQ CX, AX
	VPXOR Y0, Y0, Y0

sum:
	VPADDQ (BX), Y0, Y0
	ADDQ $32, BX
	DECQ AX
	JNE  sum
	VEXTRACTI128 $1, Y0, X1
	VPADDQ X1, X0, X0
	VPSHUFD $0x4E, X0, X1
	VPADDQ X1, X0, X0
	VMOVQ Screen_total(DI), X1
	VPSUBQ X0, X1, X1
	VPBROADCASTQ X1, Y10
	VMOVQ DX, X11
	VPBROADCASTQ X11, Y11
	VPBROADCASTQ start+32(FP), Y6
	VMOVDQU screenBin<>+0(SB), Y5
	VBROADCASTSD Screen_l2(DI), Y12
	VBROADCASTSD Screen_twice(DI), Y13
	VBROADCASTSD Screen_factor(DI), Y8
	VBROADCASTSD Screen_rest(DI), Y7
	VBROADCASTSD Screen_slack(DI), Y9
	MOVQ $0x4330000000000000, AX
	VMOVQ AX, X14
	VPBROADCASTQ X14, Y14
	MOVQ $0x4330000080000000, AX
	VMOVQ AX, X15
	VPBROADCASTQ X15, Y15
	PCALIGN $32

four:
	VMOVDQU (SI), Y0
	VPSLLDQ $8, Y0, Y1
	VPADDQ Y1, Y0, Y0
	VPERM2I128 $0x08, Y0, Y0, Y1
	VPUNPCKHQDQ Y1, Y1, Y1
	VPADDQ Y1, Y0, Y0
	VPADDQ Y6, Y0, Y0
	VPERMQ $0xFF, Y0, Y6
	VPCMPGTQ Y5, Y11, Y1
	VPANDN Y10, Y1, Y1
	VPADDQ Y1, Y0, Y0
	VPSRLQ $32, Y0, Y2
	VPXOR Y15, Y2, Y2
	VPBLENDD $0xAA, Y14, Y0, Y3
	VSUBPD Y15, Y2, Y2
	VSUBPD Y14, Y3, Y3
	VCMPPD $0x1D, Screen_least(DI), Y3, Y1
	VCMPPD $0x12, Screen_most(DI), Y3, Y4
	VANDPD Y4, Y1, Y1
	VADDPD Y12, Y3, Y3
	VMOVAPD Y8, Y4
	VFMSUB213PD Y7, Y3, Y4
	VFNMADD231PD Y2, Y13, Y4
	VMULPD Y3, Y4, Y4
	VFMADD231PD Y2, Y2, Y4
	VCMPPD $0x15, Y9, Y4, Y4
	VANDPD Y1, Y4, Y4
	VMOVMSKPD Y4, AX
	TESTL AX, AX
	JNE  may
	VPADDQ screenBin<>+32(SB), Y5, Y5
	ADDQ $32, SI
	DECQ CX
	JNE  four
	MOVB $0, ret+40(FP)
	VZEROUPPER
	RET

may:
	MOVB $1, ret+40(FP)
	VZEROUPPER
	RET
