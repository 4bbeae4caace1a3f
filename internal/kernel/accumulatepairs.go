package kernel

// accumulatePairsPlain adds the pair of each slot, times scale, to the pair of a row. It is the
// twin of the assembly.
func accumulatePairsPlain(dst []float64, slots []int32, value []float64, scale float64) {
	for r, slot := range slots {
		to, v := dst[2*r:][:2], value[2*int(slot):][:2]
		to[0] += float64(scale * v[0])
		to[1] += float64(scale * v[1])
	}
}
