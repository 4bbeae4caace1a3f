//go:build amd64 && !purego

#include "textflag.h"

DATA expParts<>+0(SB)/8, $0x7fffffffffffffff // all bits but the sign
DATA expParts<>+8(SB)/8, $700.0              // largest that is done here
DATA expParts<>+16(SB)/8, $0x40571547652b82fe // 64 / ln 2
DATA expParts<>+24(SB)/8, $0x4338000000000000 // roundShift
DATA expParts<>+32(SB)/8, $0x3f862e42fefa0000 // ln2By64
DATA expParts<>+40(SB)/8, $0x3d1cf79abc9e3b3a // ln2By64Low
DATA expParts<>+48(SB)/8, $0x3f56c16c16c16c17 // 1/720
DATA expParts<>+56(SB)/8, $0x3f81111111111111 // 1/120
DATA expParts<>+64(SB)/8, $0x3fa5555555555555 // 1/24
DATA expParts<>+72(SB)/8, $0x3fc5555555555555 // 1/6
DATA expParts<>+80(SB)/8, $0.5
DATA expParts<>+88(SB)/8, $0x000003ff000003ff // the exponent of 1, in halves
GLOBL expParts<>(SB), RODATA|NOPTR, $96

// EXPONENTIALS makes Y5 the powers e^x of the four numbers in Y0, which are within 700 of 0: the operations of expOf, in their order, so that
// the bits are its own.
//
//	R8 constants   R9 table   R10 ... R13 j of the four numbers
//	Y0 x   Y1 n in the low halves   Y2 r   Y3 r2   Y4 p   Y5 a term   Y6, Y7 both parts of 2^(j/64)
//	Y8 sign mask   Y9 limit   Y10 64/ln2   Y11 shift   Y12, Y13 ln2/64   Y14 1/2   Y15 1023
#define EXPONENTIALS \
	VMULPD Y10, Y0, Y1 \
	VADDPD Y11, Y1, Y1 /* its low bits are n */ \
	VSUBPD Y11, Y1, Y3 /* n as a float */ \
	VMULPD Y12, Y3, Y4 \
	VSUBPD Y4, Y0, Y2 \
	VMULPD Y13, Y3, Y4 \
	VSUBPD Y4, Y2, Y2 \
	VMULPD Y2, Y2, Y3 \
	VMOVQ X1, R10 \
	VPEXTRQ $1, X1, R11 \
	VEXTRACTI128 $1, Y1, X4 \
	VMOVQ X4, R12 \
	VPEXTRQ $1, X4, R13 \
	ANDL $63, R10 \
	ANDL $63, R11 \
	ANDL $63, R12 \
	ANDL $63, R13 \
	SHLL $4, R10 \
	SHLL $4, R11 \
	SHLL $4, R12 \
	SHLL $4, R13 \
	VMOVUPD (R9)(R10*1), X6 \
	VMOVUPD (R9)(R11*1), X7 \
	VINSERTF128 $1, (R9)(R12*1), Y6, Y6 \
	VINSERTF128 $1, (R9)(R13*1), Y7, Y7 \
	VUNPCKHPD Y7, Y6, Y5 /* lower parts */ \
	VUNPCKLPD Y7, Y6, Y6 /* of numbers 0, 1 | 2, 3: those of X1 are 0, 1 */ \
	VMOVAPD Y5, Y7 \
	VBROADCASTSD 48(R8), Y4 \
	VMULPD Y4, Y3, Y4 \
	VBROADCASTSD 56(R8), Y5 \
	VMULPD Y5, Y2, Y5 \
	VBROADCASTSD 64(R8), Y0 \
	VADDPD Y0, Y5, Y5 \
	VADDPD Y5, Y4, Y4 \
	VMULPD Y4, Y3, Y4 \
	VBROADCASTSD 72(R8), Y5 \
	VMULPD Y5, Y2, Y5 \
	VADDPD Y14, Y5, Y5 \
	VADDPD Y5, Y4, Y4 \
	VMULPD Y4, Y3, Y4 \
	VADDPD Y2, Y4, Y4 /* e^r - 1 */ \
	VMULPD Y4, Y6, Y5 \
	VADDPD Y7, Y5, Y5 \
	VADDPD Y5, Y6, Y5 \
	VPSRAD $6, Y1, Y1 /* k in the low halves */ \
	VPADDD Y15, Y1, Y1 \
	VPSLLQ $52, Y1, Y1 /* 2^k */ \
	VMULPD Y1, Y5, Y5

