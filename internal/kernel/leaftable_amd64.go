//go:build amd64 && !purego

package kernel

// sumTablesInVectors is SumTables, if it reports true.
func sumTablesInVectors(sum []float64, leaf []uint8, words []uint16, leaves, rows int) bool {
	if !permutes {
		return false
	}
	trees, blocks := len(words)/(4*leaves), (rows+63)/64
	if leaves == 32 {
		sumTables32(&sum[0], blocks, &leaf[0], &words[0], trees)
	} else {
		sumTables64(&sum[0], blocks, &leaf[0], &words[0], trees)
	}
	return true
}

//go:noescape
func sumTables32(sum *float64, blocks int, leaf *uint8, words *uint16, trees int)

//go:noescape
func sumTables64(sum *float64, blocks int, leaf *uint8, words *uint16, trees int)
