//go:build amd64 && !purego

#include "go_asm.h"
#include "textflag.h"

// FETCH prefetches the sums, 1<<shift bytes, and the codes of the row that is fetchAhead rows after the current one.
#define FETCH(fetch, shift, more) \
	MOVL (const_fetchAhead*4)(SI), R14 \
	MOVQ R14, CX \
	SHLQ $shift, CX \
	fetch (DI)(CX*1) \
	IMULQ R9, R14 \
	ADDQ R8, R14 \
	LEAQ -1(R14)(R9*1), CX \
more: \
	fetch (R14) \
	ADDQ $64, R14 \
	CMPQ R14, CX \
	JB   more \
	fetch (CX)

// FETCHNEAR is FETCH for words and codes of no more than a cache line, which lie in two of them at most.
#define FETCHNEAR(fetch, row) \
	MOVL (const_fetchAhead*4+4*row)(SI), R14 \
	fetch (DI)(R14*8) \
	IMULQ R9, R14 \
	fetch (R8)(R14*1) \
	ADDQ R8, R14 \
	fetch -1(R14)(R9*1)

// func addWords(a *adding)
//
// Two rows at a time, block by block.
//
//	SI row   DI words   R8 codes   R9 stride   R10 cells   R11 block   R12 their end
//	AX, BX codes of the two rows   R13, R15 their words   DX cells of a column   CX step   R14 code
TEXT ·addWords(SB), NOSPLIT, $40-8
	MOVQ a+0(FP), DX
	MOVQ adding_cells(DX), R10
	MOVQ adding_blocks(DX), R11
	MOVQ R11, blocks-24(SP)
	MOVQ adding_end(DX), R12
	MOVQ adding_wide(DX), AX
	MOVQ AX, wide-32(SP)
	MOVQ adding_last(DX), AX
	MOVQ AX, last-40(SP)
	MOVQ adding_codes(DX), R8
	MOVQ adding_stride(DX), R9
	MOVQ adding_sums(DX), DI
	MOVQ adding_rows(DX), SI
	MOVQ adding_n(DX), CX
	LEAQ (SI)(CX*4), AX
	MOVQ AX, end-16(SP)
	SUBQ $(const_fetchAhead*4), AX
	MOVQ AX, near-8(SP)

pair:
	MOVQ end-16(SP), CX
	SUBQ $4, CX
	CMPQ SI, CX
	JAE  single
	MOVQ near-8(SP), CX
	SUBQ $4, CX
	CMPQ SI, CX
	JAE  fetched
	FETCH(PREFETCHT0, 3, more1)
	ADDQ $4, SI
	FETCH(PREFETCHT0, 3, more2)
	SUBQ $4, SI

fetched:
	MOVL (SI), AX
	MOVL 4(SI), BX
	ADDQ $8, SI
	MOVQ (DI)(AX*8), R13
	MOVQ (DI)(BX*8), R15
	IMULQ R9, AX
	IMULQ R9, BX
	ADDQ R8, AX
	ADDQ R8, BX
	MOVQ blocks-24(SP), R11
	CMPQ R11, R12
	JAE  two
	PCALIGN $32

block:
	MOVL (R11), DX
	MOVL 4(R11), CX
	LEAQ (R10)(DX*8), DX
	SHLQ $3, CX
	MOVBLZX (AX), R14
	ADDQ R13, (DX)(R14*8)
	MOVBLZX (BX), R14
	ADDQ R15, (DX)(R14*8)
	ADDQ CX, DX
	MOVBLZX 1(AX), R14
	ADDQ R13, (DX)(R14*8)
	MOVBLZX 1(BX), R14
	ADDQ R15, (DX)(R14*8)
	ADDQ CX, DX
	MOVBLZX 2(AX), R14
	ADDQ R13, (DX)(R14*8)
	MOVBLZX 2(BX), R14
	ADDQ R15, (DX)(R14*8)
	ADDQ CX, DX
	MOVBLZX 3(AX), R14
	ADDQ R13, (DX)(R14*8)
	MOVBLZX 3(BX), R14
	ADDQ R15, (DX)(R14*8)
	ADDQ $4, AX
	ADDQ $4, BX
	ADDQ $8, R11
	CMPQ R11, R12
	JB   block

