package kernel

import "math/bits"

// Machine is what the costs of kernels depend on: which instructions these take. It is a value, so
// that a choice by costs is a function of the machine and of what is to be done, on any processor.
type Machine struct {
	Vectors bool // Scan has vectors of bytes, and there are lanes
	// SumTables and AddLanePairs have vectors that hold all that they look up; SumLeaves and
	// AddLanes are faster without
	Permutes bool
}

// ScanLimits returns the largest number of leaves of trees that Scan is fast for, and the largest
// number of split points that their columns may have.
func (m Machine) ScanLimits() (leaves, points int) {
	if m.Vectors {
		return MaxScanLeaves, MaxCodedPoints
	}
	return 64, PositivePoints
}

// ThisMachine returns the machine that kernels run on, with the path that they take.
func ThisMachine() Machine { return Machine{Vectors: scansVectors(), Permutes: permutes} }

// The costs of kernels are in tenths of a nanosecond, as measured on a Zen 3. Those of cuts are
// from a Zen 4, times what Scan takes longer on the other. Costs decide between forms whose results
// are the same, so that only their ratios matter.

// ScanCost returns the cost of a node in Scan of as many rows, or of a level in ScanLevels; small
// is as there.
func (m Machine) ScanCost(rows int, small, levels bool) int {
	vectors := (rows + ScanWidth - 1) / ScanWidth
	switch {
	case !m.Vectors && small:
		return 90 * vectors
	case !m.Vectors:
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
func (m Machine) LaneRowsCost(columns int) int {
	switch {
	case !m.Vectors:
		return 10_000
	case columns <= 32 || m.Permutes:
		return 38
	case columns <= 64:
		return 55
	}
	return 95
}

// CutsCost returns the cost of ScanCuts for a tile: of so many nodes in trees, and of the bits of
// columns that they test, steps times CodeBitsStep of them.
func (m Machine) CutsCost(nodes, trees, columns, steps int) int {
	if !m.Vectors {
		return 70*nodes + 2500*trees + 5000*columns + 850*steps
	}
	return 15*nodes + 240*trees + 350*columns + 70*steps
}

// CodesCost returns the cost of codes of one byte, for as many rows of a column.
func (m Machine) CodesCost(rows int) int {
	switch {
	case !m.Vectors:
		return 120 * rows
	case m.Permutes:
		return 13 * rows
	}
	return 33 * rows
}

// PlacesCost returns the cost of codes of two bytes, of rows in their order and of the places of
// split points, for as many of a column.
func (m Machine) PlacesCost(rows, points int) int {
	step := 5
	if !m.Vectors {
		step = 11
	}
	return rows*(step*bits.Len(uint(points))+110) + 3*points
}

// PlacedCost returns the cost of ScanPlaced for a tile, of so many nodes in trees.
func (m Machine) PlacedCost(nodes, trees int) int {
	if !m.Vectors {
		return 100*nodes + 2500*trees
	}
	return 24*nodes + 240*trees
}
