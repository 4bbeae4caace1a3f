package engine

import (
	"math"

	"github.com/coppice-ml/coppice/internal/kernel"
)

// nonzeros lists the numbers of each slot that are not zero, where few are: of 26 classes a leaf of
// a full-depth tree has one.
//
//	slot     0    1        2
//	at       0    1        3    4
//	class    7    0 25     3
type nonzeros struct {
	at    []int32
	class []int32
}

// nonzerosOf returns the nonzeros of values of a width, nil if more than half of all numbers would
// be listed.
func nonzerosOf(value []float64, width int) *nonzeros {
	found := 0
	for _, v := range value {
		if v != 0 {
			found++
		}
	}
	if 2*found > len(value) {
		return nil
	}
	s := &nonzeros{at: make([]int32, 1, len(value)/width+1), class: make([]int32, 0, found)}
	for at := 0; at+width <= len(value); at += width {
		for k, v := range value[at : at+width] {
			if v != 0 {
				s.class = append(s.class, int32(k))
			}
		}
		s.at = append(s.at, int32(len(s.class)))
	}
	return s
}

// accumulate adds a slot, times scale, to the outputs of one row.
func (p *plan) accumulate(dst []float64, slot int32, scale float64) {
	if p.output >= 0 {
		dst[p.output] += float64(scale * p.value[slot])
		return
	}
	w := p.Leaf.Width
	v := p.value[int(slot)*w:][:w]
	if p.nonzeros != nil {
		for _, k := range p.nonzeros.class[p.nonzeros.at[slot]:p.nonzeros.at[slot+1]] {
			dst[k] += float64(scale * v[k])
		}
		return
	}
	for k := range v {
		dst[k] += float64(scale * v[k])
	}
}

// toSlots makes slots of the nodes where rows end, unless the kernel has found these.
func (p *plan) toSlots(ends []int32) {
	if p.Leaf.Slot == nil {
		return // also where the slot of a node is its own number
	}
	for i, n := range ends {
		if n >= 0 {
			ends[i] = p.Leaf.Slot[n]
		}
	}
}

// accumulateAll adds the prediction of a tree for each row to the row's outputs, width of them.
// ends are where the rows end, or the slots of leaves that keep them in their nodes. They are -1
// for rows that are left out.
func (p *plan) accumulateAll(dst []float64, ends []int32, width int, scale float64) {
	p.toSlots(ends)
	value := p.value
	switch {
	case p.Leaf.Width == 1:
		dst = dst[max(0, p.output):]
		for r, slot := range ends {
			if slot >= 0 {
				dst[r*width] += float64(scale * value[slot])
			}
		}
	case p.Leaf.Width == 2 && p.way == fast:
		kernel.AccumulatePairs(dst, ends, value, scale)
	case p.Leaf.Width == 2:
		for r, slot := range ends {
			if slot >= 0 {
				to, v := dst[2*r:][:2], value[2*slot:][:2]
				to[0] += float64(scale * v[0])
				to[1] += float64(scale * v[1])
			}
		}
	case p.nonzeros != nil:
		at, class := p.nonzeros.at, p.nonzeros.class
		for r, slot := range ends {
			if slot < 0 {
				continue
			}
			to, v := dst[r*width:][:width], value[int(slot)*width:][:width]
			for _, k := range class[at[slot]:at[slot+1]] {
				to[k] += float64(scale * v[k])
			}
		}
	default:
		for r, slot := range ends {
			if slot >= 0 {
				p.accumulate(dst[r*width:][:width], slot, scale)
			}
		}
	}
}

// accumulateEstimates is accumulateAll for a tree with equations, and rows of a block from first
// on.
func (p *plan) accumulateEstimates(
	dst []float64, b *Block, ends []int32, first int, scale float64,
) {
	width := b.p.outputs
	p.toSlots(ends)
	dst = dst[max(0, p.output):]
	for r, slot := range ends {
		if slot >= 0 {
			dst[r*width] += float64(scale * p.estimate(slot, b.row(first+r)))
		}
	}
}

// estimate returns what the equation of a slot gives for a row, its plain value where there is none
// or it gives no finite number: as it is with a missing or an infinite value.
func (p *plan) estimate(slot int32, r row) float64 {
	l := p.Leaf.Linear
	from, to := l.At[slot], l.At[slot+1]
	sum, coefs := l.Constant[slot], l.Coef[from:to]
	for i, f := range l.Feature[from:to] {
		sum += float64(coefs[i] * r.of(f))
	}
	if from == to || !(math.Abs(sum) <= math.MaxFloat64) {
		return p.value[slot]
	}
	return sum
}
