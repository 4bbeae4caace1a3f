//go:build amd64 && !purego

#include "go_asm.h"
#include "textflag.h"

// The low and the high halves of the values of 16 rows are looked up apart, and joined in pairs of
// lanes. So sums of 16 rows are in two vectors in the order of the joined values: rows 0, 1, 4, 5
// and so on in the first one, and 2, 3, 6, 7 and so on in the last one.
DATA tableConstants<>+0(SB)/8, $0
DATA tableConstants<>+8(SB)/8, $1
DATA tableConstants<>+16(SB)/8, $4
DATA tableConstants<>+24(SB)/8, $5
DATA tableConstants<>+32(SB)/8, $8
DATA tableConstants<>+40(SB)/8, $9
DATA tableConstants<>+48(SB)/8, $12
DATA tableConstants<>+56(SB)/8, $13
DATA tableConstants<>+64(SB)/8, $2
DATA tableConstants<>+72(SB)/8, $3
DATA tableConstants<>+80(SB)/8, $6
DATA tableConstants<>+88(SB)/8, $7
DATA tableConstants<>+96(SB)/8, $10
DATA tableConstants<>+104(SB)/8, $11
DATA tableConstants<>+112(SB)/8, $14
DATA tableConstants<>+120(SB)/8, $15
DATA tableConstants<>+128(SB)/8, $0
DATA tableConstants<>+136(SB)/8, $1
DATA tableConstants<>+144(SB)/8, $8
DATA tableConstants<>+152(SB)/8, $9
DATA tableConstants<>+160(SB)/8, $2
DATA tableConstants<>+168(SB)/8, $3
DATA tableConstants<>+176(SB)/8, $10
DATA tableConstants<>+184(SB)/8, $11
DATA tableConstants<>+192(SB)/8, $4
DATA tableConstants<>+200(SB)/8, $5
DATA tableConstants<>+208(SB)/8, $12
DATA tableConstants<>+216(SB)/8, $13
DATA tableConstants<>+224(SB)/8, $6
DATA tableConstants<>+232(SB)/8, $7
DATA tableConstants<>+240(SB)/8, $14
DATA tableConstants<>+248(SB)/8, $15
GLOBL tableConstants<>(SB), RODATA|NOPTR, $256

#define LOAD(i, first, last) \
	VMOVDQU64 (128*(i))(DI), Z0 \
	VMOVDQU64 (128*(i)+64)(DI), Z1 \
	VMOVDQA64 Z28, first \
	VMOVDQA64 Z29, last \
	VPERMI2PD Z1, Z0, first \
	VPERMI2PD Z1, Z0, last

#define STORE(i, first, last) \
	VMOVDQA64 Z30, Z0 \
	VMOVDQA64 Z31, Z1 \
	VPERMI2PD last, first, Z0 \
	VPERMI2PD last, first, Z1 \
	VMOVDQU64 Z0, (128*(i))(DI) \
	VMOVDQU64 Z1, (128*(i)+64)(DI)

// ROWS adds the values of 16 rows.
#define ROWS(i, low, high, first, last) \
	VPMOVZXBD (16*(i))(BX), low \
	VMOVDQA64 low, high \
	VPERMI2D Z25, Z24, low \
	VPERMI2D Z27, Z26, high \
	VPUNPCKLDQ high, low, Z8 \
	VPUNPCKHDQ high, low, Z9 \
	VADDPD Z8, first, first \
	VADDPD Z9, last, last

// func sumTables32(sum *float64, blocks int, leaf *uint8, words *uint16, trees int)
TEXT ·sumTables32(SB), NOSPLIT, $0-40
	MOVQ sum+0(FP), DI
	MOVQ blocks+8(FP), CX
	MOVQ leaf+16(FP), SI
	VMOVDQU64 tableConstants<>+0(SB), Z28
	VMOVDQU64 tableConstants<>+64(SB), Z29
	VMOVDQU64 tableConstants<>+128(SB), Z30
	VMOVDQU64 tableConstants<>+192(SB), Z31
block:
	LOAD(0, Z16, Z17)
	LOAD(1, Z18, Z19)
	LOAD(2, Z20, Z21)
	LOAD(3, Z22, Z23)
	MOVQ SI, BX
	MOVQ words+24(FP), R8
	MOVQ trees+32(FP), R9
	PCALIGN $32
tree:
	VMOVDQU64 (R8), Z24
	VMOVDQU64 64(R8), Z25
	VMOVDQU64 128(R8), Z26
	VMOVDQU64 192(R8), Z27
	ROWS(0, Z0, Z1, Z16, Z17)
	ROWS(1, Z2, Z3, Z18, Z19)
	ROWS(2, Z4, Z5, Z20, Z21)
	ROWS(3, Z6, Z7, Z22, Z23)
	ADDQ $const_ScanRows, BX
	ADDQ $256, R8
	DECQ R9
	JNE  tree
	STORE(0, Z16, Z17)
	STORE(1, Z18, Z19)
	STORE(2, Z20, Z21)
	STORE(3, Z22, Z23)
	ADDQ $512, DI
	ADDQ $64, SI
	DECQ CX
	JNE  block
	VZEROUPPER
	RET
