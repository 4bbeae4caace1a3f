//go:build amd64 && !purego

package kernel

// packsWords reports whether vectors of 16-bit numbers can be compressed.
var packsWords = forWords.missing() == ""

// UsesRanks reports whether Descend uses Ranks.
func UsesRanks() bool { return packsWords }

func partitionRanks(rows, spare []uint16, lo, hi int, x []uint16, stride int, base uint16) int {
	if !packsWords || lo == hi {
		return partitionRanksPlain(rows, spare, lo, hi, x, stride, base)
	}
	if stride == strip {
		return packRanksOfStrip(&rows[lo], &spare[0], hi-lo, &x[0], base)
	}
	return packRanks(&rows[lo], &spare[0], hi-lo, &x[0], base)
}

func partitionLevels(rows, spare []uint16, lo, hi int, x []uint16, stride int, side uint64) int {
	if !packsWords || lo == hi {
		return partitionLevelsPlain(rows, spare, lo, hi, x, stride, side)
	}
	if stride == strip {
		return packLevelsOfStrip(&rows[lo], &spare[0], hi-lo, &x[0], side)
	}
	return packLevels(&rows[lo], &spare[0], hi-lo, &x[0], side)
}

func wander(going []wanderer, nodes []ranked, k *Ranks, out []int32) {
	if !packsWords {
		wanderPlain(going, nodes, k, out)
		return
	}
	wanderAll(&going[0], len(going), &nodes[0], &k.start[0], &k.X[0], &out[0])
}

//go:noescape
func packRanks(rows, spare *uint16, n int, x *uint16, base uint16) int

//go:noescape
func packLevels(rows, spare *uint16, n int, x *uint16, side uint64) int

//go:noescape
func wanderAll(going *wanderer, n int, nodes *ranked, start *uint32, x *uint16, out *int32)

//go:noescape
func packRanksOfStrip(rows, spare *uint16, n int, x *uint16, base uint16) int

//go:noescape
func packLevelsOfStrip(rows, spare *uint16, n int, x *uint16, side uint64) int