two:
	MOVQ wide-32(SP), R11
	MOVQ last-40(SP), CX

twoWide:
	CMPQ R11, CX
	JAE  pair
	MOVL (R11), DX
	LEAQ (R10)(DX*8), DX
	MOVWLZX (AX), R14
	ADDQ R13, (DX)(R14*8)
	MOVWLZX (BX), R14
	ADDQ R15, (DX)(R14*8)
	ADDQ $2, AX
	ADDQ $2, BX
	ADDQ $4, R11
	JMP  twoWide

single:
	CMPQ SI, end-16(SP)
	JAE  end
	MOVL (SI), AX
	ADDQ $4, SI
	MOVQ (DI)(AX*8), R13
	IMULQ R9, AX
	ADDQ R8, AX
	MOVQ blocks-24(SP), R11
	CMPQ R11, R12
	JAE  lone

one:
	MOVL (R11), DX
	MOVL 4(R11), CX
	LEAQ (R10)(DX*8), DX
	SHLQ $3, CX
	MOVBLZX (AX), R14
	ADDQ R13, (DX)(R14*8)
	ADDQ CX, DX
	MOVBLZX 1(AX), R14
	ADDQ R13, (DX)(R14*8)
	ADDQ CX, DX
	MOVBLZX 2(AX), R14
	ADDQ R13, (DX)(R14*8)
	ADDQ CX, DX
	MOVBLZX 3(AX), R14
	ADDQ R13, (DX)(R14*8)
	ADDQ $4, AX
	ADDQ $8, R11
	CMPQ R11, R12
	JB   one

lone:
	MOVQ wide-32(SP), R11
	MOVQ last-40(SP), CX

oneWide:
	CMPQ R11, CX
	JAE  end
	MOVL (R11), DX
	LEAQ (R10)(DX*8), DX
	MOVWLZX (AX), R14
	ADDQ R13, (DX)(R14*8)
	ADDQ $2, AX
	ADDQ $4, R11
	JMP  oneWide

end:
	RET

// STEPWISE adds a word to the cell of the code in R14, at bytes from those of its block: the cell is loaded, added to and stored. An
// addition to memory with an index takes Intel's processors as many steps or more.
#define STEPWISE(word, bytes) \
	MOVQ bytes(DX)(R14*8), CX \
	ADDQ word, CX \
	MOVQ CX, bytes(DX)(R14*8)

// ATONCE is STEPWISE for AMD's processors, which take such an addition as one step.
#define ATONCE(word, bytes) \
	ADDQ word, bytes(DX)(R14*8)

// ADDTWO adds the words of two rows to the cells of a column.
#define ADDTWO(add, at, bytes) \
	MOVBLZX at(AX)(R11*1), R14 \
	add(R13, bytes) \
	MOVBLZX at(BX)(R11*1), R14 \
	add(R15, bytes)

// FOURSTEPWISE adds the words of two rows to the cells of the four columns of a block.
#define FOURSTEPWISE \
	ADDTWO(STEPWISE, 0, 0) \
	ADDTWO(STEPWISE, 1, (8*const_EvenStep)) \
	ADDTWO(STEPWISE, 2, (16*const_EvenStep)) \
	ADDTWO(STEPWISE, 3, (24*const_EvenStep))

// FOUROFROW adds the word of a row to the cells of the four columns of a block, whose codes are loaded together.
#define FOUROFROW(row, word) \
	MOVL    (row)(R11*1), R14 \
	MOVBLZX R14, CX \
	SHRL    $8, R14 \
	ADDQ    word, (DX)(CX*8) \
	MOVBLZX R14, CX \
	SHRL    $8, R14 \
	ADDQ    word, (8*const_EvenStep)(DX)(CX*8) \
	MOVBLZX R14, CX \
	SHRL    $8, R14 \
	ADDQ    word, (16*const_EvenStep)(DX)(CX*8) \
	ADDQ    word, (24*const_EvenStep)(DX)(R14*8)

