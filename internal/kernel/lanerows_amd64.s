//go:build amd64 && !purego

#include "go_asm.h"
#include "textflag.h"

// Four rows go through 32 trees. The codes of a row are in tables of 16, as in lanes_amd64.s. The
// index into a table is computed once for all rows.
//
//	Y0 to Y3 the codes that were found   Y4 to Y7 where the rows are   Y8 columns, less 16 for each
//	table before   Y9 index   Y10 any   Y11 above   Y12 first   Y13 last   Y14 16   Y15 0x70

#define BEGIN(table, row, index, found) \
	VBROADCASTI128 (16*(table)+const_MaxLaneCodes*(row))(DX), Y10 \
	VPSHUFB index, Y10, found

#define MORE(table, row, index, found) \
	VBROADCASTI128 (16*(table)+const_MaxLaneCodes*(row))(DX), Y10 \
	VPSHUFB index, Y10, Y10 \
	VPOR Y10, found, found

#define FIRST4 \
	VPADDUSB Y15, Y8, Y9 \
	BEGIN(0, 0, Y9, Y0) \
	BEGIN(0, 1, Y9, Y1) \
	BEGIN(0, 2, Y9, Y2) \
	BEGIN(0, 3, Y9, Y3)

#define MORE4(table) \
	VPSUBB Y14, Y8, Y8 \
	VPADDUSB Y15, Y8, Y9 \
	MORE(table, 0, Y9, Y0) \
	MORE(table, 1, Y9, Y1) \
	MORE(table, 2, Y9, Y2) \
	MORE(table, 3, Y9, Y3)

// LAST4 is for the last table, which all columns that are left are in.
#define LAST4(table) \
	VPSUBB Y14, Y8, Y8 \
	MORE(table, 0, Y8, Y0) \
	MORE(table, 1, Y8, Y1) \
	MORE(table, 2, Y8, Y2) \
	MORE(table, 3, Y8, Y3)

#define TABLES2 FIRST4 \
	LAST4(1)
#define TABLES4 FIRST4 \
	MORE4(1) \
	MORE4(2) \
	LAST4(3)
#define TABLES8 FIRST4 \
	MORE4(1) \
	MORE4(2) \
	MORE4(3) \
	MORE4(4) \
	MORE4(5) \
	MORE4(6) \
	LAST4(7)

#define ZEROS \
	VPXOR Y4, Y4, Y4 \
	VPXOR Y5, Y5, Y5 \
	VPXOR Y6, Y6, Y6 \
	VPXOR Y7, Y7, Y7

// CHILD goes to a child of the node.
#define CHILD(code, cur) \
	VPCMPGTB code, Y11, code \
	VPCMPEQB cur, Y12, Y10 \
	VPANDN Y10, code, code \
	VPBLENDVB code, Y13, cur, cur
#define CHILDREN \
	VMOVDQU LaneNodes_Above(SI), Y11 \
	VMOVDQU LaneNodes_First(SI), Y12 \
	VMOVDQU LaneNodes_Last(SI), Y13 \
	CHILD(Y0, Y4) \
	CHILD(Y1, Y5) \
	CHILD(Y2, Y6) \
	CHILD(Y3, Y7)

#define ONES VPCMPEQB Y10, Y10, Y10 \
	VPABSB Y10, Y4 \
	VPABSB Y10, Y5 \
	VPABSB Y10, Y6 \
	VPABSB Y10, Y7

// LEVEL adds a bit to the leaf's number plus 1, as in scan_amd64.s.
#define LEVEL(code, cur) \
	VPCMPGTB code, Y11, code \
	VPADDB cur, cur, cur \
	VPADDB code, cur, cur
#define LEVELS \
	VMOVDQU LaneNodes_Above(SI), Y11 \
	LEVEL(Y0, Y4) \
	LEVEL(Y1, Y5) \
	LEVEL(Y2, Y6) \
	LEVEL(Y3, Y7)

