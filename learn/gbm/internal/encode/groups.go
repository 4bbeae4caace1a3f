package encode

import (
	"math"
	"math/bits"

	"github.com/coppice-ml/coppice/internal/input"
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

func newGroups(group []int64, of *measured) *groups {
	g := &groups{of: make([]int32, len(group))}
	number := newNumbers()
	for i, v := range group {
		g.of[i] = number.number(uint64(v))
	}
	g.n = len(number.keys)
	g.weigh(len(group), of)
	return g
}

// weigh takes the weights and targets of so many rows.
func (g *groups) weigh(rows int, of *measured) {
	g.weight = newFixed(rows, of.weightAt)
	for k := range of.target {
		g.target = append(g.target, newFixed(rows, func(i int) float64 { return of.moment(k, i) }))
	}
}

// pick returns the groups of some of the rows, with weights and targets of their own; nil has none.
func (g *groups) pick(places []int32, of *measured) *groups {
	if g == nil {
		return nil
	}
	own := &groups{of: pick(g.of, places), n: g.n}
	own.weigh(len(places), of)
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
	number := newNumbers()
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

// newFixed returns so many numbers.
func newFixed(rows int, at func(i int) float64) fixed {
	most := 0.0
	for i := range rows {
		most = max(most, math.Abs(at(i)))
	}
	_, e := math.Frexp(most)
	f := fixed{units: make([]int64, rows), exponent: e + bits.Len(uint(rows)) - 62}
	for i := range f.units {
		f.units[i] = int64(math.RoundToEven(math.Ldexp(at(i), -f.exponent)))
	}
	return f
}

// number returns the number that so many units are.
func (f *fixed) number(units int64) float64 { return math.Ldexp(float64(units), f.exponent) }
