//go:build !amd64 || purego

package kernel

func (c *Credits) walk(steps []CreditStep, sides []uint8, values []float64, rows int) {
	c.walkPlain(steps, sides, values, rows)
}
