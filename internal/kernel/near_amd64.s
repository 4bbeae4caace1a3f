//go:build amd64 && !purego

#include "textflag.h"

// func nearInVectors(query *float32, width int, group *float32, limit float32) uint32
//
//	SI query   CX numbers left   DI group
//	Y0 to Y3 sums of eight points each   Y4 the query's number   Y5 to Y8 differences
TEXT ·nearInVectors(SB), NOSPLIT, $0-36
	MOVQ query+0(FP), SI
	MOVQ width+8(FP), CX
	MOVQ group+16(FP), DI
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3
	PCALIGN $32

number:
	VBROADCASTSS (SI), Y4
	VSUBPS (DI), Y4, Y5
	VSUBPS 32(DI), Y4, Y6
	VSUBPS 64(DI), Y4, Y7
	VSUBPS 96(DI), Y4, Y8
	VMULPS Y5, Y5, Y5
	VMULPS Y6, Y6, Y6
	VMULPS Y7, Y7, Y7
	VMULPS Y8, Y8, Y8
	VADDPS Y5, Y0, Y0
	VADDPS Y6, Y1, Y1
	VADDPS Y7, Y2, Y2
	VADDPS Y8, Y3, Y3
	ADDQ $4, SI
	ADDQ $128, DI
	DECQ CX
	JNE number
	VBROADCASTSS limit+24(FP), Y4
	VCMPPS $2, Y4, Y0, Y0
	VCMPPS $2, Y4, Y1, Y1
	VCMPPS $2, Y4, Y2, Y2
	VCMPPS $2, Y4, Y3, Y3
	VMOVMSKPS Y0, AX
	VMOVMSKPS Y1, BX
	VMOVMSKPS Y2, CX
	VMOVMSKPS Y3, DX
	SHLL $8, BX
	SHLL $16, CX
	SHLL $24, DX
	ORL BX, AX
	ORL CX, AX
	ORL DX, AX
	MOVL AX, ret+32(FP)
	VZEROUPPER
	RET
