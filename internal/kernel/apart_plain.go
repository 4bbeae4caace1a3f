//go:build !amd64 || purego

package kernel

// UsesRanks reports whether Descend looks at Ranks: in plain Go that takes longer than without.
func UsesRanks() bool { return false }

func partRanks(rows, spare []uint16, lo, hi int, x []uint16, stride int, base uint16) int {
	return partRanksPlain(rows, spare, lo, hi, x, stride, base)
}

func partLevels(rows, spare []uint16, lo, hi int, x []uint16, stride int, side uint64) int {
	return partLevelsPlain(rows, spare, lo, hi, x, stride, side)
}

func wander(going []wanderer, nodes []ranked, k *Ranks, out []int32) {
	wanderPlain(going, nodes, k, out)
}
