package linear

import (
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/internal/grow"
)

// leastSquares is what is to be explained: the outputs of rows, in units of their own, less their
// means.
type leastSquares struct {
	pop   *grow.Population
	total float64     // weight of all rows
	y     [][]float64 // by output, by place in pop: (label - mean) / unit
	mean  []float64   // by output, in its unit
	unit  []float64   // by output: a power of two, so that nothing overflows and no bit is lost
}

func newLeastSquares(t *data.Target, pop *grow.Population) *leastSquares {
	p := &leastSquares{pop: pop}
	for i := range pop.Rows {
		p.total += pop.WeightAt(i)
	}
	if t.Task.Classes() {
		for c := range t.Classes {
			y := make([]float64, len(pop.Rows))
			for i, own := range pop.Class {
				if int(own) == c {
					y[i] = 1
				}
			}
			p.add(y)
		}
		return p
	}
	for o, output := range t.Y {
		y := make([]float64, len(pop.Rows))
		for i, r := range pop.Rows {
			if y[i] = output[r]; t.Offset != nil { // what is left to explain
				y[i] -= t.Offset[int(r)*len(t.Y)+o]
			}
		}
		p.add(y)
	}
	return p
}

// add takes an output, whose values it changes. The mean is corrected by that of what is left, so
// that of equal numbers nothing is.
func (p *leastSquares) add(y []float64) {
	top := 0.0
	for _, v := range y {
		top = max(top, math.Abs(v))
	}
	unit := 1.0
	if top > 0 {
		_, exponent := math.Frexp(top)
		unit = math.Ldexp(1, exponent-1)
	}
	for i := range y {
		y[i] /= unit
	}
	mean := 0.0
	for range 2 {
		sum := 0.0
		for i, v := range y {
			sum += float64(p.pop.WeightAt(i) / p.total * (v - mean))
		}
		mean += sum
	}
	for i := range y {
		y[i] -= mean
	}
	p.y, p.mean, p.unit = append(p.y, y), append(p.mean, mean), append(p.unit, unit)
}
