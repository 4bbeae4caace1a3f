//go:build amd64 && !purego

#include "go_asm.h"
#include "textflag.h"

// The values of 32 rows are looked up in four quarters, which are joined to halves and then to
// values. So a vector of sums has every fourth pair of these rows: rows 0, 1, 8, 9 and so on in the
// first one. TURN changes between this order and that of the rows, as pairs are what it moves.
#define TURN(a, b, c, d) \
	VSHUFI64X2 $0x88, b, a, Z0 \
	VSHUFI64X2 $0xdd, b, a, Z1 \
	VSHUFI64X2 $0x88, d, c, Z2 \
	VSHUFI64X2 $0xdd, d, c, Z3 \
	VSHUFI64X2 $0x88, Z2, Z0, a \
	VSHUFI64X2 $0x88, Z3, Z1, b \
	VSHUFI64X2 $0xdd, Z2, Z0, c \
	VSHUFI64X2 $0xdd, Z3, Z1, d

#define SUMS(i, a, b, c, d) \
	VMOVDQU64 (256*(i))(DI), a \
	VMOVDQU64 (256*(i)+64)(DI), b \
	VMOVDQU64 (256*(i)+128)(DI), c \
	VMOVDQU64 (256*(i)+192)(DI), d \
	TURN(a, b, c, d)

#define STORE(i, a, b, c, d) \
	TURN(a, b, c, d) \
	VMOVDQU64 a, (256*(i))(DI) \
	VMOVDQU64 b, (256*(i)+64)(DI) \
	VMOVDQU64 c, (256*(i)+128)(DI) \
	VMOVDQU64 d, (256*(i)+192)(DI)

// LOOK looks quarters up, and LOAD loads the table of a tree.
#define LOOK \
	VMOVDQA64 Z0, Z1 \
	VMOVDQA64 Z0, Z2 \
	VMOVDQA64 Z0, Z3 \
	VMOVDQA64 Z0, Z4 \
	VPERMI2W Z28, Z24, Z1 \
	VPERMI2W Z29, Z25, Z2 \
	VPERMI2W Z30, Z26, Z3 \
	VPERMI2W Z31, Z27, Z4
#define LOAD \
	VMOVDQU64 (R8), Z24 \
	VMOVDQU64 64(R8), Z28 \
	VMOVDQU64 128(R8), Z25 \
	VMOVDQU64 192(R8), Z29 \
	VMOVDQU64 256(R8), Z26 \
	VMOVDQU64 320(R8), Z30 \
	VMOVDQU64 384(R8), Z27 \
	VMOVDQU64 448(R8), Z31

// ROWS adds the values of 32 rows.
#define ROWS(i, a, b, c, d) \
	VPMOVZXBW (32*(i))(BX), Z0 \
	LOOK \
	VPUNPCKLWD Z2, Z1, Z5 \
	VPUNPCKHWD Z2, Z1, Z6 \
	VPUNPCKLWD Z4, Z3, Z7 \
	VPUNPCKHWD Z4, Z3, Z8 \
	VPUNPCKLDQ Z7, Z5, Z0 \
	VPUNPCKHDQ Z7, Z5, Z1 \
	VPUNPCKLDQ Z8, Z6, Z2 \
	VPUNPCKHDQ Z8, Z6, Z3 \
	VADDPD Z0, a, a \
	VADDPD Z1, b, b \
	VADDPD Z2, c, c \
	VADDPD Z3, d, d

// func sumTables64(sum *float64, blocks int, leaf *uint8, words *uint16, trees int)
TEXT ·sumTables64(SB), NOSPLIT, $0-40
	MOVQ sum+0(FP), DI
	MOVQ blocks+8(FP), CX
	MOVQ leaf+16(FP), SI
block:
	SUMS(0, Z16, Z17, Z18, Z19)
	SUMS(1, Z20, Z21, Z22, Z23)
	MOVQ SI, BX
	MOVQ words+24(FP), R8
	MOVQ trees+32(FP), R9
	PCALIGN $32
tree:
	LOAD
	ROWS(0, Z16, Z17, Z18, Z19)
	ROWS(1, Z20, Z21, Z22, Z23)
	ADDQ $const_ScanRows, BX
	ADDQ $512, R8
	DECQ R9
	JNE  tree
	STORE(0, Z16, Z17, Z18, Z19)
	STORE(1, Z20, Z21, Z22, Z23)
	ADDQ $512, DI
	ADDQ $64, SI
	DECQ CX
	JNE  block
	VZEROUPPER
	RET
