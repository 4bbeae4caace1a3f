//go:build !amd64 || purego

package kernel

// UsesRanks reports whether Descend uses Ranks. In plain Go it is faster without them.
func UsesRanks() bool { return false }

func partitionRanks(rows, spare []uint16, lo, hi int, x []uint16, stride int, base uint16) int {
	return partitionRanksPlain(rows, spare, lo, hi, x, stride, base)
}

func partitionLevels(rows, spare []uint16, lo, hi int, x []uint16, stride int, side uint64) int {
	return partitionLevelsPlain(rows, spare, lo, hi, x, stride, side)
}

func wander(going []wanderer, nodes []ranked, k *Ranks, out []int32) {
	wanderPlain(going, nodes, k, out)
}
