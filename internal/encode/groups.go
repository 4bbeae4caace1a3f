package encode

import (
	"math"
	"math/bits"

	"github.com/coppice-ml/coppice/model/input"
)

// groups is rows of which none counts those of its own group: a row's history is that of its key
// without that of its key in its group.
//
//	order      2    0    3    1           rows of one category, labels y0 ... y3
//	group      a    b    a    b
//	counted    -    y2   y0   y2 + y3
//
// What is subtracted was added before. With floating point numbers a trace of it could stay in the
// last bits, and trees can split by those; so sums are of whole numbers.
type groups struct {
	of     []int32 // number of each row's group
	n      int
	weight fixed
	target []fixed // by output, times the weight
}

func newGroups(group []int64, weight []float64, target [][]float64) *groups {
	g := &groups{of: make([]int32, len(group))}
	number := newNumbers(len(group))
	for i, v := range group {
		g.of[i] = number.number(uint64(v))
	}
	g.n = len(number.keys)
	g.weigh(weight, target)
	return g
}

func (g *groups) weigh(weight []float64, target [][]float64) {
	g.weight = newFixed(weight, nil)
	for _, y := range target {
		g.target = append(g.target, newFixed(weight, y))
	}
}

// pick returns the groups of some of the rows, with weights and targets of their own; nil has none.
func (g *groups) pick(places []int32, weight []float64, target [][]float64) *groups {
	if g == nil {
		return nil
	}
	own := &groups{of: pick(g.of, places), n: g.n}
	own.weigh(weight, target)
	return own
}

// pairs is the keys of groups, each by itself.
type pairs struct {
	*groups
	keys int     // without those of groups
	id   []int32 // number of each row's key, keys where it has none
	pair []int32 // of each row's key in its group
	n    int     // of those
}

// pairs numbers the keys in groups; nil has none.
func (g *groups) pairs(id []int32, keys int) *pairs {
	if g == nil {
		return nil
	}
	p := &pairs{groups: g, keys: keys, id: id, pair: make([]int32, len(id))}
	number := newNumbers(len(id))
	for i, k := range id {
		p.pair[i] = number.number(uint64(k)*uint64(g.n) + uint64(g.of[i]))
	}
	p.n = len(number.keys)
	return p
}

// ordered is what line.ordered is of rows without groups.
func (p *pairs) ordered(dst []float64, c *input.Column, l *line) {
	w, y := &p.weight, &p.target[c.Output]
	all, own := make([][2]int64, p.keys+1), make([][2]int64, p.n) // weights and targets so far
	for j, i := range l.place {
		a, o := &all[p.id[i]], &own[p.pair[i]]
		dst[l.row[j]] = c.Value(w.number(a[0]-o[0]), y.number(a[1]-o[1]))
		if int(p.id[i]) == p.keys {
			continue
		}
		for _, sums := range [...]*[2]int64{a, o} {
			sums[0] += w.units[i]
			sums[1] += y.units[i]
		}
	}
}

// remaining writes, by row, the weight of each row's key without that of the rows of its group.
func (p *pairs) remaining(dst []float64, rows []int32) {
	all, own := make([]int64, p.keys+1), make([]int64, p.n)
	for i, w := range p.weight.units {
		all[p.id[i]] += w
		own[p.pair[i]] += w
	}
	for i, k := range p.id {
		left := 0.0
		if int(k) < p.keys {
			left = p.weight.number(all[k] - own[p.pair[i]])
		}
		dst[rows[i]] = left
	}
}

// fixed is numbers as multiples of a power of two that is the same for all, so small that a sum of
// all just does not overflow.
type fixed struct {
	units    []int64
	exponent int
}

// newFixed returns weights times targets, nil = 1.
func newFixed(weight, target []float64) fixed {
	product := weight
	if target != nil {
		product = make([]float64, len(weight))
		for i, w := range weight {
			product[i] = w * target[i]
		}
	}
	most := 0.0
	for _, x := range product {
		most = max(most, math.Abs(x))
	}
	_, e := math.Frexp(most)
	f := fixed{units: make([]int64, len(product)), exponent: e + bits.Len(uint(len(product))) - 62}
	for i, x := range product {
		f.units[i] = int64(math.RoundToEven(math.Ldexp(x, -f.exponent)))
	}
	return f
}

// number returns the number that so many units are.
func (f *fixed) number(units int64) float64 { return math.Ldexp(float64(units), f.exponent) }
