package grow

import (
	"errors"
	"slices"

	"github.com/coppice-ml/coppice/data"
)

// ErrNoWeight is returned where no row has a positive weight.
var ErrNoWeight = errors.New("no rows of positive weight to train on")

// Gather makes the population of the given frame rows: repeated rows become multiplicities, rows of
// weight zero are left out. Weights are the target's times the multiplicity; they are nil where the
// target has none.
func Gather(t *data.Target, rows []int32) (*Population, error) {
	p := &Population{Classes: len(t.Classes)}
	sorted := rows
	if !slices.IsSorted(rows) {
		sorted = slices.Clone(rows)
		slices.Sort(sorted)
	}
	repeated := p.take(sorted, t.Weight)
	p.Weightless = len(rows) - p.Copies()
	if len(p.Rows) == 0 {
		return nil, ErrNoWeight
	}
	if t.Task.Classes() && len(p.Rows) == len(t.Class) {
		p.Class = t.Class
	} else if t.Task.Classes() {
		p.Class = make([]uint32, len(p.Rows))
		for i, r := range p.Rows {
			p.Class[i] = t.Class[r]
		}
	} else {
		p.Y = make([]float64, len(p.Rows))
		for i, r := range p.Rows {
			p.Y[i] = t.Y[0][r]
		}
	}
	if t.Weight != nil {
		p.Weight = make([]float64, len(p.Rows))
		for i, r := range p.Rows {
			p.Weight[i] = t.WeightAt(r)
			if repeated {
				p.Weight[i] *= float64(p.Count[i])
			}
		}
	}
	return p, nil
}

// take sets the rows, which ascend, and how often each stands there, and reports whether any does
// more than once.
func (p *Population) take(sorted []int32, weight []float64) (repeated bool) {
	p.Rows = make([]int32, len(sorted))
	n := 0
	for i, r := range sorted {
		if weight != nil && weight[r] == 0 {
			continue
		}
		if i > 0 && sorted[i-1] == r {
			repeated = true
			break
		}
		p.Rows[n] = r
		n++
	}
	if p.Rows = p.Rows[:n]; !repeated {
		return false
	}
	p.Rows, p.Count = p.Rows[:0], make([]uint32, 0, len(sorted))
	for i, r := range sorted {
		switch {
		case weight != nil && weight[r] == 0:
		case i > 0 && sorted[i-1] == r:
			p.Count[len(p.Count)-1]++
		default:
			p.Rows, p.Count = append(p.Rows, r), append(p.Count, 1)
		}
	}
	return true
}

// Multiplicity returns how often the row at a position stands in the population.
func (p *Population) Multiplicity(i int) int {
	if p.Count == nil {
		return 1
	}
	return int(p.Count[i])
}

// Copies returns the number of rows with multiplicity.
func (p *Population) Copies() int {
	if p.Count == nil {
		return len(p.Rows)
	}
	n := 0
	for _, c := range p.Count {
		n += int(c)
	}
	return n
}

// WeightAt returns the total weight of the row at a position.
func (p *Population) WeightAt(i int) float64 {
	if p.Weight == nil {
		return float64(p.Multiplicity(i))
	}
	return p.Weight[i]
}

// Weights returns the weights of all rows, nil if all weigh 1.
func (p *Population) Weights() []float64 {
	if p.Weight != nil || p.Count == nil {
		return p.Weight
	}
	w := make([]float64, len(p.Count))
	for i, n := range p.Count {
		w[i] = float64(n)
	}
	return w
}

// Present returns the population without the rows that are left out: itself if there are none.
func (p *Population) Present() *Population {
	if !slices.Contains(p.Count, 0) {
		return p
	}
	var kept []int
	for i, n := range p.Count {
		if n > 0 {
			kept = append(kept, i)
		}
	}
	return &Population{Classes: p.Classes, Rows: data.Pick(p.Rows, kept),
		Count: data.Pick(p.Count, kept), Weight: data.Pick(p.Weight, kept),
		Case: data.Pick(p.Case, kept), Class: data.Pick(p.Class, kept), Y: data.Pick(p.Y, kept)}
}

// Scale multiplies the weight of each row by the factor of its class; nil factors change nothing.
func (p *Population) Scale(factors []float64) {
	if factors == nil {
		return
	}
	if p.Weight == nil {
		p.Weight = make([]float64, len(p.Rows))
		for i := range p.Weight {
			p.Weight[i] = float64(p.Multiplicity(i))
		}
	}
	if p.Case == nil {
		p.Case = slices.Clone(p.Weight)
	}
	for i, c := range p.Class {
		p.Weight[i] *= factors[c]
	}
}
