package kernel

import (
	"math"
	"slices"
)

const (
	// sortedBy is the length from which cells beat a comparison sort.
	sortedBy = 1024
	cellBits = 12
	cells    = 1 << (2 * cellBits)
	// settledBy is how many places a number may move on average once cells are in order.
	settledBy = 4
)

// SortByCells sorts finite numbers, with spare memory for as many. It puts them in order by cells
// of equal width, in two passes of a radix sort, and an insertion sort does the rest. Where most
// numbers are in few cells that would take long, and a comparison sort does it.
func SortByCells(values, spare []float64) {
	if len(values) < sortedBy {
		slices.Sort(values)
		return
	}
	low, high := values[0], values[0]
	for _, v := range values {
		low, high = min(low, v), max(high, v)
	}
	scale := (cells - 1) / (high - low)
	if !(scale > 0) || math.IsInf(scale, 0) {
		slices.Sort(values)
		return
	}
	var lower, upper [1 << cellBits]uint32
	for _, v := range values {
		cell := uint32((v - low) * scale)
		lower[cell%(1<<cellBits)]++
		upper[cell>>cellBits%(1<<cellBits)]++
	}
	a, b := uint32(0), uint32(0)
	for i := range lower {
		lower[i], a = a, a+lower[i]
		upper[i], b = b, b+upper[i]
	}
	to := spare[:len(values)]
	for _, v := range values {
		at := &lower[uint32((v-low)*scale)%(1<<cellBits)]
		to[*at] = v
		*at++
	}
	for _, v := range to {
		at := &upper[uint32((v-low)*scale)>>cellBits%(1<<cellBits)]
		values[*at] = v
		*at++
	}
	if !settle(values) {
		slices.Sort(values)
	}
}

// settle is an insertion sort that gives up where it has to move too many numbers.
func settle(values []float64) bool {
	moves := settledBy * len(values)
	for i := 1; i < len(values); i++ {
		v, j := values[i], i
		for ; j > 0 && values[j-1] > v; j-- {
			values[j] = values[j-1]
		}
		values[j] = v
		if moves -= i - j; moves < 0 {
			return false
		}
	}
	return true
}
