//go:build amd64 && !purego

#include "textflag.h"

DATA logParts<>+0(SB)/8, $1.0 // 1
DATA logParts<>+8(SB)/8, $0x3f70000000000000 // below it 1 is the nearest centre
DATA logParts<>+16(SB)/8, $0x0000100000000000 // half a step of the centres
DATA logParts<>+24(SB)/8, $0x000000000001ff80 // number of the centre 1 before it is 0: 1023 << 7
DATA logParts<>+32(SB)/8, $52 // last centre that is not halved
DATA logParts<>+40(SB)/8, $0x0010000000000000 // one in the exponent
DATA logParts<>+48(SB)/8, $0xffffe00000000000 // bits of a centre
DATA logParts<>+56(SB)/8, $0xfffffffff8000000 // 26 bits of a number
DATA logParts<>+64(SB)/8, $0x3fe62e42fefa3800 // ln2
DATA logParts<>+72(SB)/8, $0x3d2ef35793c76730 // ln2Low
DATA logParts<>+80(SB)/8, $0xbfc0000000000000 // -1/8
DATA logParts<>+88(SB)/8, $0x3fc2492492492492 // 1/7
DATA logParts<>+96(SB)/8, $0x3fc5555555555555 // 1/6
DATA logParts<>+104(SB)/8, $0x3fc999999999999a // 1/5
DATA logParts<>+112(SB)/8, $0.25 // 1/4
DATA logParts<>+120(SB)/8, $0x3fd5555555555555 // 1/3
DATA logParts<>+128(SB)/8, $0.5 // 1/2
GLOBL logParts<>(SB), RODATA|NOPTR, $136

// ROW puts the entry of logTable of a centre, whose number is in a register, into vectors.
#define ROW(i, inverse, high, low) \
	LEAQ (i)(i*2), i \
	VMOVSD 0(R9)(i*8), inverse \
	VMOVSD 8(R9)(i*8), high \
	VMOVSD 16(R9)(i*8), low

// NEXT does the same for the upper half of vectors.
#define NEXT(i, inverse, high, low) \
	LEAQ (i)(i*2), i \
	VMOVHPD 0(R9)(i*8), inverse, inverse \
	VMOVHPD 8(R9)(i*8), high, high \
	VMOVHPD 16(R9)(i*8), low, low

// func log1pFours(dst, x *float64, n int) int
//
// The operations of Log1p, reduce and logSum, in their order, so that the bits are theirs.
//
//	SI x   DI dst   CX bytes done   DX bytes in all   R8 constants   R9 table   R10 ... R13 numbers of centres
//	Y0 x, then f   Y1 u, then z   Y2 low   Y3 i   Y4 where z is u/2   Y5 where 1 is the nearest centre   Y6 c
//	Y7 1/c, then tail   Y8, Y9 both parts of log c   Y10 head   Y11 rest   Y12 high   Y15 1
TEXT ·log1pFours(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ n+16(FP), DX
	SHLQ $3, DX
	XORQ CX, CX
	LEAQ logParts<>(SB), R8
	LEAQ ·logTable(SB), R9
	VBROADCASTSD 0(R8), Y15

four:
	VMOVUPD (SI)(CX*1), Y0
	VXORPD Y14, Y14, Y14
	VCMPPD $30, Y14, Y0, Y1 // x > 0
	VCMPPD $17, Y15, Y0, Y2 // x < 1
	VANDPD Y1, Y2, Y1
	VMOVMSKPD Y1, AX
	CMPL AX, $15
	JNE  done

	VADDPD Y15, Y0, Y1
	VSUBPD Y15, Y1, Y2
	VSUBPD Y2, Y0, Y2
	VBROADCASTSD 8(R8), Y5
	VCMPPD $17, Y5, Y0, Y5
	VBROADCASTSD 16(R8), Y14
	VPADDQ Y14, Y1, Y3
	VPSRLQ $45, Y3, Y3
	VBROADCASTSD 24(R8), Y13
	VPSUBQ Y13, Y3, Y3
	VPANDN Y3, Y5, Y3
	VBROADCASTSD 32(R8), Y13
	VPCMPGTQ Y13, Y3, Y4
	VMOVQ X3, R10
	VPEXTRQ $1, X3, R11
	VEXTRACTI128 $1, Y3, X3
	VMOVQ X3, R12
	VPEXTRQ $1, X3, R13
	ROW(R10, X7, X8, X9)
	NEXT(R11, X7, X8, X9)
	ROW(R12, X10, X11, X12)
	NEXT(R13, X10, X11, X12)
	VINSERTF128 $1, X10, Y7, Y7
	VINSERTF128 $1, X11, Y8, Y8
	VINSERTF128 $1, X12, Y9, Y9

	VBROADCASTSD 40(R8), Y13
	VPAND  Y13, Y4, Y13
	VPSUBQ Y13, Y1, Y1
	VPADDQ Y14, Y1, Y6
	VBROADCASTSD 48(R8), Y13
	VPAND  Y13, Y6, Y6
	VSUBPD Y6, Y1, Y1
	VBLENDVPD Y5, Y0, Y1, Y0
	VBLENDVPD Y5, Y15, Y6, Y6
	VBROADCASTSD 128(R8), Y14
	VBLENDVPD Y4, Y14, Y15, Y13 // 2^-k
	VMULPD Y13, Y2, Y2
	VANDNPD Y2, Y5, Y2

	VMULPD Y7, Y0, Y10
	VBROADCASTSD 56(R8), Y13
	VANDPD Y13, Y10, Y10
	VMULPD Y6, Y10, Y11
	VSUBPD Y11, Y0, Y11
	VADDPD Y2, Y11, Y11
	VMULPD Y7, Y11, Y11

	VBROADCASTSD 64(R8), Y12
	VANDPD Y4, Y12, Y12
	VADDPD Y8, Y12, Y12
	VBROADCASTSD 72(R8), Y13
	VANDPD Y4, Y13, Y13
	VADDPD Y9, Y13, Y9

	VADDPD Y11, Y10, Y0 // r
	VMULPD Y0, Y0, Y1
	VBROADCASTSD 80(R8), Y7
	VMULPD Y7, Y1, Y7
	VBROADCASTSD 88(R8), Y2
	VMULPD Y2, Y0, Y2
	VBROADCASTSD 96(R8), Y3
	VSUBPD Y3, Y2, Y2
	VADDPD Y2, Y7, Y7
	VMULPD Y7, Y1, Y7
	VBROADCASTSD 104(R8), Y2
	VMULPD Y2, Y0, Y2
	VBROADCASTSD 112(R8), Y3
	VSUBPD Y3, Y2, Y2
	VADDPD Y2, Y7, Y7
	VMULPD Y7, Y1, Y7
	VBROADCASTSD 120(R8), Y2
	VMULPD Y2, Y0, Y2
	VSUBPD Y14, Y2, Y2
	VADDPD Y2, Y7, Y7
	VMULPD Y7, Y1, Y7

	VADDPD Y7, Y9, Y7
	VADDPD Y7, Y11, Y7
	VADDPD Y10, Y12, Y0 // w
	VSUBPD Y0, Y12, Y1
	VADDPD Y10, Y1, Y1
	VADDPD Y7, Y1, Y1
	VADDPD Y1, Y0, Y0
	VMOVUPD Y0, (DI)(CX*1)
	ADDQ $32, CX
	CMPQ CX, DX
	JB   four

done:
	VZEROUPPER
	SHRQ $3, CX
	MOVQ CX, ret+24(FP)
	RET
