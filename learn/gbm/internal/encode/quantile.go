package encode

import (
	"math"
	"slices"
)

const quantileCells = 1 << 12 // that the range of values is partitioned into to find quantiles

// quantileBins returns the bin of each value: how many of the quantiles of all values are less.
// Values that cannot be distinguished are in the first bin.
//
// To find the quantiles, a value is sorted only if its cell of the range holds a quantile.
func quantileBins(values []float64) []uint8 {
	bin := make([]uint8, len(values))
	if len(values) == 0 {
		return bin
	}
	lo, hi := slices.Min(values), slices.Max(values)
	scale := quantileCells / (hi - lo)
	if !(scale > 0 && scale <= math.MaxFloat64) {
		return bin
	}
	cell := make([]uint16, len(values))
	var before [quantileCells + 1]int32 // values in lower cells
	for i, x := range values {
		c := min(int((x-lo)*scale), quantileCells-1)
		cell[i] = uint16(c)
		before[c+1]++
	}
	for c := range quantileCells {
		before[c+1] += before[c]
	}
	splitPoints := quantiles(values, cell, &before)
	var start [quantileCells]uint8 // split points in lower cells
	for c, b := 0, 0; c < quantileCells; c++ {
		for b < len(splitPoints) && int((splitPoints[b]-lo)*scale) < c {
			b++
		}
		start[c] = uint8(b)
	}
	for i, x := range values {
		b := int(start[cell[i]])
		for b < len(splitPoints) && splitPoints[b] < x {
			b++
		}
		bin[i] = uint8(b)
	}
	return bin
}

// quantiles returns the distinct quantiles that divide values into searchBins bins, ascending.
func quantiles(values []float64, cell []uint16, before *[quantileCells + 1]int32) []float64 {
	var ranks [searchBins - 1]int32
	var wanted [quantileCells]bool
	var left [searchBins - 1]int32 // values below a quantile's cell that are not sorted
	c, skipped := 0, int32(0)
	for b := range ranks {
		ranks[b] = int32((b + 1) * (len(values) - 1) / searchBins)
		for before[c+1] <= ranks[b] {
			if !wanted[c] {
				skipped += before[c+1] - before[c]
			}
			c++
		}
		wanted[c], left[b] = true, skipped
	}
	var some []float64
	for i, x := range values {
		if wanted[cell[i]] {
			some = append(some, x)
		}
	}
	slices.Sort(some)
	splitPoints := make([]float64, len(ranks))
	for b, r := range ranks {
		splitPoints[b] = some[r-left[b]]
	}
	return slices.Compact(splitPoints)
}
