//go:build amd64 && !purego

#include "go_asm.h"
#include "textflag.h"

DATA fourBins<>+0(SB)/8, $0
DATA fourBins<>+8(SB)/8, $1
DATA fourBins<>+16(SB)/8, $2
DATA fourBins<>+24(SB)/8, $3
GLOBL fourBins<>(SB), RODATA|NOPTR, $32

// HALVES makes floats of the high halves of words, g, and of the low ones, h. A half is put in the place of the lowest bits of
// 2^52, of the signed ones with the sign flipped, and what was put there too is then taken away.
#define HALVES(words, g, h) \
	VPSRLQ $32, words, g \
	VPXOR Y15, g, g \
	VPBLENDD $0xAA, Y14, words, h \
	VSUBPD Y15, g, g \
	VSUBPD Y14, h, h

// SIEVE computes, of the best scores, what the test of a bin needs: f = B/D, c = B - G^2/D and what rounding may change.
#define SIEVE(best, f, c, slack, spare) \
	VBROADCASTSD splitSearch_sieve+sieve_perBest(DI), f \
	VBROADCASTSD splitSearch_sieve+sieve_base(DI), c \
	VBROADCASTSD splitSearch_sieve+sieve_slack(DI), slack \
	VBROADCASTSD splitSearch_sieve+sieve_fixed(DI), spare \
	VMULPD best, f, f \
	VSUBPD c, best, c \
	VMULPD best, slack, slack \
	VADDPD spare, slack, slack

// PREFIX makes Y0 what the first child has after each of four bins, and Y6 what it has after the last of them.
#define PREFIX \
	VMOVDQU (SI), Y0 \
	VPSLLDQ $8, Y0, Y1 \
	VPADDQ Y1, Y0, Y0 \
	VPERM2I128 $0x08, Y0, Y0, Y1 \
	VPUNPCKHQDQ Y1, Y1, Y1 \
	VPADDQ Y1, Y0, Y0 \
	VPADDQ Y6, Y0, Y0 \
	VPERMQ $0xFF, Y0, Y6

// func bestSplitPoint(c *splitSearch)
//
// Four bins at a time. Scores are only computed where the sieve lets one of the four pass. It fuses products with sums, unlike all
// that results depend on.
//
//	Y0 first child's words   Y2 x   Y3 y   Y6 sum so far   Y7 c   Y8 best   Y9 less than 0 by what rounding may change
//	Y11 f   Y12 L2   Y13 2 G/D   Y14 2^52   Y15 2^52 + 2^31   R8, R9 the least and the most h of the first child
TEXT ·bestSplitPoint(SB), NOSPLIT, $0-8
	MOVQ c+0(FP), DI
	MOVQ splitSearch_words(DI), SI
	MOVQ splitSearch_fours(DI), CX
	VPBROADCASTQ splitSearch_sum(DI), Y6
	VBROADCASTSD splitSearch_l2(DI), Y12
	VBROADCASTSD splitSearch_sieve+sieve_twice(DI), Y13
	MOVQ $0x4330000000000000, AX
	VMOVQ AX, X14
	VPBROADCASTQ X14, Y14
	MOVQ $0x4330000080000000, AX
	VMOVQ AX, X15
	VPBROADCASTQ X15, Y15
	VMOVUPD splitSearch_best(DI), Y8
	SIEVE(Y8, Y11, Y7, Y9, Y1)
	MOVL splitSearch_least(DI), R8
	MOVL splitSearch_most(DI), R9

	// Up to where the first child has enough.
light:
	PREFIX
	VMOVD X6, AX
	CMPL AX, R8
	JAE  sieve
	ADDQ $32, SI
	DECQ CX
	JNE  light
	JMP  done
	PCALIGN $32

four:
	PREFIX

sieve:
	HALVES(Y0, Y2, Y3)
	VADDPD Y12, Y3, Y3
	VMOVAPD Y11, Y4
	VFMSUB213PD Y7, Y3, Y4
	VFNMADD231PD Y2, Y13, Y4
	VMULPD Y3, Y4, Y4
	VFMADD231PD Y2, Y2, Y4
	VCMPPD $0x15, Y9, Y4, Y1
	VMOVMSKPD Y1, AX
	TESTL AX, AX
	JNE  scores

next:
	VMOVD X6, AX
	CMPL AX, R9
	JHI  done // after these the last child has too little
	ADDQ $32, SI
	DECQ CX
	JNE  four

done:
	VMOVUPD Y8, splitSearch_best(DI)
	VMOVQ X6, splitSearch_sum(DI)
	VZEROUPPER
	RET

