package sample

import (
	"fmt"
	"math"
)

// units are what is sampled: rows, or groups of rows.
type units struct {
	n     int
	of    []int32  // unit of each row; nil = each row is one
	class []uint32 // class of each unit; nil where classes are ignored
	names []string // of the classes
	// nil = all equal; the largest weight of a row is brought to [1, 2) by a power of two, so that
	// sums stay finite
	weight []float64
}

// unitsOf numbers the units in the order in which they first appear.
func unitsOf(set *Settings, rows *Rows) (units, error) {
	u := units{n: rows.N}
	if set.Grouped {
		number := map[int64]int32{}
		u.of = make([]int32, rows.N)
		for i, g := range rows.Group {
			k, ok := number[g]
			if !ok {
				k = int32(len(number))
				number[g] = k
			}
			u.of[i] = k
		}
		u.n = len(number)
	}
	if set.Strata == Stratified || set.Strata == Balanced || set.Fractions != nil {
		if err := u.classify(rows); err != nil {
			return u, err
		}
	}
	if set.Weighted {
		return u, u.weigh(rows)
	}
	return u, nil
}

// classify finds the class of each unit. A group of several classes is an error: it would belong to
// several strata.
func (u *units) classify(rows *Rows) error {
	u.names = rows.Classes
	if u.of == nil {
		u.class = rows.Class
		return nil
	}
	u.class = make([]uint32, u.n)
	next := int32(0) // the units before it have been met
	for i, k := range u.of {
		switch {
		case k == next:
			u.class[k] = rows.Class[i]
			next++
		case u.class[k] != rows.Class[i]:
			return fmt.Errorf("group %d has rows of the classes %q and %q: groups cannot be "+
				"sampled by class then; leave strata, the fractions of the classes, or "+
				"grouped_sampling out",
				rows.Group[i], u.names[u.class[k]], u.names[rows.Class[i]])
		}
	}
	return nil
}

// weigh adds up the weight of each unit.
func (u *units) weigh(rows *Rows) error {
	most := 0.0
	for i, w := range rows.Weight {
		if !(w >= 0) || math.IsInf(w, 1) {
			return fmt.Errorf("weight %g of row %d is not a finite number >= 0", w, i+1)
		}
		most = max(most, w)
	}
	_, exponent := math.Frexp(most)
	u.weight = make([]float64, u.n)
	for i, w := range rows.Weight {
		k := int32(i)
		if u.of != nil {
			k = u.of[i]
		}
		u.weight[k] += math.Ldexp(w, 1-exponent)
	}
	return nil
}
