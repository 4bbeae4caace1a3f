package sample

import (
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/rng"
)

// newBootstrap samples with replacement.
func newBootstrap(p stratum) stratumSampler {
	switch {
	case p.weight != nil:
		return newWeightedBootstrap(p)
	case p.unit != nil:
		return &stratumBootstrap{p}
	}
	return &bootstrap{p.size, p.take}
}

// bootstrap samples from the units 0 ... size-1.
type bootstrap struct{ size, take int }

func (b *bootstrap) sample(count []uint32, s *rng.Stream) {
	for range b.take {
		count[s.Intn(b.size)]++
	}
}

// stratumBootstrap samples from a list of units.
type stratumBootstrap struct{ stratum }

func (b *stratumBootstrap) sample(count []uint32, s *rng.Stream) {
	for range b.take {
		count[b.unit[s.Intn(b.size)]]++
	}
}

// weightedBootstrap samples from a list of units by their weights, in constant time (Walker 1977,
// tables after Vose 1991): every unit has a column of equal height, together with at most one
// other.
type weightedBootstrap struct {
	take    int
	columns []column
}

type column struct {
	keep       float64 // fraction of the column that is the first unit's
	own, other int32   // the two units
}

func newWeightedBootstrap(p stratum) *weightedBootstrap {
	sum := kernel.Sum(p.weight)
	columns := make([]column, p.size)
	var low, high []int32 // columns that are not full, and those that are or overflow
	for i, w := range p.weight {
		c := column{keep: float64(w / sum * float64(p.size)), own: p.unit[i], other: p.unit[i]}
		columns[i] = c
		if c.keep < 1 {
			low = append(low, int32(i))
		} else {
			high = append(high, int32(i))
		}
	}
	for len(low) > 0 && len(high) > 0 {
		h := high[len(high)-1]
		from, to := &columns[h], &columns[low[len(low)-1]]
		low = low[:len(low)-1]
		to.other = from.own
		from.keep = from.keep + to.keep - 1
		if from.keep < 1 {
			high = high[:len(high)-1]
			low = append(low, h)
		}
	}
	// The columns that remain are full but for rounding: both of their units are the same one.
	return &weightedBootstrap{p.take, columns}
}

func (b *weightedBootstrap) sample(count []uint32, s *rng.Stream) {
	for range b.take {
		c := &b.columns[s.Intn(len(b.columns))]
		unit := c.own
		if s.Float64() >= c.keep {
			unit = c.other
		}
		count[unit]++
	}
}
