//go:build amd64 && !purego

#include "go_asm.h"
#include "textflag.h"

// WALK is the walk. Its names are vectors of a row: of eight points, or of a half of them.
//
//	SI step   DI frames   R10 phi   R13 bytes of a level
//	R14 level, or values of a leaf for a row   R15 level of Above   DX that of the parent
//	R8 phi of the player   R11 rows left
//	AX a bit for each row that satisfies the player   R9 scores left   BX, CX, R12 of a score
//	V7, V6 factors   V8, V9 their inverses   V10, VNEG credits, of rows that satisfy it or not
//	at leaves V10, V8 are 1 - z, -z and V9 the product but for the factor
#define WALK \
	MOVQ c+0(FP), AX; \
	MOVQ half+56(FP), DX; \
	MOVQ Credits_frames(AX), DI; \
	MOVQ Credits_Phi(AX), R10; \
	MOVQ Credits_Width(AX), R13; \
	LEAQ Credits_point(AX), BX; \
	ADDQ DX, DI; \
	ADDQ DX, R10; \
	ADDQ DX, BX; \
	VMOVUPD (BX), VT; \
	VMOVUPD 64(BX), VREST; \
	VMOVUPD 128(BX), VINV; \
	VXORPD VZERO, VZERO, VZERO; \
	VSUBPD VINV, VZERO, VNEG; \
	MOVQ $0x3ff0000000000000, BX; \
	VMOVQ BX, X4; \
	VPBROADCASTQ X4, VONE; \
	ADDQ $3, R13; \
	SHLQ $8, R13; \
	MOVQ steps+8(FP), SI; \
	MOVQ n+16(FP), AX; \
	IMULQ $CreditStep__size, AX; \
	ADDQ SI, AX; \
	MOVQ AX, end-8(SP); \
step: \
	MOVL CreditStep_Level(SI), R14; \
	MOVL CreditStep_Above(SI), R15; \
	MOVL CreditStep_Player(SI), R8; \
	SHLQ $8, R8; \
	ADDQ R10, R8; \
	CMPL CreditStep_Kind(SI), $const_CreditUp; \
	JEQ up; \
	MOVQ c+0(FP), BX; \
	MOVQ Credits_met(BX), BX; \
	MOVQ sides+24(FP), DX; \
	MOVL CreditStep_Edge(SI), CX; \
	MOVBLZX (DX)(CX*1), DX; \
	MOVBLZX (BX)(R15*1), AX; \
	ANDL DX, AX; \
	MOVB AX, (BX)(R14*1); \
	IMULQ R13, R14; \
	IMULQ R13, R15; \
	ADDQ DI, R14; \
	ADDQ DI, R15; \
	MOVQ R14, DX; \
	SUBQ R13, DX; \
	MOVQ rows+40(FP), R11; \
	VBROADCASTSD CreditStep_Taken(SI), V5; \
	VMULPD V5, VREST, V6; \
	VADDPD VT, V6, V7; \
	VSUBPD V5, VONE, V10; \
	CMPL CreditStep_Kind(SI), $const_CreditLeaf; \
	JEQ leaves; \
	VBROADCASTSD CreditStep_Inverse(SI), V9; \
	VDIVPD V7, VONE, V8; \
	VMULPD V9, VINV, V9; \
	VMULPD V8, V10, V10; \
down: \
	MASK; \
	BLEND(V7, V6, V11); \
	VMULPD 256(R15), V11, V11; \
	VMULPD (DX), V11, V11; \
	VMOVUPD V11, (R14); \
	BLEND(V8, V9, V12); \
	VMOVUPD V12, 256(R14); \
	BLEND(V10, VNEG, V13); \
	VMOVUPD V13, 512(R14); \
	MOVQ c+0(FP), R9; \
	MOVQ Credits_Width(R9), R9; \
	LEAQ 768(R14), R12; \
zero: \
	VMOVUPD VZERO, (R12); \
	ADDQ $256, R12; \
	DECQ R9; \
	JNE zero; \
	ADDQ $64, R14; \
	ADDQ $64, R15; \
	ADDQ $64, DX; \
	DECQ R11; \
	JNE down; \
	JMP next; \
leaves: \
	MOVL CreditStep_Value(SI), BX; \
	MOVQ values+32(FP), CX; \
	LEAQ (CX)(BX*8), R14; \
	VSUBPD V5, VZERO, V8; \
