//go:build amd64 && !purego

#include "go_asm.h"
#include "textflag.h"

// The codes of a row are in tables of 16. A byte shuffle looks a column up in one of them, and
// gives 0 where the highest bit of the index is set: adding 0x70 with saturation sets it for all
// columns beyond the table, and so does subtracting 16 for each table before.
//
//	Y15 0x70 in each byte   Y14 16 in each byte   Y13 columns, less 16 for each table before
//	Y12 the codes that were found   Y11 any

// FIRST looks columns up in the first table.
#define FIRST(table) \
	VPADDUSB Y15, Y13, Y11 \
	VPSHUFB Y11, table, Y12

// MORE looks columns up in the next table.
#define MORE(table) \
	VPSUBB Y14, Y13, Y13 \
	VPADDUSB Y15, Y13, Y11 \
	VPSHUFB Y11, table, Y11 \
	VPOR Y11, Y12, Y12

// LAST looks columns up in the last table, which all of them that are left are in.
#define LAST(table) \
	VPSUBB Y14, Y13, Y13 \
	VPSHUFB Y13, table, Y11 \
	VPOR Y11, Y12, Y12

#define TABLES2 FIRST(Y0) \
	LAST(Y1)
#define TABLES4 FIRST(Y0) \
	MORE(Y1) \
	MORE(Y2) \
	LAST(Y3)
#define TABLES8 FIRST(Y0) \
	MORE(Y1) \
	MORE(Y2) \
	MORE(Y3) \
	MORE(Y4) \
	MORE(Y5) \
	MORE(Y6) \
	LAST(Y7)

#define LOAD2 \
	VBROADCASTI128 (DX), Y0 \
	VBROADCASTI128 16(DX), Y1
#define LOAD4 LOAD2 \
	VBROADCASTI128 32(DX), Y2 \
	VBROADCASTI128 48(DX), Y3
#define LOAD8 LOAD4 \
	VBROADCASTI128 64(DX), Y4 \
	VBROADCASTI128 80(DX), Y5 \
	VBROADCASTI128 96(DX), Y6 \
	VBROADCASTI128 112(DX), Y7

DATA laneConstants<>+0(SB)/8, $0x1070
GLOBL laneConstants<>(SB), RODATA|NOPTR, $8

#define NONE VPXOR Y8, Y8, Y8

// CHILD goes to a child in each tree, and LEVEL adds a bit to the leaf's number plus 1, as in
// LEVEL for many rows.
#define CHILD \
	VMOVDQU LaneNodes_Above(SI), Y9 \
	VMOVDQU LaneNodes_Last(SI), Y10 \
	VPCMPGTB Y12, Y9, Y9 \
	VPCMPEQB LaneNodes_First(SI), Y8, Y11 \
	VPANDN Y11, Y9, Y9 \
	VPBLENDVB Y9, Y10, Y8, Y8

#define ONE VPCMPEQB Y10, Y10, Y10 \
	VPABSB Y10, Y8
#define LEVEL \
	VMOVDQU LaneNodes_Above(SI), Y9 \
	VPCMPGTB Y12, Y9, Y9 \
	VPADDB Y8, Y8, Y8 \
	VPADDB Y9, Y8, Y8
#define NUMBER VPADDB Y10, Y8, Y8

#define AS_IS

// LANES takes a row through all nodes; Y8 is where it is in each tree.
#define LANES(load, tables, begin, step, end) \
	MOVQ leaf+0(FP), DI \
	MOVQ nodes+8(FP), SI \
	MOVQ n+16(FP), CX \
	MOVQ codes+24(FP), DX \
	load \
	VPBROADCASTB laneConstants<>+0(SB), Y15 \
	VPBROADCASTB laneConstants<>+1(SB), Y14 \
	begin \
	PCALIGN $32 \
node: \
	VMOVDQU LaneNodes_Column(SI), Y13 \
	tables \
	step \
	ADDQ $LaneNodes__size, SI \
	DECQ CX \
	JNE  node \
	end \
	VMOVDQU Y8, (DI) \
	VZEROUPPER \
	RET

// CHILD1 and NUMBER1 are CHILD and NUMBER, but leave the sum in X10 alone.
#define CHILD1 \
	VMOVDQU LaneNodes_Above(SI), Y9 \
	VPCMPGTB Y12, Y9, Y9 \
	VPCMPEQB LaneNodes_First(SI), Y8, Y11 \
	VPANDN Y11, Y9, Y9 \
	VPBLENDVB Y9, LaneNodes_Last(SI), Y8, Y8
#define NUMBER1 \
	VPCMPEQB Y9, Y9, Y9 \
	VPADDB Y9, Y8, Y8

// ADDING takes a row through all nodes, and adds the values of the trees before to the sum X10: one
// for each node as long as there are both, and then those that are left.
//
//	R8 values   R9 where those of a tree begin   R10 its leaf   R11 trees   R12 the sum
//	R13 nodes that have a tree   BX tree
#define ADDING(load, tables, begin, step, end) \
	MOVQ leaf+0(FP), DI \
	MOVQ nodes+8(FP), SI \
	MOVQ n+16(FP), CX \
	MOVQ codes+24(FP), DX \
	MOVQ s+32(FP), R12 \
	load \
	VPBROADCASTB laneConstants<>+0(SB), Y15 \
	VPBROADCASTB laneConstants<>+1(SB), Y14 \
	begin \
	VMOVSD LaneSum_Sum(R12), X10 \
	MOVQ LaneSum_Leaf(R12), R10 \
	MOVQ LaneSum_Value(R12), R8 \
	MOVQ LaneSum_At(R12), R9 \
	MOVQ LaneSum_At+8(R12), R11 \
	MOVQ CX, R13 \
	CMPQ R13, R11 \
	CMOVQGT R11, R13 \
	SUBQ R13, CX \
	XORL BX, BX \
	PCALIGN $32 \