// FOURATONCE is FOURSTEPWISE for AMD's processors, with one load for the codes of four columns.
#define FOURATONCE \
	FOUROFROW(AX, R13) \
	FOUROFROW(BX, R15)

// EVEN is addEvenWords: two rows at a time, whole blocks, what is used of the last one, wide codes.
//
//	SI row   DI words   R8 codes   R9 stride   R10 cells   R12 less the codes of whole blocks   R11 the same, less those to come
//	AX, BX ends of the codes of the two rows   R13, R15 their words   DX cells of a block   R14 code   CX cell
//	of 4 bytes of where wide cells are there are 2 of a code, of 8 of a block 4; behind-48 is from the codes of whole blocks to the end of the wide ones
#define EVEN(four, add, fetch) \
	MOVQ a+0(FP), DX \
	MOVQ adding_cells(DX), R10 \
	MOVQ adding_used(DX), R12 \
	MOVQ R12, used-24(SP) \
	ANDQ $-4, R12 \
	NEGQ R12 \
	MOVQ adding_wide(DX), AX \
	MOVQ adding_last(DX), BX \
	MOVQ BX, last-32(SP) \
	SUBQ AX, BX \
	SHRQ $1, BX \
	NEGQ BX \
	MOVQ BX, wide-40(SP) \
	MOVQ adding_end(DX), AX \
	SUBQ adding_blocks(DX), AX \
	SHRQ $1, AX \
	ADDQ R12, AX \
	SUBQ BX, AX \
	MOVQ AX, behind-48(SP) \
	MOVQ adding_codes(DX), R8 \
	MOVQ adding_stride(DX), R9 \
	MOVQ adding_sums(DX), DI \
	MOVQ adding_rows(DX), SI \
	MOVQ adding_n(DX), CX \
	LEAQ (SI)(CX*4), AX \
	MOVQ AX, end-16(SP) \
	SUBQ $(const_fetchAhead*4), AX \
	MOVQ AX, near-8(SP) \
evenPair: \
	CMPQ SI, near-8(SP) \
	JGE  evenFetched \
	CMPQ R9, $64 \
	JA   evenFar \
	FETCHNEAR(fetch, 0) \
	FETCHNEAR(fetch, 1) \
evenFetched: \
	MOVL (SI), AX \
	MOVL 4(SI), BX \
	ADDQ $8, SI \
	MOVQ (DI)(AX*8), R13 \
	MOVQ (DI)(BX*8), R15 \
	IMULQ R9, AX \
	IMULQ R9, BX \
	ADDQ R8, AX \
	ADDQ R8, BX \
	SUBQ R12, AX \
	SUBQ R12, BX \
	MOVQ R10, DX \
	MOVQ R12, R11 \
	TESTQ R11, R11 \
	JEQ  evenTwo \
	PCALIGN $32 \
evenBlock: \
	four \
	ADDQ $(32*const_EvenStep), DX \
	ADDQ $4, R11 \
	JNE  evenBlock \
evenTwo: \
	TESTB $2, used-24(SP) \
	JEQ   evenOne \
	ADDTWO(add, 0, 0) \
	ADDTWO(add, 1, (8*const_EvenStep)) \
	ADDQ $(16*const_EvenStep), DX \
	ADDQ $2, R11 \
evenOne: \
	TESTB $1, used-24(SP) \
	JEQ   evenRest \
	ADDTWO(add, 0, 0) \
evenRest: \
	MOVQ  wide-40(SP), R11 \
	TESTQ R11, R11 \
	JEQ   evenNext \
	ADDQ  behind-48(SP), AX \
	ADDQ  behind-48(SP), BX \
