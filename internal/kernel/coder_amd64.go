//go:build amd64 && !purego

package kernel

// codesInVectors is Codes of all values but the last few. It returns how many it did; where values
// are missing codes are any.
func (c *Coder) codesInVectors(dst []int8, x []float64) (done int, missing bool) {
	if !hasAVX2 || len(x) < 4 {
		return 0, false
	}
	_ = dst[len(x)-1]
	bias := int(c.first) - len(c.keys)
	gone := 0
	if n := len(x) / 16; permutes && n > 0 && c.heads != nil {
		gone = codesOfSixteens(&dst[0], &x[0], n, &c.heads[0], &c.sorted[0], c.steps, bias)
		done = 16 * n
	}
	if fours := (len(x) - done) / 4; fours > 0 {
		gone |= codesOfFours(&dst[done], &x[done], fours, &c.keys[0], c.steps, bias)
		done += 4 * fours
	}
	return done, gone != 0
}

//go:noescape
func codesOfSixteens(
	dst *int8, x *float64, sixteens int, heads *uint32, sorted *uint64, steps, bias int,
) int

//go:noescape
func codesOfFours(dst *int8, x *float64, fours int, keys *uint64, steps, bias int) int

// codesInVectors is Codes of all values but the last few. It returns how many it did; missing
// values have any codes.
func (c *WideCoder) codesInVectors(dst []uint16, x []float64) (done int, missing bool) {
	fours := len(x) / 4
	if !hasAVX2 || fours == 0 {
		return 0, false
	}
	_ = dst[len(x)-1]
	gone := wideCodesOfFours(&dst[0], &x[0], fours, &c.keys[0], c.steps, -len(c.keys))
	return 4 * fours, gone != 0
}

//go:noescape
func wideCodesOfFours(dst *uint16, x *float64, fours int, keys *uint64, steps, bias int) int
