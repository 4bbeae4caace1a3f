package boosting

import (
	"fmt"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/loss"
)

// OwnLoss reports whether a loss is the caller's own. Its second derivatives may add up to a number
// that is not above 0, which those of the table's losses do not.
func OwnLoss(c *loss.Choice) bool {
	if c.Loss == nil {
		return false
	}
	for _, e := range loss.Table() {
		if own := (&loss.Choice{Loss: c.Loss}); own.Is(e) {
			return false
		}
	}
	return true
}

// Curved reports whether second derivatives, output-major, and a penalty l2 add up to a number
// above 0 for each of some outputs. If not, a Newton step goes nowhere, or uphill. In the first
// round that is an error, which names the loss.
func Curved(h []float64, outputs int, l2 float64, first bool, name string) (bool, error) {
	n := len(h) / outputs
	for o := range outputs {
		sum := kernel.Sum(h[o*n : (o+1)*n])
		switch {
		case first && !(sum > 0):
			return false, fmt.Errorf("loss=%s: its second derivatives add up to %.3g over all rows "+
				"in the first round, want a number above 0: return a bound above 0 where they are "+
				"not above it", name, sum)
		case !(sum+l2 > 0):
			return false, nil
		}
	}
	return true, nil
}
