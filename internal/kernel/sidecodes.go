package kernel

// SideTable has a bit for each code of a column of categories, 1 for those that go to the first
// child.
type SideTable [32]uint8

// SideCodes writes 0 for each code of a tile that goes to the first child, and 1 for the others.
// Rows are rounded up to whole vectors.
func SideCodes(dst, codes []int8, table *SideTable, rows int) {
	rows = (rows + ScanWidth - 1) / ScanWidth * ScanWidth
	dst, codes = dst[:rows], codes[:rows]
	if rows == 0 || sideCodesInVectors(dst, codes, table) {
		return
	}
	sideCodesPlain(dst, codes, table)
}

// sideCodesPlain is the twin of the assembly.
func sideCodesPlain(dst, codes []int8, table *SideTable) {
	for r, code := range codes {
		dst[r] = 1 - int8(table[uint8(code)>>3]>>(uint8(code)&7)&1)
	}
}
