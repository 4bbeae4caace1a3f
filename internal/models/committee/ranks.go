package committee

import (
	"fmt"
	"math"
	"slices"
	"sort"
)

// Scale is the rank of a number among those that it was made of: a line through knots, which
// continues level beyond the first and the last of them.
//
//	numbers  3 5 5 8        Value 3     5    8
//	                        Rank  0.125 0.5  0.875
type Scale struct {
	Value []float64 // ascending and finite
	Rank  []float64 // of each Value, ascending, between 0 and 1
}

// NewScale makes the scale of some numbers: the rank of a number is the fraction of those below it
// and half of the fraction of those equal to it. NaN is left out. Of more different numbers than
// most, at least 2, as many are kept, from the least to the greatest at even distances. It is empty
// where there is no number.
func NewScale(numbers []float64, most int) Scale {
	sorted := make([]float64, 0, len(numbers))
	for _, v := range numbers {
		if !math.IsNaN(v) {
			sorted = append(sorted, v)
		}
	}
	slices.Sort(sorted)
	var all Scale
	for first := 0; first < len(sorted); {
		end := first + 1
		for end < len(sorted) && sorted[end] == sorted[first] {
			end++
		}
		all.Value = append(all.Value, sorted[first])
		all.Rank = append(all.Rank, float64(first+end)/float64(2*len(sorted)))
		first = end
	}
	n := len(all.Value)
	if n <= most {
		return all
	}
	var few Scale
	for i := range most {
		at := i * (n - 1) / (most - 1)
		few.Value, few.Rank = append(few.Value, all.Value[at]), append(few.Rank, all.Rank[at])
	}
	return few
}

// Of returns the rank of a number.
func (s *Scale) Of(v float64) float64 { return between(s.Value, s.Rank, v) }

// At returns the number of a rank.
func (s *Scale) At(rank float64) float64 { return between(s.Rank, s.Value, rank) }

// between reads y at x off the line through the knots (xs, ys), of which there is one or more.
func between(xs, ys []float64, x float64) float64 {
	last := len(xs) - 1
	switch {
	case x <= xs[0]:
		return ys[0]
	case !(x < xs[last]):
		return ys[last]
	}
	i := sort.SearchFloat64s(xs, x) // xs[i-1] < x <= xs[i]
	if xs[i] == x {
		return ys[i]
	}
	low, high := ys[i-1], ys[i]
	used := (x - xs[i-1]) / (xs[i] - xs[i-1])
	if math.IsInf(xs[i]-xs[i-1], 0) {
		used = (float64(x/2) - float64(xs[i-1]/2)) / (float64(xs[i]/2) - float64(xs[i-1]/2))
	}
	return max(low, min(high, float64((1-used)*low)+float64(used*high)))
}

// scalesOf returns the number of scales of a member.
func (c *Committee) scalesOf() int {
	if n := c.Outputs(); !c.Meta.Task.Classes() || n != 2 {
		return n
	}
	return 1
}

func (c *Committee) validateScales() error {
	switch want := c.scalesOf() * len(c.Members); {
	case c.Combine != Ranks && c.Scales != nil:
		return fmt.Errorf("scales of a %s: only ranks have them", c.Combine)
	case c.Combine != Ranks:
		return nil
	case len(c.Scales) != want:
		return fmt.Errorf("%d scales, want %d for %d members", len(c.Scales), want, len(c.Members))
	}
	for i := range c.Scales {
		if err := c.Scales[i].validate(); err != nil {
			return fmt.Errorf("scale %d: %w", i, err)
		}
	}
	return nil
}

func (s *Scale) validate() error {
	if len(s.Value) == 0 || len(s.Value) != len(s.Rank) {
		return fmt.Errorf("%d numbers with %d ranks", len(s.Value), len(s.Rank))
	}
	for i, v := range s.Value {
		r := s.Rank[i]
		switch {
		case math.IsNaN(v) || math.IsInf(v, 0) || !(r >= 0 && r <= 1):
			return fmt.Errorf("rank %g of %g", r, v)
		case i > 0 && !(v > s.Value[i-1] && r > s.Rank[i-1]):
			return fmt.Errorf("rank %g of %g after rank %g of %g", r, v, s.Rank[i-1], s.Value[i-1])
		}
	}
	return nil
}

// ranks writes the mean ranks of each output. Of two classes, that of the first is 1 less that of
// the second.
func (p *predictor) ranks(dst []float64, c call) error {
	scales := p.committee.scalesOf()
	first := p.outputs - scales // output of the first scale
	sum := 0.0
	err := p.each(c, func(i int, values []float64) {
		w := p.committee.Weight(i)
		sum += w
		step := w / sum
		for row := range c.rows {
			for k := range scales {
				at := row*p.outputs + first + k
				dst[at] += float64(step * (p.committee.Scales[i*scales+k].Of(values[at]) - dst[at]))
			}
		}
	})
	if first > 0 {
		for row := range c.rows {
			dst[row*2] = 1 - dst[row*2+1]
		}
	}
	return err
}

// unrank replaces the mean ranks of a row by the means of what the members' scales have there.
func (p *predictor) unrank(row []float64) {
	scales := p.committee.scalesOf()
	first := p.outputs - scales
	total := 0.0
	for k := range scales {
		rank, value, sum := row[first+k], 0.0, 0.0
		for _, i := range p.used {
			w := p.committee.Weight(i)
			sum += w
			value += float64(w / sum * (p.committee.Scales[i*scales+k].At(rank) - value))
		}
		row[first+k] = value
		total += value
	}
	switch {
	case first > 0:
		row[0] = 1 - row[1]
	case p.committee.Meta.Task.Classes():
		for k := range row {
			if total > 0 {
				row[k] /= total
			} else {
				row[k] = 1 / float64(len(row))
			}
		}
	}
}
