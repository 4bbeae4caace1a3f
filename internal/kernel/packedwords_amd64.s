//go:build amd64 && !purego

#include "textflag.h"

// WORDS does sixteen words a turn.
#define WORDS(op) \
	MOVQ a+0(FP), DI \
	MOVQ b+8(FP), SI \
	MOVQ turns+16(FP), CX \
	PCALIGN $32 \
turn: \
	VMOVDQU (DI), Y0 \
	VMOVDQU 32(DI), Y1 \
	VMOVDQU 64(DI), Y2 \
	VMOVDQU 96(DI), Y3 \
	op (SI), Y0, Y0 \
	op 32(SI), Y1, Y1 \
	op 64(SI), Y2, Y2 \
	op 96(SI), Y3, Y3 \
	VMOVDQU Y0, (DI) \
	VMOVDQU Y1, 32(DI) \
	VMOVDQU Y2, 64(DI) \
	VMOVDQU Y3, 96(DI) \
	ADDQ $128, DI \
	ADDQ $128, SI \
	DECQ CX \
	JNE  turn \
	VZEROUPPER \
	RET

// func subtractWords(a, b *int64, turns int)
TEXT ·subtractWords(SB), NOSPLIT, $0-24
	WORDS(VPSUBQ)

// func sumWords(a, b *int64, turns int)
TEXT ·sumWords(SB), NOSPLIT, $0-24
	WORDS(VPADDQ)
