//go:build amd64 && !purego

package kernel

// sumTablesInVectors is SumTables, if it reports true.
func sumTablesInVectors(sum []float64, leaf []uint8, tables []LeafTable, rows int) bool {
	if !permutes {
		return false
	}
	sumOfTables(&sum[0], (rows+63)/64, &leaf[0], &tables[0], len(tables))
	return true
}

//go:noescape
func sumOfTables(sum *float64, blocks int, leaf *uint8, tables *LeafTable, trees int)