#define NUMBERS VPCMPEQB Y10, Y10, Y10 \
	VPADDB Y10, Y4, Y4 \
	VPADDB Y10, Y5, Y5 \
	VPADDB Y10, Y6, Y6 \
	VPADDB Y10, Y7, Y7

#define AS_IS

// STORE writes the leaves of four rows in four trees.
#define STORE(tree, four) \
	VMOVD four, (const_ScanRows*(tree))(DI) \
	VPEXTRD $1, four, (const_ScanRows*(tree+1))(DI) \
	VPEXTRD $2, four, (const_ScanRows*(tree+2))(DI) \
	VPEXTRD $3, four, (const_ScanRows*(tree+3))(DI)

#define LANEROWS(tables, begin, step, end) \
	MOVQ leaf+0(FP), DI \
	MOVQ nodes+8(FP), SI \
	MOVQ n+16(FP), CX \
	MOVQ codes+24(FP), DX \
	VPBROADCASTB laneRowConstants<>+0(SB), Y15 \
	VPBROADCASTB laneRowConstants<>+1(SB), Y14 \
	begin \
	PCALIGN $32 \
node: \
	VMOVDQU LaneNodes_Column(SI), Y8 \
	tables \
	step \
	ADDQ $LaneNodes__size, SI \
	DECQ CX \
	JNE  node \
	end \
	VPUNPCKLBW Y5, Y4, Y0 \
	VPUNPCKHBW Y5, Y4, Y1 \
	VPUNPCKLBW Y7, Y6, Y2 \
	VPUNPCKHBW Y7, Y6, Y3 \
	VPUNPCKLWD Y2, Y0, Y4 \
	VPUNPCKHWD Y2, Y0, Y5 \
	VPUNPCKLWD Y3, Y1, Y6 \
	VPUNPCKHWD Y3, Y1, Y7 \
	VEXTRACTI128 $1, Y4, X8 \
	VEXTRACTI128 $1, Y5, X9 \
	VEXTRACTI128 $1, Y6, X10 \
	VEXTRACTI128 $1, Y7, X11 \
	STORE(0, X4) \
	STORE(4, X5) \
	STORE(8, X6) \
	STORE(12, X7) \
	STORE(16, X8) \
	STORE(20, X9) \
	STORE(24, X10) \
	STORE(28, X11) \
	VZEROUPPER \
	RET

// LOAD64 and LOAD128 load the codes of four rows, for LOOK64 and LOOK128.
#define LOAD64 \
	VMOVDQU64 (const_MaxLaneCodes*0)(DX), Z16 \
	VMOVDQU64 (const_MaxLaneCodes*1)(DX), Z17 \
	VMOVDQU64 (const_MaxLaneCodes*2)(DX), Z18 \
	VMOVDQU64 (const_MaxLaneCodes*3)(DX), Z19
#define LOAD128 LOAD64 \
	VMOVDQU64 (const_MaxLaneCodes*0+64)(DX), Z20 \
	VMOVDQU64 (const_MaxLaneCodes*1+64)(DX), Z21 \
	VMOVDQU64 (const_MaxLaneCodes*2+64)(DX), Z22 \
	VMOVDQU64 (const_MaxLaneCodes*3+64)(DX), Z23

// LOOK64 finds all codes of a row by one instruction.
#define LOOK64 \
	VPERMB Z16, Z8, Z0 \
	VPERMB Z17, Z8, Z1 \
	VPERMB Z18, Z8, Z2 \
	VPERMB Z19, Z8, Z3
#define FIND(first, last, found) \
	VMOVDQA64 Z8, found \
	VPERMI2B last, first, found
#define LOOK128 \
	FIND(Z16, Z20, Z0) \
	FIND(Z17, Z21, Z1) \
	FIND(Z18, Z22, Z2) \
	FIND(Z19, Z23, Z3)

