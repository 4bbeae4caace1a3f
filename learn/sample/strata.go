package sample

import (
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/internal/kernel"
)

// strata divides the units into strata, each with its number of samples.
func (set *Settings) strata(method entry, u units) ([]stratum, error) {
	if u.class == nil {
		return []stratum{{size: u.n, take: max(1, portion(set.Fraction, u.n))}}, nil
	}
	strata := make([]stratum, len(u.names))
	for c := range strata {
		strata[c].name = u.names[c]
	}
	for k, c := range u.class {
		strata[c].unit = append(strata[c].unit, int32(k))
	}
	sizes := make([]int, len(strata))
	for c := range strata {
		sizes[c] = len(strata[c].unit)
		strata[c].size = sizes[c]
	}
	var take []int
	switch {
	case set.Fractions != nil:
		take = make([]int, len(strata))
		for c, f := range set.Fractions {
			take[c] = portion(f, u.n)
			if take[c] > 0 && sizes[c] == 0 {
				return nil, fmt.Errorf("class %q has a fraction, but there is nothing of it to "+
					"sample: use strata=balanced in place of fractions", u.names[c])
			}
		}
	case set.Strata == Stratified:
		take = apportion(max(1, portion(set.Fraction, u.n)), sizes)
	default:
		take = equally(sizes, set.Fraction, method.Repeats)
	}
	for c := range strata {
		strata[c].take = take[c]
	}
	return strata, nil
}

// portion returns the fraction f of n, rounded, halves up.
func portion(f float64, n int) int {
	return int(math.Floor(float64(f*float64(n)) + 0.5))
}

// apportion divides total samples in proportion to sizes by largest remainder, of equal ones to the
// first. total is at most the sum of sizes; then no stratum gets more than its size.
func apportion(total int, sizes []int) []int {
	all := kernel.Sum(sizes)
	take := make([]int, len(sizes))
	rest := make([]int64, len(sizes))
	left := total
	for c, n := range sizes {
		product := int64(total) * int64(n) // below 2^62
		take[c] = int(product / int64(all))
		rest[c] = product % int64(all)
		left -= take[c]
	}
	for ; left > 0; left-- {
		best := 0
		for c := range rest {
			if rest[c] > rest[best] {
				best = c
			}
		}
		take[best]++
		rest[best] = -1
	}
	return take
}

// equally returns the samples of strata that all get the same number: that of the fraction of all
// units, divided by the number of strata and rounded down, or without repeats the fraction of the
// smallest; at least one. Strata without units get none.
func equally(sizes []int, fraction float64, repeats bool) []int {
	all, strata, smallest := 0, 0, math.MaxInt
	for _, n := range sizes {
		if n > 0 {
			all += n
			strata++
			smallest = min(smallest, n)
		}
	}
	each := portion(fraction, smallest)
	if repeats {
		each = portion(fraction, all) / strata
	}
	take := make([]int, len(sizes))
	for c, n := range sizes {
		if n > 0 {
			take[c] = max(1, each)
		}
	}
	return take
}

// weigh gives the stratum the weights of its units and drops those that weigh nothing.
func (p *stratum) weigh(u *units) error {
	var unit []int32
	for i := range p.size {
		if k := p.at(i); u.weight[k] > 0 {
			unit = append(unit, k)
			p.weight = append(p.weight, u.weight[k])
		}
	}
	if len(unit) == 0 {
		return fmt.Errorf("weighted_sampling: nothing%s has a positive weight", p.of())
	}
	p.unit, p.size = unit, len(unit)
	return nil
}
