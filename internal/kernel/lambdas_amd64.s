//go:build amd64 && !purego

#include "go_asm.h"
#include "textflag.h"

// func addLambdas(l *Lambdas, r *LambdaSums, gain, odds, place *float64, n int)
//
// The rows of r are lanes.
//
//	BX r   R8 gain   R9 odds   R10 place   CX n   DX other row
//	Y0 G   Y1 H   Y2 gain   Y3 odds   Y4 place   Y12 sign   Y13 most   Y14 factor   Y15 weight
//	Y5 difference of gains, whose sign chooses   Y6 count, then slope   Y10, Y11 own odds and the other's over both
TEXT ·addLambdas(SB), NOSPLIT, $0-48
	MOVQ l+0(FP), AX
	MOVQ r+8(FP), BX
	MOVQ gain+16(FP), R8
	MOVQ odds+24(FP), R9
	MOVQ place+32(FP), R10
	MOVQ n+40(FP), CX
	VBROADCASTSD Lambdas_Most(AX), Y13
	VBROADCASTSD Lambdas_Factor(AX), Y14
	VBROADCASTSD Lambdas_Weight(AX), Y15
	VMOVUPD LambdaSums_G(BX), Y0
	VMOVUPD LambdaSums_H(BX), Y1
	VMOVUPD LambdaSums_Gain(BX), Y2
	VMOVUPD LambdaSums_Odds(BX), Y3
	VMOVUPD LambdaSums_Place(BX), Y4
	VPCMPEQD Y12, Y12, Y12
	VPSLLQ $63, Y12, Y12
	XORQ DX, DX
	PCALIGN $32

other:
	VBROADCASTSD (R9)(DX*8), Y8
	VADDPD Y8, Y3, Y9
	VDIVPD Y9, Y3, Y10
	VDIVPD Y9, Y8, Y11
	VBROADCASTSD (R8)(DX*8), Y5
	VSUBPD Y5, Y2, Y5
	VANDNPD Y5, Y12, Y6
	VMINPD Y13, Y6, Y6
	VBROADCASTSD (R10)(DX*8), Y7
	VSUBPD Y7, Y4, Y7
	VANDNPD Y7, Y12, Y7
	VMULPD Y7, Y6, Y6
	VMULPD Y14, Y6, Y6
	VMULPD Y15, Y6, Y6
	VBLENDVPD Y5, Y10, Y11, Y7 // p: the own odds where the own gain is less
	VBLENDVPD Y5, Y11, Y10, Y8 // q
	VMULPD Y7, Y6, Y6
	VMULPD Y8, Y6, Y8
	VADDPD Y8, Y1, Y1
	VANDPD Y12, Y5, Y5
	VXORPD Y5, Y6, Y6
	VSUBPD Y6, Y0, Y0
	INCQ DX
	CMPQ DX, CX
	JB   other
	VMOVUPD Y0, LambdaSums_G(BX)
	VMOVUPD Y1, LambdaSums_H(BX)
	VZEROUPPER
	RET
