//go:build amd64 && !purego

#include "textflag.h"

DATA softmaxOne<>+0(SB)/8, $1.0
GLOBL softmaxOne<>(SB), RODATA|NOPTR, $8

// func raiseFours(top, x *float64, n int)
//
//	Y2 the greater   Y3 where one is NaN   Y4 NaN there
TEXT ·raiseFours(SB), NOSPLIT, $0-24
	MOVQ top+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ n+16(FP), CX
	PCALIGN $32

raise:
	VMOVUPD (DI), Y0
	VMOVUPD (SI), Y1
	VMAXPD Y1, Y0, Y2
	VCMPPD $3, Y1, Y0, Y3
	VADDPD Y1, Y0, Y4
	VBLENDVPD Y3, Y4, Y2, Y2
	VMOVUPD Y2, (DI)
	ADDQ $32, DI
	ADDQ $32, SI
	SUBQ $4, CX
	JNE  raise
	VZEROUPPER
	RET

// func belowFours(dst, x, top *float64, n int)
TEXT ·belowFours(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ top+16(FP), DX
	MOVQ n+24(FP), CX
	PCALIGN $32

below:
	VMOVUPD (SI), Y0
	VMOVUPD (DX), Y1
	VSUBPD Y1, Y0, Y2
	VCMPPD $0, Y1, Y0, Y3
	VANDNPD Y2, Y3, Y2
	VMOVUPD Y2, (DI)
	ADDQ $32, DI
	ADDQ $32, SI
	ADDQ $32, DX
	SUBQ $4, CX
	JNE  below
	VZEROUPPER
	RET

// func addFours(a, b *float64, n int)
TEXT ·addFours(SB), NOSPLIT, $0-24
	MOVQ a+0(FP), DI
	MOVQ b+8(FP), SI
	MOVQ n+16(FP), CX
	PCALIGN $32

add:
	VMOVUPD (DI), Y0
	VADDPD (SI), Y0, Y0
	VMOVUPD Y0, (DI)
	ADDQ $32, DI
	ADDQ $32, SI
	SUBQ $4, CX
	JNE  add
	VZEROUPPER
	RET

// func probabilityFours(first, second, e, sum *float64, factor float64, n int)
//
//	Y0 p   Y1 factor p   Y14 1   Y15 factor
TEXT ·probabilityFours(SB), NOSPLIT, $0-48
	MOVQ first+0(FP), DI
	MOVQ second+8(FP), R8
	MOVQ e+16(FP), SI
	MOVQ sum+24(FP), DX
	MOVQ n+40(FP), CX
	VBROADCASTSD factor+32(FP), Y15
	VBROADCASTSD softmaxOne<>(SB), Y14
	PCALIGN $32

probability:
	VMOVUPD (SI), Y0
	VDIVPD (DX), Y0, Y0
	VMULPD Y0, Y15, Y1
	VSUBPD Y0, Y14, Y2
	VMULPD Y2, Y1, Y1
	VMOVUPD Y0, (DI)
	VMOVUPD Y1, (R8)
	ADDQ $32, DI
	ADDQ $32, R8
	ADDQ $32, SI
	ADDQ $32, DX
	SUBQ $4, CX
	JNE  probability
	VZEROUPPER
	RET
