//go:build amd64 && !purego

package kernel

func (c *Credits) walk(steps []CreditStep, sides []uint8, values []float64, rows int) {
	next := 64 * len(c.Phi) / c.Width // bytes of a score
	switch {
	case permutes:
		walkCredits512(c, &steps[0], len(steps), &sides[0], &values[0], rows, next, 0)
	case hasAVX2:
		for half := 0; half < 64; half += 32 {
			walkCredits256(c, &steps[0], len(steps), &sides[0], &values[0], rows, next, half)
		}
	default:
		c.walkPlain(steps, sides, values, rows)
	}
}

//go:noescape
func walkCredits512(
	c *Credits, steps *CreditStep, n int, sides *uint8, values *float64, rows, next, half int,
)

//go:noescape
func walkCredits256(
	c *Credits, steps *CreditStep, n int, sides *uint8, values *float64, rows, next, half int,
)