evenWide: \
	MOVQ last-32(SP), CX \
	MOVL (CX)(R11*2), DX \
	LEAQ (R10)(DX*8), DX \
	MOVWLZX (AX)(R11*1), R14 \
	add(R13, 0) \
	MOVWLZX (BX)(R11*1), R14 \
	add(R15, 0) \
	ADDQ $2, R11 \
	JNE  evenWide \
evenNext: \
	CMPQ SI, end-16(SP) \
	JB   evenPair \
	RET \
evenFar: \
	FETCH(fetch, 3, more4) \
	ADDQ $4, SI \
	FETCH(fetch, 3, more5) \
	SUBQ $4, SI \
	JMP  evenFetched

// func addEvenWords(a *adding)
TEXT ·addEvenWords(SB), NOSPLIT, $48-8
	EVEN(FOURSTEPWISE, STEPWISE, PREFETCHT0)

// func addEvenWordsAtOnce(a *adding)
//
// What is fetched goes to the second cache: AMD's processors wait when more is on its way to the first one than they keep account of.
TEXT ·addEvenWordsAtOnce(SB), NOSPLIT, $48-8
	EVEN(FOURATONCE, ATONCE, PREFETCHT1)

// ADDPAIR adds the sums X0 of a row to the cell of its code in a column.
#define ADDPAIR(at) \
	MOVBLZX at(AX), R14 \
	SHLQ $4, R14 \
	MOVUPD (DX)(R14*1), X1 \
	ADDPD X0, X1 \
	MOVUPD X1, (DX)(R14*1)

// func addPairs(a *adding)
//
// As addWords, one row at a time: X0 are its sums.
TEXT ·addPairs(SB), NOSPLIT, $40-8
	MOVQ a+0(FP), DX
	MOVQ adding_cells(DX), R10
	MOVQ adding_blocks(DX), R11
	MOVQ R11, blocks-24(SP)
	MOVQ adding_end(DX), R12
	MOVQ adding_wide(DX), AX
	MOVQ AX, wide-32(SP)
	MOVQ adding_last(DX), AX
	MOVQ AX, last-40(SP)
	MOVQ adding_codes(DX), R8
	MOVQ adding_stride(DX), R9
	MOVQ adding_sums(DX), DI
	MOVQ adding_rows(DX), SI
	MOVQ adding_n(DX), CX
	LEAQ (SI)(CX*4), AX
	MOVQ AX, end-16(SP)
	SUBQ $(const_fetchAhead*4), AX
	MOVQ AX, near-8(SP)

row:
	CMPQ SI, near-8(SP)
	JAE  close
	FETCH(PREFETCHT0, 4, more3)

close:
	MOVL (SI), AX
	ADDQ $4, SI
	MOVQ AX, BX
	SHLQ $4, BX
	MOVUPD (DI)(BX*1), X0
	IMULQ R9, AX
	ADDQ R8, AX
	MOVQ blocks-24(SP), R11
	CMPQ R11, R12
	JAE  rest
	PCALIGN $32

four:
	MOVL (R11), DX
	MOVL 4(R11), CX
	SHLQ $4, DX
	ADDQ R10, DX
	SHLQ $4, CX
	ADDPAIR(0)
	ADDQ CX, DX
	ADDPAIR(1)
	ADDQ CX, DX
	ADDPAIR(2)
	ADDQ CX, DX
	ADDPAIR(3)
	ADDQ $4, AX
	ADDQ $8, R11
	CMPQ R11, R12
	JB   four

rest:
	MOVQ wide-32(SP), R11
	MOVQ last-40(SP), CX

pairWide:
	CMPQ R11, CX
	JAE  done
	MOVL (R11), DX
	SHLQ $4, DX
	ADDQ R10, DX
	MOVWLZX (AX), R14
	SHLQ $4, R14
	MOVUPD (DX)(R14*1), X1
	ADDPD X0, X1
	MOVUPD X1, (DX)(R14*1)
	ADDQ $2, AX
	ADDQ $4, R11
	JMP  pairWide

done:
	CMPQ SI, end-16(SP)
	JB   row
	RET
