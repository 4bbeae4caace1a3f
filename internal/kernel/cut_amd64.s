//go:build amd64 && !purego

#include "go_asm.h"
#include "textflag.h"

DATA fourBins<>+0(SB)/8, $0
DATA fourBins<>+8(SB)/8, $1
DATA fourBins<>+16(SB)/8, $2
DATA fourBins<>+24(SB)/8, $3
GLOBL fourBins<>(SB), RODATA|NOPTR, $32

DATA fourSteps<>+0(SB)/8, $4
DATA fourSteps<>+8(SB)/8, $4
DATA fourSteps<>+16(SB)/8, $4
DATA fourSteps<>+24(SB)/8, $4
GLOBL fourSteps<>(SB), RODATA|NOPTR, $32

// HALVES makes floats of the high halves of words, g, and of the low ones, h. A half is put in the place of the lowest bits of
// 2^52, of the signed ones with the sign flipped, and what was put there too is then taken away.
#define HALVES(words, g, h) \
	VPSRLQ $32, words, g \
	VPXOR Y10, g, g \
	VPBLENDD $0xAA, Y14, words, h \
	VSUBPD Y15, g, g \
	VSUBPD Y14, h, h

// func bestCut(c *cutting)
//
// Four bins at a time.
//
//	Y0 first child's words   Y1 the last's   Y2, Y3 g1, h1   Y4, Y5 g2, h2   Y6 sum so far   Y7 total
//	Y8 best   Y9 its bins   Y11 bins   Y12 L2   Y13 lowest   Y14 2^52   Y15 2^52 + 2^31   Y10 the bits of that
TEXT ·bestCut(SB), NOSPLIT, $0-8
	MOVQ c+0(FP), DI
	MOVQ cutting_words(DI), SI
	MOVQ cutting_fours(DI), CX
	VPBROADCASTQ cutting_sum(DI), Y6
	VPBROADCASTQ cutting_total(DI), Y7
	VBROADCASTSD cutting_l2(DI), Y12
	VBROADCASTSD cutting_lowest(DI), Y13
	MOVQ $0x4330000000000000, AX
	VMOVQ AX, X14
	VPBROADCASTQ X14, Y14
	MOVQ $0x4330000080000000, AX
	VMOVQ AX, X15
	VPBROADCASTQ X15, Y15
	VMOVDQA Y15, Y10
	MOVQ $0xBFF0000000000000, AX
	VMOVQ AX, X8
	VPBROADCASTQ X8, Y8
	VPCMPEQQ Y9, Y9, Y9
	VMOVDQU fourBins<>(SB), Y11
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
	VPSUBQ Y0, Y7, Y1

	HALVES(Y0, Y2, Y3)
	HALVES(Y1, Y4, Y5)

	// Where a child has too little all bits are set, which makes the score no number.
	VCMPPD $0x19, Y13, Y3, Y0
	VCMPPD $0x19, Y13, Y5, Y1
	VPOR Y1, Y0, Y0

	VADDPD Y12, Y3, Y3
	VADDPD Y12, Y5, Y5
	VMULPD Y2, Y2, Y2
	VMULPD Y4, Y4, Y4
	VMULPD Y5, Y2, Y2
	VMULPD Y3, Y4, Y4
	VADDPD Y4, Y2, Y2
	VMULPD Y5, Y3, Y3
	VDIVPD Y3, Y2, Y2
	VPOR Y0, Y2, Y2

	VCMPPD $0x1E, Y8, Y2, Y1
	VMOVMSKPD Y1, AX
	TESTL AX, AX
	JNE  better

next:
	VPADDQ fourSteps<>(SB), Y11, Y11
	ADDQ $32, SI
	DECQ CX
	JNE  four

	VMOVUPD Y8, cutting_best(DI)
	VMOVDQU Y9, cutting_bin(DI)
	VMOVQ X6, cutting_sum(DI)
	VZEROUPPER
	RET

better:
	VBLENDVPD Y1, Y2, Y8, Y8
	VBLENDVPD Y1, Y11, Y9, Y9
	JMP  next