leaf: \
	MASK; \
	BLEND(V7, V6, V11); \
	BLEND(V10, V8, V13); \
	VMULPD 512(R15), V11, V5; \
	VSUBPD V5, V13, V13; \
	VMOVUPD 256(R15), V9; \
	VMULPD (DX), V9, V9; \
	LEAQ 768(DX), BX; \
	MOVQ R8, R12; \
	MOVQ c+0(FP), R9; \
	MOVQ R14, CX; \
	MOVQ Credits_Width(R9), R9; \
leafscore: \
	VBROADCASTSD (CX), V12; \
	VMULPD V9, V12, V12; \
	VMULPD V12, V13, V5; \
	VADDPD (R12), V5, V5; \
	VMOVUPD V5, (R12); \
	VMULPD V11, V12, V12; \
	VADDPD (BX), V12, V12; \
	VMOVUPD V12, (BX); \
	ADDQ $8, CX; \
	ADDQ $256, BX; \
	ADDQ next+48(FP), R12; \
	DECQ R9; \
	JNE leafscore; \
	MOVQ c+0(FP), BX; \
	MOVQ Credits_Stride(BX), BX; \
	LEAQ (R14)(BX*8), R14; \
	ADDQ $64, R8; \
	ADDQ $64, R15; \
	ADDQ $64, DX; \
	DECQ R11; \
	JNE leaf; \
	JMP next; \
up: \
	IMULQ R13, R14; \
	IMULQ R13, R15; \
	ADDQ DI, R14; \
	ADDQ DI, R15; \
	MOVQ R14, DX; \
	SUBQ R13, DX; \
	MOVQ rows+40(FP), R11; \
uprow: \
	VMOVUPD 512(R14), V13; \
	VSUBPD 512(R15), V13, V13; \
	LEAQ 768(R14), CX; \
	LEAQ 768(DX), BX; \
	MOVQ R8, R12; \
	MOVQ c+0(FP), R9; \
	MOVQ Credits_Width(R9), R9; \
upscore: \
	VMOVUPD (CX), V11; \
	VMULPD V11, V13, V12; \
	VADDPD (R12), V12, V12; \
	VMOVUPD V12, (R12); \
	VADDPD (BX), V11, V11; \
	VMOVUPD V11, (BX); \
	ADDQ $256, CX; \
	ADDQ $256, BX; \
	ADDQ next+48(FP), R12; \
	DECQ R9; \
	JNE upscore; \
	ADDQ $64, R8; \
	ADDQ $64, R14; \
	ADDQ $64, R15; \
	ADDQ $64, DX; \
	DECQ R11; \
	JNE uprow; \
next: \
	ADDQ $CreditStep__size, SI; \
	CMPQ SI, end-8(SP); \
	JNE step; \
	VZEROUPPER; \
	RET

#define VT Z0
#define VREST Z1
#define VINV Z2
#define VNEG Z3
#define VONE Z4
#define V5 Z5
#define V6 Z6
#define V7 Z7
#define V8 Z8
#define V9 Z9
#define V10 Z10
#define V11 Z11
#define V12 Z12
#define V13 Z13
#define VZERO Z14
#define MASK SHRL $1, AX; SBBL R12, R12; KMOVW R12, K1
#define BLEND(yes, no, out) VBLENDMPD yes, no, K1, out

// func walkCredits512(
//	c *Credits, steps *CreditStep, n int, sides *uint8, values *float64, rows, next, half int)
TEXT ·walkCredits512(SB), NOSPLIT, $8-64
	WALK

#undef VT
#undef VREST
#undef VINV
#undef VNEG
#undef VONE
#undef V5
#undef V6
#undef V7
#undef V8
#undef V9
#undef V10
#undef V11
#undef V12
#undef V13
#undef VZERO
#undef MASK
#undef BLEND
#define VT Y0
#define VREST Y1
#define VINV Y2
#define VNEG Y3
#define VONE Y4
#define V5 Y5
#define V6 Y6
#define V7 Y7
#define V8 Y8
#define V9 Y9
#define V10 Y10
#define V11 Y11
#define V12 Y12
#define V13 Y13
#define VZERO Y14
#define MASK SHRL $1, AX; SBBQ R12, R12; VMOVQ R12, X15; VPBROADCASTQ X15, Y15
#define BLEND(yes, no, out) VBLENDVPD Y15, yes, no, out

// func walkCredits256(
//	c *Credits, steps *CreditStep, n int, sides *uint8, values *float64, rows, next, half int)
TEXT ·walkCredits256(SB), NOSPLIT, $8-64
	WALK
