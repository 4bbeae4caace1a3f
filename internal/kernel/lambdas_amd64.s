//go:build amd64 && !purego

#include "go_asm.h"
#include "textflag.h"

// The rows of r are lanes.
//
//	AX l   BX r   R8 gain   R9 odds   R10 place   R13 score   CX n   DX other row
//	Y0 G   Y1 H   Y2 gain   Y3 odds   Y4 slopes   Y12 sign   Y13 most   Y14 factor   Y15 near
//	Y5 difference of gains, whose sign chooses   Y6 count, then slope   Y8 bend
//	Y10, Y11 own odds and the other's over both   Y7 p: the own ones where the own gain is less
#define LOAD \
	VBROADCASTSD Lambdas_Most(AX), Y13 \
	VBROADCASTSD Lambdas_Factor(AX), Y14 \
	VBROADCASTSD Lambdas_Near(AX), Y15 \
	VMOVUPD LambdaSums_G(BX), Y0 \
	VMOVUPD LambdaSums_H(BX), Y1 \
	VMOVUPD LambdaSums_Gain(BX), Y2 \
	VMOVUPD LambdaSums_Odds(BX), Y3 \
	VMOVUPD LambdaSums_Slopes(BX), Y4 \
	VPCMPEQD Y12, Y12, Y12 \
	VPSLLQ $63, Y12, Y12 \
	XORQ DX, DX

// PAIRS adds the pairs with the other row. It leaves the slopes with their signs in Y6.
#define PAIRS \
	VBROADCASTSD (R9)(DX*8), Y8 \
	VADDPD Y8, Y3, Y9 \
	VDIVPD Y9, Y3, Y10 \
	VDIVPD Y9, Y8, Y11 \
	VBROADCASTSD (R8)(DX*8), Y5 \
	VSUBPD Y5, Y2, Y5 \
	VANDNPD Y5, Y12, Y6 \
	VMINPD Y13, Y6, Y6 \
	VBROADCASTSD (R10)(DX*8), Y7 \
	VSUBPD LambdaSums_Place(BX), Y7, Y7 \
	VANDNPD Y7, Y12, Y7 \
	VMULPD Y7, Y6, Y6 \
	VBROADCASTSD (R13)(DX*8), Y9 \
	VSUBPD LambdaSums_Score(BX), Y9, Y9 \
	VANDNPD Y9, Y12, Y9 \
	VADDPD Y15, Y9, Y9 \
	VMULPD Y14, Y6, Y6 \
	VDIVPD Y9, Y6, Y6 \
	VMULPD LambdaSums_Weight(BX), Y6, Y6 \
	VBLENDVPD Y5, Y10, Y11, Y7 \
	VBLENDVPD Y5, Y11, Y10, Y8 \
	VMULPD Y7, Y6, Y6 \
	VMULPD Y8, Y6, Y8 \
	VADDPD Y8, Y1, Y1 \
	VADDPD Y6, Y4, Y4 \
	VANDPD Y12, Y5, Y5 \
	VXORPD Y5, Y6, Y6 \
	VSUBPD Y6, Y0, Y0

#define STORE \
	VMOVUPD Y0, LambdaSums_G(BX) \
	VMOVUPD Y1, LambdaSums_H(BX) \
	VMOVUPD Y4, LambdaSums_Slopes(BX) \
	VZEROUPPER

// func addLambdas(l *Lambdas, r *LambdaSums, gain, odds, place, score *float64, n int)
TEXT ·addLambdas(SB), NOSPLIT, $0-56
	MOVQ l+0(FP), AX
	MOVQ r+8(FP), BX
	MOVQ gain+16(FP), R8
	MOVQ odds+24(FP), R9
	MOVQ place+32(FP), R10
	MOVQ score+40(FP), R13
	MOVQ n+48(FP), CX
	LOAD
	PCALIGN $32

other:
	PAIRS
	INCQ DX
	CMPQ DX, CX
	JB   other
	STORE
	RET

// SPREAD adds the lanes of one and two, vectors of two other rows, to their places in sum. It
// uses Y5 to Y7.
#define SPREAD(one, two, sum) \
	VUNPCKHPD two, one, Y7 \
	VUNPCKLPD two, one, Y6 \
	VADDPD sum, X6, X5 \
	VEXTRACTF128 $1, Y6, X6 \
	VADDPD X7, X5, X5 \
	VEXTRACTF128 $1, Y7, X7 \
	VADDPD X6, X5, X5 \
	VADDPD X7, X5, X5 \
	VMOVUPD X5, sum

// func addBothLambdas(
//	l *Lambdas, r *LambdaSums, gain, odds, place, score, first, second *float64, n int)
//
// The slopes and bends of the lanes are added, lane by lane, to R11 g (first) and R12 h (second) of
// two other rows, and of the last one if their number is odd.
TEXT ·addBothLambdas(SB), NOSPLIT, $64-72
	MOVQ l+0(FP), AX
	MOVQ r+8(FP), BX
	MOVQ gain+16(FP), R8
	MOVQ odds+24(FP), R9
	MOVQ place+32(FP), R10
	MOVQ score+40(FP), R13
	MOVQ first+48(FP), R11
	MOVQ second+56(FP), R12
	MOVQ n+64(FP), CX
	LOAD
	DECQ CX
	JE   last
	PCALIGN $32

two:
	PAIRS
	VMOVUPD Y6, slope-64(SP)
	VMOVUPD Y8, bend-32(SP)
	INCQ DX
	PAIRS
	VMOVUPD bend-32(SP), Y9
	VMOVUPD slope-64(SP), Y10
	VMOVAPD Y6, Y11
	SPREAD(Y9, Y8, -8(R12)(DX*8))
	SPREAD(Y10, Y11, -8(R11)(DX*8))
	INCQ DX
	CMPQ DX, CX
	JB   two
	JA   end

last:
	PAIRS
	VMOVUPD Y6, slope-64(SP)
	VMOVUPD Y8, bend-32(SP)
	VMOVSD (R11)(DX*8), X9
	VMOVSD (R12)(DX*8), X10
	VADDSD slope-64(SP), X9, X9
	VADDSD bend-32(SP), X10, X10
	VADDSD slope-56(SP), X9, X9
	VADDSD bend-24(SP), X10, X10
	VADDSD slope-48(SP), X9, X9
	VADDSD bend-16(SP), X10, X10
	VADDSD slope-40(SP), X9, X9
	VADDSD bend-8(SP), X10, X10
	VMOVSD X9, (R11)(DX*8)
	VMOVSD X10, (R12)(DX*8)

end:
	STORE
	RET
