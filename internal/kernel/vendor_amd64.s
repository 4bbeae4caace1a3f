//go:build amd64 && !purego

#include "textflag.h"

// func isAMD() bool
TEXT ·isAMD(SB), NOSPLIT, $0-1
	XORL AX, AX
	CPUID
	CMPL BX, $0x68747541 // "Auth"enticAMD
	SETEQ ret+0(FP)
	RET
