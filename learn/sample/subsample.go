package sample

import (
	"slices"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/rng"
)

// newSubsample samples without replacement.
func newSubsample(p stratum) stratumSampler {
	if p.weight != nil {
		return &weightedSubsample{p}
	}
	return &subsample{p}
}

// subsample samples sets of units, all of one size with the same probability.
type subsample struct{ stratum }

// sample is Floyd's algorithm (Bentley & Floyd 1987): after step j the set is a sample from the
// first j+1 units. It needs no memory but count.
func (b *subsample) sample(count []uint32, s *rng.Stream) {
	for j := b.size - b.take; j < b.size; j++ {
		k := b.at(s.Intn(j + 1))
		if count[k] != 0 {
			k = b.at(j)
		}
		count[k] = 1
	}
}

// weightedSubsample samples one unit after the other, each time by the weights of those that are
// left.
type weightedSubsample struct{ stratum }

// sample takes the units of the smallest keys E/weight, where the E are independent exponential
// numbers. Each of several such keys is the smallest with a probability in proportion to its
// weight. The next smallest is so among the rest (Efraimidis & Spirakis 2006, whose keys are
// exp(-E/weight)). Equal keys are taken in order.
func (b *weightedSubsample) sample(count []uint32, s *rng.Stream) {
	keys := make([]float64, b.size)
	for i, w := range b.weight {
		keys[i] = -kernel.Log(1-s.Float64()) / w
	}
	bound := smallest(slices.Clone(keys), b.take)
	left := b.take
	for i, key := range keys {
		if key < bound {
			count[b.unit[i]] = 1
			left--
		}
	}
	for i, key := range keys {
		if key == bound && left > 0 {
			count[b.unit[i]] = 1
			left--
		}
	}
}

// smallest returns the k-th smallest of x, 1 <= k <= len(x), which it reorders (Hoare 1961,
// "Find").
func smallest(x []float64, k int) float64 {
	at := k - 1
	for low, high := 0, len(x)-1; low < high; {
		pivot := x[low+(high-low)/2]
		i, j := low, high
		for i <= j {
			for x[i] < pivot {
				i++
			}
			for pivot < x[j] {
				j--
			}
			if i <= j {
				x[i], x[j] = x[j], x[i]
				i++
				j--
			}
		}
		// x[low..j] <= pivot <= x[i..high], and what is between them equals the pivot
		if at <= j {
			high = j
		} else if at >= i {
			low = i
		} else {
			break
		}
	}
	return x[at]
}