// CONSTANTS loads what EXPONENTIALS uses.
#define CONSTANTS \
	LEAQ expParts<>(SB), R8 \
	LEAQ ·expTable(SB), R9 \
	VBROADCASTSD 0(R8), Y8 \
	VBROADCASTSD 8(R8), Y9 \
	VBROADCASTSD 16(R8), Y10 \
	VBROADCASTSD 24(R8), Y11 \
	VBROADCASTSD 32(R8), Y12 \
	VBROADCASTSD 40(R8), Y13 \
	VBROADCASTSD 80(R8), Y14 \
	VBROADCASTSD 88(R8), Y15

// func expFours(dst, x *float64, n int) int
//
//	SI x   DI dst   CX bytes done   DX bytes in all
TEXT ·expFours(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ n+16(FP), DX
	SHLQ $3, DX
	XORQ CX, CX
	CONSTANTS

four:
	VMOVUPD (SI)(CX*1), Y0
	VANDPD Y8, Y0, Y1
	VCMPPD $2, Y9, Y1, Y1 // |x| <= 700, which NaN is not
	VMOVMSKPD Y1, AX
	CMPL AX, $15
	JNE done
	EXPONENTIALS
	VMOVUPD Y5, (DI)(CX*1)
	ADDQ $32, CX
	CMPQ CX, DX
	JB four

done:
	VZEROUPPER
	SHRQ $3, CX
	MOVQ CX, ret+24(FP)
	RET

DATA logisticParts<>+0(SB)/8, $1.0
DATA logisticParts<>+8(SB)/8, $0x8000000000000000 // the sign
GLOBL logisticParts<>(SB), RODATA|NOPTR, $16

// func logisticFours(first, second, y, raw *float64, n int) int
//
//	DI first   SI second   BX y   AX raw   CX bytes done   DX bytes in all
//	Y0 raw, whose signs choose   Y1 Q   Y2 P   Y3 p   Y4 q   Y5 e, then y   Y7 1
TEXT ·logisticFours(SB), NOSPLIT, $0-48
	MOVQ first+0(FP), DI
	MOVQ second+8(FP), SI
	MOVQ y+16(FP), BX
	MOVQ raw+24(FP), AX
	MOVQ n+32(FP), DX
	SHLQ $3, DX
	XORQ CX, CX
	CONSTANTS

rows:
	VMOVUPD (AX)(CX*1), Y0
	VANDPD Y8, Y0, Y1
	VCMPPD $2, Y9, Y1, Y1 // |raw| <= 700, which NaN is not
	VMOVMSKPD Y1, R10
	CMPL R10, $15
	JNE  end
	VBROADCASTSD logisticParts<>+8(SB), Y1
	VORPD Y1, Y0, Y0
	EXPONENTIALS
	VMOVUPD (AX)(CX*1), Y0
	VBROADCASTSD logisticParts<>+0(SB), Y7
	VADDPD Y7, Y5, Y1
	VDIVPD Y1, Y7, Y2
	VMULPD Y2, Y5, Y1
	VBLENDVPD Y0, Y1, Y2, Y3
	VBLENDVPD Y0, Y2, Y1, Y4
	VMOVUPD (BX)(CX*1), Y5
	VSUBPD Y5, Y7, Y6
	VMULPD Y6, Y3, Y6
	VMULPD Y5, Y4, Y5
	VSUBPD Y5, Y6, Y6
	VMULPD Y4, Y3, Y3
	VMOVUPD Y6, (DI)(CX*1)
	VMOVUPD Y3, (SI)(CX*1)
	ADDQ $32, CX
	CMPQ CX, DX
	JB   rows

end:
	VZEROUPPER
	SHRQ $3, CX
	MOVQ CX, ret+40(FP)
	RET

// func logisticEights(first, second, y, raw *float64, n int) int
//
// What logisticFours does, with the same operations in their order and both parts of 2^(j/64) gathered.
//
//	DI first   SI second   BX y   AX raw   CX bytes done   DX bytes in all
//	Z0 raw   K1 its signs   Z1 Q   Z2 P   Z3 p   Z4 q   Z5 e, then y; else, and before, as in EXPONENTIALS, with x in Z2
//	Z16 ... Z20 1/720, 1/120, 1/24, 1/6, the sign   Z21 63   Z22 1
TEXT ·logisticEights(SB), NOSPLIT, $0-48
	MOVQ first+0(FP), DI
	MOVQ second+8(FP), SI
	MOVQ y+16(FP), BX
	MOVQ raw+24(FP), AX
	MOVQ n+32(FP), DX
	SHLQ $3, DX
	XORQ CX, CX
	LEAQ expParts<>(SB), R8
	LEAQ ·expTable(SB), R9
	VBROADCASTSD 0(R8), Z8
	VBROADCASTSD 8(R8), Z9
	VBROADCASTSD 16(R8), Z10
	VBROADCASTSD 24(R8), Z11
	VBROADCASTSD 32(R8), Z12
	VBROADCASTSD 40(R8), Z13
	VBROADCASTSD 80(R8), Z14
	VBROADCASTSD 88(R8), Z15
	VBROADCASTSD 48(R8), Z16
	VBROADCASTSD 56(R8), Z17
	VBROADCASTSD 64(R8), Z18
	VBROADCASTSD 72(R8), Z19
	VBROADCASTSD logisticParts<>+8(SB), Z20
	VBROADCASTSD logisticParts<>+0(SB), Z22
	MOVL $63, R10
	VPBROADCASTQ R10, Z21
	PCALIGN $32

rows:
	VMOVUPD (AX)(CX*1), Z0
	VANDPD Z8, Z0, Z1
	VCMPPD $2, Z9, Z1, K1 // |raw| <= 700, which NaN is not
	KMOVW K1, R10
	CMPL R10, $255
	JNE  end
	VORPD Z20, Z0, Z2
	VMULPD Z10, Z2, Z1
	VADDPD Z11, Z1, Z1 // its low bits are n
	VPANDQ Z21, Z1, Z5
	VPADDQ Z5, Z5, Z5 // a number of 16 bytes, by 8
	KXNORW K2, K2, K2
	KXNORW K3, K3, K3
	VPXORQ Z6, Z6, Z6
	VPXORQ Z7, Z7, Z7
	VGATHERQPD (R9)(Z5*8), K2, Z6
	VGATHERQPD 8(R9)(Z5*8), K3, Z7
	VSUBPD Z11, Z1, Z3 // n as a float
	VMULPD Z12, Z3, Z4
	VSUBPD Z4, Z2, Z2
	VMULPD Z13, Z3, Z4
	VSUBPD Z4, Z2, Z2
	VMULPD Z2, Z2, Z3
	VMULPD Z16, Z3, Z4
	VMULPD Z17, Z2, Z5
	VADDPD Z18, Z5, Z5
	VADDPD Z5, Z4, Z4
	VMULPD Z4, Z3, Z4
	VMULPD Z19, Z2, Z5
	VADDPD Z14, Z5, Z5
	VADDPD Z5, Z4, Z4
	VMULPD Z4, Z3, Z4
	VADDPD Z2, Z4, Z4 // e^r - 1
	VMULPD Z4, Z6, Z5
	VADDPD Z7, Z5, Z5
	VADDPD Z5, Z6, Z5
	VPSRAD $6, Z1, Z1 // k in the low halves
	VPADDD Z15, Z1, Z1
	VPSLLQ $52, Z1, Z1 // 2^k
	VMULPD Z1, Z5, Z5
	VADDPD Z22, Z5, Z1
	VDIVPD Z1, Z22, Z2
	VMULPD Z2, Z5, Z1
	VPMOVQ2M Z0, K1
	VBLENDMPD Z1, Z2, K1, Z3
	VBLENDMPD Z2, Z1, K1, Z4
	VMOVUPD (BX)(CX*1), Z5
	VSUBPD Z5, Z22, Z6
	VMULPD Z6, Z3, Z6
	VMULPD Z5, Z4, Z5
	VSUBPD Z5, Z6, Z6
	VMULPD Z4, Z3, Z3
	VMOVUPD Z6, (DI)(CX*1)
	VMOVUPD Z3, (SI)(CX*1)
	ADDQ $64, CX
	CMPQ CX, DX
	JB   rows

end:
	VZEROUPPER
	SHRQ $3, CX
	MOVQ CX, ret+40(FP)
	RET
