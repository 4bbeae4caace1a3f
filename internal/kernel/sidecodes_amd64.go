//go:build amd64 && !purego

package kernel

// sideCodesInVectors is SideCodes of whole vectors, if it reports true.
func sideCodesInVectors(dst, codes []int8, table *SideTable) bool {
	if !hasAVX2 {
		return false
	}
	sidesOf(&dst[0], &codes[0], table, len(dst)/ScanWidth)
	return true
}

//go:noescape
func sidesOf(dst, codes *int8, table *SideTable, vectors int)
