package engine

import (
	"math"
	"slices"

	"github.com/coppice-ml/coppice/internal/kernel"
)

// Early stops the sums of a row at a stage where its outputs are known well enough. A stage is some
// trees that are used together. An Early is used by one goroutine at a time.
type Early struct {
	rest      *rest
	low, high []float64 // scratch: bounds of each output
	every     int       // enough is called after so many stages each
	// enough reports whether outputs between two bounds, both included, need not be known better
	enough func(low, high []float64) bool
}

// rest bounds what a row's outputs gain in the stages that follow one. With two outputs,
//
//	stage    0    0    1    1   ...
//	low    -3   -2   -1   -2
//	high    4    2    1    2
//
// Bounds include the rounding of all sums.
type rest struct {
	low, high []float64
}

// maxBounded is the number of values of leaves up to which their bounds are looked for.
const maxBounded = 1 << 22

// Early returns what stops a row once enough reports true, which is called after every stages of a
// row. It returns nil if the values of leaves have no bounds or if there are so few trees that a
// row has one stage.
func (p *Program) Early(every int, enough func(low, high []float64) bool) *Early {
	p.bounding.Do(func() { p.bounds = p.restOf(p.stages()) })
	if p.bounds == nil {
		return nil
	}
	return &Early{rest: p.bounds, low: make([]float64, p.outputs),
		high: make([]float64, p.outputs), every: every, enough: enough}
}

// RawUntil is Raw, but e may stop it before the last stage: then it reports false, and dst has no
// meaning. The bounds that the function of e was called with last hold for what Raw writes. Of a
// nil e it is Raw.
func (p *Program) RawUntil(dst, values []float64, e *Early) (complete bool) {
	return p.raw(dst[:p.outputs], values, e)
}

// stops reports whether a row whose sums are dst after a stage is known well enough.
func (e *Early) stops(p *Program, dst []float64, stage int) bool {
	at := stage * p.outputs
	if at == len(e.rest.low) || (stage+1)%e.every != 0 { // at is that of the last stage
		return false
	}
	for k, x := range dst {
		if p.divisors != nil {
			x = x/p.divisors[k] + p.bias[k]
		}
		e.low[k], e.high[k] = x+e.rest.low[at+k], x+e.rest.high[at+k]
	}
	return e.enough(e.low, e.high)
}

// stages returns the trees of each stage, in the order in which a row uses them.
func (p *Program) stages() [][]int32 {
	var stages [][]int32
	if l := p.layout(); l != nil && l.alone {
		for i := range l.segments {
			trees := l.segments[i].trees
			for lo := 0; lo < len(trees); lo += kernel.LaneTrees {
				stages = append(stages, trees[lo:min(lo+kernel.LaneTrees, len(trees))])
			}
		}
		return stages
	}
	for first := 0; first < len(p.plans); first += group {
		var trees []int32
		for i := first; i < min(first+group, len(p.plans)); i++ {
			trees = append(trees, int32(i))
		}
		stages = append(stages, trees)
	}
	return stages
}

// negative reports whether an output of a mean is divided by a number below 0.
func (p *Program) negative() bool {
	return slices.ContainsFunc(p.divisors, func(d float64) bool { return d < 0 })
}

// restOf returns the bounds of all stages but the last, after which nothing follows.
func (p *Program) restOf(stages [][]int32) *rest {
	values := 0
	for i := range p.plans {
		values += len(p.plans[i].value)
	}
	if len(stages) < 2 || values > maxBounded || p.negative() {
		return nil
	}
	n := (len(stages) - 1) * p.outputs
	r := &rest{low: make([]float64, n), high: make([]float64, n)}
	low, high := make([]float64, p.outputs), make([]float64, p.outputs)
	most := make([]float64, p.outputs) // no sum of trees is larger
	for stage := len(stages) - 1; stage >= 0; stage-- {
		if at := stage * p.outputs; at < n {
			copy(r.low[at:], low)
			copy(r.high[at:], high)
		}
		for _, i := range stages[stage] {
			if t := &p.plans[i]; t.Leaf.Linear != nil || len(t.Fraction) > 0 {
				return nil
			}
			p.plans[i].bound(low, high, most, p.scale[i])
		}
	}
	return r.rounded(p, most)
}

// bound adds the least and the greatest values of a tree's nodes to those of each output, and the
// largest magnitudes to most.
func (p *plan) bound(low, high, most []float64, scale float64) {
	w := p.Leaf.Width
	for k := range w {
		least, greatest := math.Inf(1), math.Inf(-1)
		for at := k; at < len(p.value); at += w {
			v := float64(scale * p.value[at])
			least, greatest = min(least, v), max(greatest, v)
		}
		output := k
		if p.output >= 0 {
			output = int(p.output)
		}
		low[output] += least
		high[output] += greatest
		most[output] += max(math.Abs(least), math.Abs(greatest))
	}
}

// rounded widens bounds by more than the rounding of all sums, and divides those of means. It
// returns nil if a sum may overflow.
func (r *rest) rounded(p *Program, most []float64) *rest {
	operations := float64(4*len(p.plans) + 16)
	for at := range r.low {
		k, divisor := at%p.outputs, 1.0
		if p.divisors != nil {
			divisor = p.divisors[k]
		}
		if !(most[k] <= math.MaxFloat64/4) {
			return nil
		}
		slack := float64(operations * 0x1p-51 * (most[k]/divisor + math.Abs(p.bias[k])))
		r.low[at], r.high[at] = r.low[at]/divisor-slack, r.high[at]/divisor+slack
	}
	return r
}
