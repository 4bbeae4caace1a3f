package kernel

import "math/bits"

// The costs of kernels are in tenths of a nanosecond, as measured on a Zen 3. Those of cuts are
// from a Zen 4, times what Scan takes longer on the other. Costs decide between forms whose results
// are the same, so that only their ratios matter.

// ScanCost returns the cost of a node in Scan of as many rows, or of a level in ScanLevels; small
// is as there.
func ScanCost(rows int, small, levels bool) int {
	vectors := (rows + ScanWidth - 1) / ScanWidth
	switch {
	case !scansVectors() && small:
		return 90 * vectors
	case !scansVectors():
		return 10 * ScanWidth * vectors
	case levels && vectors <= 2:
		return 6
	case vectors <= 1:
		return 10
	case vectors <= 2:
		return 12
	case vectors <= 4:
		return 17
	}
	return 30 * ((vectors + 7) / 8)
}

// LaneGroupCost is the cost of writing the leaves of LaneRows rows in LaneTrees trees.
const LaneGroupCost = 70

// LaneRowsCost returns the cost of one element of nodes in ScanLaneRows, for as many codes.
func LaneRowsCost(columns int) int {
	switch {
	case !scansVectors():
		return 10_000
	case columns <= 32 || permutes:
		return 38
	case columns <= 64:
		return 55
	}
	return 95
}

// CutsCost returns the cost of ScanCuts for a tile: of so many nodes in trees, and of the bits of
// columns that they test, steps times CodeBitsStep of them.
func CutsCost(nodes, trees, columns, steps int) int {
	if !scansVectors() {
		return 70*nodes + 2500*trees + 5000*columns + 850*steps
	}
	return 15*nodes + 240*trees + 350*columns + 70*steps
}

// CodesCost returns the cost of codes of one byte, for as many rows of a column.
func CodesCost(rows int) int {
	switch {
	case !scansVectors():
		return 120 * rows
	case permutes:
		return 13 * rows
	}
	return 33 * rows
}

// PlacesCost returns the cost of codes of two bytes, of rows in their order and of the places of
// split points, for as many of a column.
func PlacesCost(rows, points int) int {
	step := 5
	if !scansVectors() {
		step = 11
	}
	return rows*(step*bits.Len(uint(points))+110) + 3*points
}

// PlacedCost returns the cost of ScanPlaced for a tile, of so many nodes in trees.
func PlacedCost(nodes, trees int) int {
	if !scansVectors() {
		return 100*nodes + 2500*trees
	}
	return 24*nodes + 240*trees
}
