// Package axes owns the values of a column at which explanations predict, or that they change it
// to: its own values in order, and what lies between them. It knows columns and no models.
package axes

import (
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
)

// Ascending returns the values of a numeric column or of one of dates that are present, ascending.
// They are the caller's own.
func Ascending(c *data.Column) []float64 {
	present := make([]float64, 0, c.Len())
	for _, x := range c.Numbers() {
		if !math.IsNaN(x) {
			present = append(present, x)
		}
	}
	slices.Sort(present)
	return present
}

// Quantile returns a quantile of sorted numbers, one at least, between two neighbours if it falls
// between them (Hyndman & Fan 1996, definition 7). q is from 0 to 1.
func Quantile(sorted []float64, q float64) float64 {
	at := float64(q * float64(len(sorted)-1))
	below := int(at)
	if below+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	t := at - float64(below)
	return float64(sorted[below]*(1-t)) + float64(sorted[below+1]*t)
}