both: \
	VMOVDQU LaneNodes_Column(SI), Y13 \
	VALUE \
	tables \
	step \
	ADDQ $LaneNodes__size, SI \
	CMPQ BX, R13 \
	JB   both \
	TESTQ CX, CX \
	JEQ  scanned \
	PCALIGN $32 \
node: \
	VMOVDQU LaneNodes_Column(SI), Y13 \
	tables \
	step \
	ADDQ $LaneNodes__size, SI \
	DECQ CX \
	JNE  node \
scanned: \
	CMPQ BX, R11 \
	JAE  added \
value: \
	VALUE \
	CMPQ BX, R11 \
	JB   value \
added: \
	VMOVSD X10, LaneSum_Sum(R12) \
	end \
	VMOVDQU Y8, (DI) \
	VZEROUPPER \
	RET

// VALUE adds the value of the leaf in the next tree.
#define VALUE \
	MOVL (R9)(BX*4), AX \
	MOVBLZX (R10)(BX*1), DX \
	INCQ BX \
	ADDQ DX, AX \
	VADDSD (R8)(AX*8), X10, X10

// func scanLanes32(leaf *[LaneTrees]uint8, nodes *LaneNodes, n int, codes *[MaxLaneCodes]int8)
TEXT ·scanLanes32(SB), NOSPLIT, $0-32
	LANES(LOAD2, TABLES2, NONE, CHILD, AS_IS)

// func scanLanes64(leaf *[LaneTrees]uint8, nodes *LaneNodes, n int, codes *[MaxLaneCodes]int8)
TEXT ·scanLanes64(SB), NOSPLIT, $0-32
	LANES(LOAD4, TABLES4, NONE, CHILD, AS_IS)

// func scanLanes128(leaf *[LaneTrees]uint8, nodes *LaneNodes, n int, codes *[MaxLaneCodes]int8)
TEXT ·scanLanes128(SB), NOSPLIT, $0-32
	LANES(LOAD8, TABLES8, NONE, CHILD, AS_IS)

// func laneLevels32(leaf *[LaneTrees]uint8, levels *LaneNodes, n int, codes *[MaxLaneCodes]int8)
TEXT ·laneLevels32(SB), NOSPLIT, $0-32
	LANES(LOAD2, TABLES2, ONE, LEVEL, NUMBER)

// func laneLevels64(leaf *[LaneTrees]uint8, levels *LaneNodes, n int, codes *[MaxLaneCodes]int8)
TEXT ·laneLevels64(SB), NOSPLIT, $0-32
	LANES(LOAD4, TABLES4, ONE, LEVEL, NUMBER)

// func laneLevels128(leaf *[LaneTrees]uint8, levels *LaneNodes, n int, codes *[MaxLaneCodes]int8)
TEXT ·laneLevels128(SB), NOSPLIT, $0-32
	LANES(LOAD8, TABLES8, ONE, LEVEL, NUMBER)

// func addLanes32(leaf *[LaneTrees]uint8, nodes *LaneNodes, n int, codes *[MaxLaneCodes]int8, s *LaneSum)
TEXT ·addLanes32(SB), NOSPLIT, $0-40
	ADDING(LOAD2, TABLES2, NONE, CHILD1, AS_IS)

// func addLanes64(leaf *[LaneTrees]uint8, nodes *LaneNodes, n int, codes *[MaxLaneCodes]int8, s *LaneSum)
TEXT ·addLanes64(SB), NOSPLIT, $0-40
	ADDING(LOAD4, TABLES4, NONE, CHILD1, AS_IS)

// func addLanes128(leaf *[LaneTrees]uint8, nodes *LaneNodes, n int, codes *[MaxLaneCodes]int8, s *LaneSum)
TEXT ·addLanes128(SB), NOSPLIT, $0-40
	ADDING(LOAD8, TABLES8, NONE, CHILD1, AS_IS)

// func addLaneLevels32(leaf *[LaneTrees]uint8, nodes *LaneNodes, n int, codes *[MaxLaneCodes]int8, s *LaneSum)
TEXT ·addLaneLevels32(SB), NOSPLIT, $0-40
	ADDING(LOAD2, TABLES2, ONE, LEVEL, NUMBER1)

// func addLaneLevels64(leaf *[LaneTrees]uint8, nodes *LaneNodes, n int, codes *[MaxLaneCodes]int8, s *LaneSum)
TEXT ·addLaneLevels64(SB), NOSPLIT, $0-40
	ADDING(LOAD4, TABLES4, ONE, LEVEL, NUMBER1)

// func addLaneLevels128(leaf *[LaneTrees]uint8, nodes *LaneNodes, n int, codes *[MaxLaneCodes]int8, s *LaneSum)
TEXT ·addLaneLevels128(SB), NOSPLIT, $0-40
	ADDING(LOAD8, TABLES8, ONE, LEVEL, NUMBER1)
