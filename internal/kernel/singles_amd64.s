//go:build amd64 && !purego

#include "go_asm.h"
#include "textflag.h"

// FOURAPART makes the values of a row in four columns a vector.
#define FOURAPART(a, b, c, d, x) \
	VMOVSS (a)(AX*1), x \
	VINSERTPS $0x10, (b)(AX*1), x, x \
	VINSERTPS $0x20, (c)(AX*1), x, x \
	VINSERTPS $0x30, (d)(AX*1), x, x

// EXTENDSINGLES copies the values of a row and extends the spans by them, as EXTEND does.
#define EXTENDSINGLES \
	VMOVUPS Y3, (DI) \
	VCMPPS $3, Y3, Y3, Y4 \
	VMINPS Y0, Y3, Y0 \
	VMAXPS Y1, Y3, Y1 \
	VORPS Y4, Y2, Y2 \
	ADDQ $4, SI \
	ADDQ $32, DI \
	DECQ CX

// func gatherSingles(dst *float32, columns *[8][]float32, stride int, rows *uint32, n int, spans *SingleSpans)
//
//	DI dst   SI rows   CX rows to go   R8 to R15 columns   BX bytes between rows
//	Y0 least   Y1 most   Y2 missing
TEXT ·gatherSingles(SB), NOSPLIT, $0-48
	MOVQ dst+0(FP), DI
	MOVQ columns+8(FP), AX
	MOVQ stride+16(FP), BX
	MOVQ rows+24(FP), SI
	MOVQ n+32(FP), CX
	MOVQ spans+40(FP), DX
	SHLQ $2, BX
	MOVQ (AX), R8
	MOVQ 24(AX), R9
	MOVQ 48(AX), R10
	MOVQ 72(AX), R11
	MOVQ 96(AX), R12
	MOVQ 120(AX), R13
	MOVQ 144(AX), R14
	MOVQ 168(AX), R15
	VMOVUPS SingleSpans_Least(DX), Y0
	VMOVUPS SingleSpans_Most(DX), Y1
	VMOVUPS SingleSpans_Missing(DX), Y2
	CMPQ R12, R15
	JNE  differ
	CMPQ R12, R13
	JNE  apart
	CMPQ R12, R14
	JNE  apart
	PCALIGN $32

// The last four are one column.
five:
	MOVL (SI), AX
	IMULQ BX, AX
	FOURAPART(R8, R9, R10, R11, X3)
	VBROADCASTSS (R12)(AX*1), X4
	VINSERTF128 $1, X4, Y3, Y3
	EXTENDSINGLES
	JNE  five
	JMP  end

differ:
	LEAQ 4(R8), AX
	CMPQ AX, R9
	JNE  apart
	LEAQ 8(R8), AX
	CMPQ AX, R10
	JNE  apart
	LEAQ 12(R8), AX
	CMPQ AX, R11
	JNE  apart
	LEAQ 16(R8), AX
	CMPQ AX, R12
	JNE  apart
	LEAQ 20(R8), AX
	CMPQ AX, R13
	JNE  apart
	LEAQ 24(R8), AX
	CMPQ AX, R14
	JNE  apart
	LEAQ 28(R8), AX
	CMPQ AX, R15
	JNE  apart
	PCALIGN $32

// All are side by side.
beside:
	MOVL (SI), AX
	IMULQ BX, AX
	VMOVUPS (R8)(AX*1), Y3
	EXTENDSINGLES
	JNE  beside
	JMP  end
	PCALIGN $32

apart:
	MOVL (SI), AX
	IMULQ BX, AX
	FOURAPART(R8, R9, R10, R11, X3)
	FOURAPART(R12, R13, R14, R15, X4)
	VINSERTF128 $1, X4, Y3, Y3
	EXTENDSINGLES
	JNE  apart

end:
	VMOVUPS Y0, SingleSpans_Least(DX)
	VMOVUPS Y1, SingleSpans_Most(DX)
	VMOVUPS Y2, SingleSpans_Missing(DX)
	VZEROUPPER
	RET

// WIDEN makes the masks of eight columns, Y10, two vectors of masks of numbers in double precision.
#define WIDEN \
	VPMOVSXDQ X10, Y11 \
	VEXTRACTI128 $1, Y10, X12 \
	VPMOVSXDQ X12, Y12

// func sumSinglePairs(sums *PairSums, values *float32, limits *[8]float32, pairs *[2]float64, n int)
//
//	DI sums   R8 values   SI pairs   CX rows to go   Y0, Y1 sums of the first four   Y2, Y3 of the others
//	Y4 limits   Y8, Y9 the pair
TEXT ·sumSinglePairs(SB), NOSPLIT, $0-40
	MOVQ sums+0(FP), DI
	MOVQ values+8(FP), R8
	MOVQ limits+16(FP), AX
	MOVQ pairs+24(FP), SI
	MOVQ n+32(FP), CX
	VMOVUPD (DI), Y0
	VMOVUPD 32(DI), Y1
	VMOVUPD 64(DI), Y2
	VMOVUPD 96(DI), Y3
	VMOVUPS (AX), Y4
	PCALIGN $32

row:
	VBROADCASTSD (SI), Y8
	VBROADCASTSD 8(SI), Y9
	VCMPPS $13, (R8), Y4, Y10
	WIDEN
	VANDPD Y8, Y11, Y13
	VANDPD Y9, Y11, Y14
	VADDPD Y13, Y0, Y0
	VADDPD Y14, Y1, Y1
	VANDPD Y8, Y12, Y13
	VANDPD Y9, Y12, Y14
	VADDPD Y13, Y2, Y2
	VADDPD Y14, Y3, Y3
	ADDQ $16, SI
	ADDQ $32, R8
	DECQ CX
	JNE  row
	VMOVUPD Y0, (DI)
	VMOVUPD Y1, 32(DI)
	VMOVUPD Y2, 64(DI)
	VMOVUPD Y3, 96(DI)
	VZEROUPPER
	RET

// func sumSingleSlots(sums *SlotSums, values *float32, limits *[8]float32, slots *uint32, numbers *float64, n int)
//
//	DI sums   R8 values   SI slots   DX numbers   CX rows to go   Y4 limits   Y8 the number
TEXT ·sumSingleSlots(SB), NOSPLIT, $0-48
	MOVQ sums+0(FP), DI
	MOVQ values+8(FP), R8
	MOVQ limits+16(FP), AX
	MOVQ slots+24(FP), SI
	MOVQ numbers+32(FP), DX
	MOVQ n+40(FP), CX
	VMOVUPS (AX), Y4
	PCALIGN $32

row:
	MOVL (SI), AX
	VBROADCASTSD (DX), Y8
	SHLQ $6, AX
	VCMPPS $13, (R8), Y4, Y10
	WIDEN
	VANDPD Y8, Y11, Y11
	VANDPD Y8, Y12, Y12
	VADDPD (DI)(AX*1), Y11, Y11
	VADDPD 32(DI)(AX*1), Y12, Y12
	VMOVUPD Y11, (DI)(AX*1)
	VMOVUPD Y12, 32(DI)(AX*1)
	ADDQ $4, SI
	ADDQ $8, DX
	ADDQ $32, R8
	DECQ CX
	JNE  row
	VZEROUPPER
	RET