// NONE makes codes of levels without a column zero.
#define NONE \
	VPMOVB2M Y8, K1 \
	VMOVDQU8 Y24, K1, Y0 \
	VMOVDQU8 Y24, K1, Y1 \
	VMOVDQU8 Y24, K1, Y2 \
	VMOVDQU8 Y24, K1, Y3
#define ONES64 ONES \
	LOAD64 \
	VPXORQ Y24, Y24, Y24
#define ONES128 ONES \
	LOAD128 \
	VPXORQ Y24, Y24, Y24
#define ZEROS64 ZEROS \
	LOAD64
#define ZEROS128 ZEROS \
	LOAD128
#define LEVELS64 LOOK64 \
	NONE
#define LEVELS128 LOOK128 \
	NONE

DATA laneRowConstants<>+0(SB)/8, $0x1070
GLOBL laneRowConstants<>(SB), RODATA|NOPTR, $8

// func laneRows32(leaf *uint8, nodes *LaneNodes, n int, codes *[LaneRows][MaxLaneCodes]int8)
TEXT ·laneRows32(SB), NOSPLIT, $0-32
	LANEROWS(TABLES2, ZEROS, CHILDREN, AS_IS)

// func laneRows64(leaf *uint8, nodes *LaneNodes, n int, codes *[LaneRows][MaxLaneCodes]int8)
TEXT ·laneRows64(SB), NOSPLIT, $0-32
	LANEROWS(TABLES4, ZEROS, CHILDREN, AS_IS)

// func laneRows128(leaf *uint8, nodes *LaneNodes, n int, codes *[LaneRows][MaxLaneCodes]int8)
TEXT ·laneRows128(SB), NOSPLIT, $0-32
	LANEROWS(TABLES8, ZEROS, CHILDREN, AS_IS)

// func laneLevelRows32(leaf *uint8, nodes *LaneNodes, n int, codes *[LaneRows][MaxLaneCodes]int8)
TEXT ·laneLevelRows32(SB), NOSPLIT, $0-32
	LANEROWS(TABLES2, ONES, LEVELS, NUMBERS)

// func laneLevelRows64(leaf *uint8, nodes *LaneNodes, n int, codes *[LaneRows][MaxLaneCodes]int8)
TEXT ·laneLevelRows64(SB), NOSPLIT, $0-32
	LANEROWS(TABLES4, ONES, LEVELS, NUMBERS)

// func laneLevelRows128(leaf *uint8, nodes *LaneNodes, n int, codes *[LaneRows][MaxLaneCodes]int8)
TEXT ·laneLevelRows128(SB), NOSPLIT, $0-32
	LANEROWS(TABLES8, ONES, LEVELS, NUMBERS)

// func permutedRows64(leaf *uint8, nodes *LaneNodes, n int, codes *[LaneRows][MaxLaneCodes]int8)
TEXT ·permutedRows64(SB), NOSPLIT, $0-32
	LANEROWS(LOOK64, ZEROS64, CHILDREN, AS_IS)

// func permutedRows128(leaf *uint8, nodes *LaneNodes, n int, codes *[LaneRows][MaxLaneCodes]int8)
TEXT ·permutedRows128(SB), NOSPLIT, $0-32
	LANEROWS(LOOK128, ZEROS128, CHILDREN, AS_IS)

// func permutedLevels64(leaf *uint8, nodes *LaneNodes, n int, codes *[LaneRows][MaxLaneCodes]int8)
TEXT ·permutedLevels64(SB), NOSPLIT, $0-32
	LANEROWS(LEVELS64, ONES64, LEVELS, NUMBERS)

// func permutedLevels128(leaf *uint8, nodes *LaneNodes, n int, codes *[LaneRows][MaxLaneCodes]int8)
TEXT ·permutedLevels128(SB), NOSPLIT, $0-32
	LANEROWS(LEVELS128, ONES128, LEVELS, NUMBERS)