scores:
	VPBROADCASTQ splitSearch_total(DI), Y1
	VPSUBQ Y0, Y1, Y1
	HALVES(Y0, Y2, Y3)
	HALVES(Y1, Y4, Y5)

	// Where a child has too little all bits are set, which makes the score no number.
	VBROADCASTSD splitSearch_lowest(DI), Y7
	VCMPPD $0x19, Y7, Y3, Y9
	VCMPPD $0x19, Y7, Y5, Y1
	VPOR Y1, Y9, Y9

	VADDPD Y12, Y3, Y3
	VADDPD Y12, Y5, Y5
	VMULPD Y2, Y2, Y2
	VMULPD Y4, Y4, Y4
	VMULPD Y5, Y2, Y2
	VMULPD Y3, Y4, Y4
	VADDPD Y4, Y2, Y2
	VMULPD Y5, Y3, Y3
	VDIVPD Y3, Y2, Y2
	VPOR Y9, Y2, Y2
	VCMPPD $0x1E, Y8, Y2, Y1
	VBLENDVPD Y1, Y2, Y8, Y8

	MOVQ splitSearch_fours(DI), AX
	SUBQ CX, AX
	SHLQ $2, AX
	VMOVQ AX, X4
	VPBROADCASTQ X4, Y4
	VPADDQ fourBins<>(SB), Y4, Y4
	VMOVDQU splitSearch_bin(DI), Y5
	VBLENDVPD Y1, Y4, Y5, Y5
	VMOVDQU Y5, splitSearch_bin(DI)
	VMOVDQU splitSearch_first(DI), Y5
	VBLENDVPD Y1, Y0, Y5, Y5
	VMOVDQU Y5, splitSearch_first(DI)
	SIEVE(Y8, Y11, Y7, Y9, Y1)
	JMP  next

// func addSplitPointGains(c *SplitPointGains, sums *float64, fours int) (first int64)
//
// Four bins at a time. Where all four have no rows the first child is as before them, and so is the gain.
//
//	Y0 first child's words   Y6 sum so far   Y7 total   Y8 the last gain   Y10 scale   Y11 weight   Y12 L2   Y13 score of the leaf
//	Y14 2^52   Y15 2^52 + 2^31
TEXT ·addSplitPointGains(SB), NOSPLIT, $0-32
	MOVQ c+0(FP), DI
	MOVQ sums+8(FP), DX
	MOVQ fours+16(FP), CX
	MOVQ SplitPointGains_Words(DI), SI
	VPBROADCASTQ SplitPointGains_Start(DI), Y6
	VPBROADCASTQ SplitPointGains_Total(DI), Y7
	VBROADCASTSD SplitPointGains_L2(DI), Y12
	VBROADCASTSD SplitPointGains_Base(DI), Y13
	VBROADCASTSD SplitPointGains_Scale(DI), Y10
	VBROADCASTSD SplitPointGains_Weight(DI), Y11
	MOVQ $0x4330000000000000, AX
	VMOVQ AX, X14
	VPBROADCASTQ X14, Y14
	MOVQ $0x4330000080000000, AX
	VMOVQ AX, X15
	VPBROADCASTQ X15, Y15
	JMP  gains
	PCALIGN $32

four:
	VMOVDQU (SI), Y0
	VPTEST Y0, Y0
	JE   same

gains:
	PREFIX
	VPSUBQ Y0, Y7, Y1
	HALVES(Y0, Y2, Y3)
	HALVES(Y1, Y4, Y5)
	VADDPD Y12, Y3, Y3
	VADDPD Y12, Y5, Y5
	VMULPD Y2, Y2, Y2
	VMULPD Y4, Y4, Y4
	VDIVPD Y3, Y2, Y2
	VDIVPD Y5, Y4, Y4
	VADDPD Y4, Y2, Y2
	VSUBPD Y13, Y2, Y2
	VMULPD Y10, Y2, Y2
	VMULPD Y11, Y2, Y2
	VPERMPD $0xFF, Y2, Y8
	VADDPD (DX), Y2, Y2
	VMOVUPD Y2, (DX)
	ADDQ $32, SI
	ADDQ $32, DX
	DECQ CX
	JNE  four
	VMOVQ X6, first+24(FP)
	VZEROUPPER
	RET

same:
	VADDPD (DX), Y8, Y2
	VMOVUPD Y2, (DX)
	ADDQ $32, SI
	ADDQ $32, DX
	DECQ CX
	JNE  four
	VMOVQ X6, first+24(FP)
	VZEROUPPER
	RET
