//go:build amd64 && !purego

#include "go_asm.h"
#include "textflag.h"

// EXTEND copies the values of a row and extends the spans by them. Of a NaN and another operand
// VMINPD and VMAXPD return the one that is first here.
#define EXTEND \
	VMOVUPD Y3, (DI) \
	VCMPPD $3, Y3, Y3, Y4 \
	VMINPD Y0, Y3, Y0 \
	VMAXPD Y1, Y3, Y1 \
	VORPD Y4, Y2, Y2

// APART and BESIDE make the values of a row a vector, of columns that are apart or side by side.
#define APART \
	VMOVSD (R8)(AX*1), X3 \
	VMOVSD (R10)(AX*1), X4 \
	VMOVHPD (R9)(AX*1), X3, X3 \
	VMOVHPD (R11)(AX*1), X4, X4 \
	VINSERTF128 $1, X4, Y3, Y3

#define BESIDE VMOVUPD (R8)(AX*1), Y3

// ALIKE is for four times the same column.
#define ALIKE VBROADCASTSD (R8)(AX*1), Y3

// func gatherSpans(dst *float64, columns *[4][]float64, stride int, rows *uint32, n int, spans *Spans)
//
//	DI dst   SI rows   CX rows to go   R8 to R11 columns   BX bytes between rows
//	Y0 least   Y1 most   Y2 missing
TEXT ·gatherSpans(SB), NOSPLIT, $0-48
	MOVQ dst+0(FP), DI
	MOVQ columns+8(FP), AX
	MOVQ stride+16(FP), BX
	MOVQ rows+24(FP), SI
	MOVQ n+32(FP), CX
	MOVQ spans+40(FP), DX
	SHLQ $3, BX
	MOVQ (AX), R8
	MOVQ 24(AX), R9
	MOVQ 48(AX), R10
	MOVQ 72(AX), R11
	VMOVUPD Spans_Least(DX), Y0
	VMOVUPD Spans_Most(DX), Y1
	VMOVUPD Spans_Missing(DX), Y2
	CMPQ R8, R9
	JNE  differ
	CMPQ R8, R10
	JNE  apart
	CMPQ R8, R11
	JNE  apart
	PCALIGN $32

alike:
	MOVL (SI), AX
	IMULQ BX, AX
	ALIKE
	EXTEND
	ADDQ $4, SI
	ADDQ $32, DI
	DECQ CX
	JNE  alike
	JMP  end

differ:
	LEAQ 8(R8), AX
	CMPQ AX, R9
	JNE  apart
	LEAQ 16(R8), AX
	CMPQ AX, R10
	JNE  apart
	LEAQ 24(R8), AX
	CMPQ AX, R11
	JNE  apart
	PCALIGN $32

beside:
	MOVL (SI), AX
	IMULQ BX, AX
	BESIDE
	EXTEND
	ADDQ $4, SI
	ADDQ $32, DI
	DECQ CX
	JNE  beside
	JMP  end
	PCALIGN $32

apart:
	MOVL (SI), AX
	IMULQ BX, AX
	APART
	EXTEND
	ADDQ $4, SI
	ADDQ $32, DI
	DECQ CX
	JNE  apart

end:
	VMOVUPD Y0, Spans_Least(DX)
	VMOVUPD Y1, Spans_Most(DX)
	VMOVUPD Y2, Spans_Missing(DX)
	VZEROUPPER
	RET

// ADDUPTO adds the numbers of a row where the limit is greater than its value or equal to it.
#define ADDUPTO(values, limit, first, second) \
	VCMPPD $13, (values), limit, Y10 \
	VANDPD Y8, Y10, Y11 \
	VANDPD Y9, Y10, Y12 \
	VADDPD Y11, first, first \
	VADDPD Y12, second, second

// func sumPairs(sums *PairSums, a, b *float64, limits *[2][4]float64, pairs *[2]float64, n int)
//
//	DI sums   R8 a   R9 b   SI pairs   CX rows to go   Y0, Y1 sums of a   Y2, Y3 of b
//	Y4, Y5 limits   Y8, Y9 the pair
TEXT ·sumPairs(SB), NOSPLIT, $0-48
	MOVQ sums+0(FP), DI
	MOVQ a+8(FP), R8
	MOVQ b+16(FP), R9
	MOVQ limits+24(FP), AX
	MOVQ pairs+32(FP), SI
	MOVQ n+40(FP), CX
	VMOVUPD (DI), Y0
	VMOVUPD 32(DI), Y1
	VMOVUPD 64(DI), Y2
	VMOVUPD 96(DI), Y3
	VMOVUPD (AX), Y4
	VMOVUPD 32(AX), Y5
	PCALIGN $32
row:
	VBROADCASTSD (SI), Y8
	VBROADCASTSD 8(SI), Y9
	ADDUPTO(R8, Y4, Y0, Y1)
	ADDUPTO(R9, Y5, Y2, Y3)
	ADDQ $16, SI
	ADDQ $32, R8
	ADDQ $32, R9
	DECQ CX
	JNE  row
	VMOVUPD Y0, (DI)
	VMOVUPD Y1, 32(DI)
	VMOVUPD Y2, 64(DI)
	VMOVUPD Y3, 96(DI)
	VZEROUPPER
	RET

// func sumSlots(sums *SlotSums, a, b *float64, limits *[2][4]float64, slots *uint32, numbers *float64, n int)
//
//	DI sums   R8 a   R9 b   SI slots   DX numbers   CX rows to go   Y4, Y5 limits   Y8 the number
TEXT ·sumSlots(SB), NOSPLIT, $0-56
	MOVQ sums+0(FP), DI
	MOVQ a+8(FP), R8
	MOVQ b+16(FP), R9
	MOVQ limits+24(FP), AX
	MOVQ slots+32(FP), SI
	MOVQ numbers+40(FP), DX
	MOVQ n+48(FP), CX
	VMOVUPD (AX), Y4
	VMOVUPD 32(AX), Y5
	PCALIGN $32
row:
	MOVL (SI), AX
	VBROADCASTSD (DX), Y8
	SHLQ $6, AX
	VCMPPD $13, (R8), Y4, Y0
	VCMPPD $13, (R9), Y5, Y1
	VANDPD Y8, Y0, Y0
	VANDPD Y8, Y1, Y1
	VADDPD (DI)(AX*1), Y0, Y0
	VADDPD 32(DI)(AX*1), Y1, Y1
	VMOVUPD Y0, (DI)(AX*1)
	VMOVUPD Y1, 32(DI)(AX*1)
	ADDQ $4, SI
	ADDQ $8, DX
	ADDQ $32, R8
	ADDQ $32, R9
	DECQ CX
	JNE  row
	VZEROUPPER
	RET
