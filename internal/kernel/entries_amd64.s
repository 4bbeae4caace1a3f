//go:build amd64 && !purego

#include "go_asm.h"
#include "textflag.h"

// func findEntries(numbers, column, low, width *uint16, n int, codes *[permuted]uint16)
//
//	Z0, Z1 codes   Z2 those of 32 bits   K1 whether they are in their intervals
TEXT ·findEntries(SB), NOSPLIT, $0-48
	MOVQ numbers+0(FP), DI
	MOVQ column+8(FP), SI
	MOVQ low+16(FP), DX
	MOVQ width+24(FP), R8
	MOVQ n+32(FP), CX
	MOVQ codes+40(FP), AX
	VMOVDQU16 (AX), Z0
	VMOVDQU16 64(AX), Z1
	PCALIGN $32

pair:
	VMOVDQU16 (SI), Z2
	VPERMI2W Z1, Z0, Z2
	VPSUBW (DX), Z2, Z2
	VPCMPUW $2, (R8), Z2, K1
	KMOVD K1, (DI)
	ADDQ $64, SI
	ADDQ $64, DX
	ADDQ $64, R8
	ADDQ $4, DI
	DECQ CX
	JNE  pair
	VZEROUPPER
	RET

// func addEntries(sums *float64, tables *EntryTable, n int, steps *EntryStep, value *float64, numbers *uint16)
//
// The first and the last number of an entry are fetched some tables before it is added.
//
//	DI sums   SI tables   CX tables to go   DX steps   R8 value   R9 numbers
//	AX entry   BX sums of a step   R10 steps to go   R11 mask
TEXT ·addEntries(SB), NOSPLIT, $0-48
	MOVQ sums+0(FP), DI
	MOVQ tables+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ steps+24(FP), DX
	MOVQ value+32(FP), R8
	MOVQ numbers+40(FP), R9
	PCALIGN $32

table:
	MOVWLZX (2*const_ahead)(R9), AX
	MOVL (const_ahead*EntryTable__size+EntryTable_Stride)(SI), BX
	MOVL (const_ahead*EntryTable__size+EntryTable_From)(SI), R10
	IMULQ BX, AX
	ADDQ R10, AX
	LEAQ (R8)(AX*8), AX
	PREFETCHT0 (AX)
	PREFETCHT0 -8(AX)(BX*8)
	MOVWLZX (R9), AX
	MOVL EntryTable_Stride(SI), BX
	MOVL EntryTable_From(SI), R10
	IMULQ BX, AX
	ADDQ R10, AX
	LEAQ (R8)(AX*8), AX
	MOVL EntryTable_Steps(SI), R10
	TESTL R10, R10
	JEQ  next

step:
	MOVBLZX EntryStep_Mask(DX), R11
	KMOVW R11, K1
	MOVL EntryStep_Sums(DX), BX
	MOVBLZX EntryStep_Count(DX), R11
	VEXPANDPD.Z (AX), K1, Z0
	VADDPD (DI)(BX*8), Z0, Z0
	VMOVUPD Z0, (DI)(BX*8)
	LEAQ (AX)(R11*8), AX
	ADDQ $EntryStep__size, DX
	DECL R10
	JNE  step

next:
	ADDQ $EntryTable__size, SI
	ADDQ $2, R9
	DECQ CX
	JNE  table
	VZEROUPPER
	RET
