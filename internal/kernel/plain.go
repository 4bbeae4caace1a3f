//go:build !amd64 || purego

package kernel

// What kernels do where there is no assembly, in the order of their files. A kernel of vectors that
// returns how many rows or numbers it did does none, and one that reports whether it did them says
// no: the plain loops of the kernel do them all.

import (
	"math"
)

// AccumulatePairs adds the pair of numbers of each slot, times scale, to the pair of a row. Slots
// must be in range: nothing is checked again.
func AccumulatePairs(dst []float64, slots []int32, value []float64, scale float64) {
	accumulatePairsPlain(dst, slots, value, scale)
}

// Rows adds some rows.
func (a *AddLists) Rows(rows []int32) { a.rows(rows) }

// folds reports whether Checksum multiplies vectors without carry.
const folds = false

func foldedChecksum(uint32, []byte) uint32 { panic("kernel: no vectors") }

// Descend writes into out the node at which each row of the block ends; len(out) is the number of
// rows. Nodes and their children must be in range, a child after its parent, and so must be sets
// and places: nothing is checked again.
func (d *Descent) Descend(out []int32) {
	if d.Ranks != nil && len(out) > 0 && len(d.Place) > 0 && d.byRanks(out) {
		return
	}
	if len(d.SetAt) > 0 && len(out) > 0 && len(d.Place) > 0 {
		d.route(out)
		return
	}
	d.descend(out)
}

// UsesFloats reports whether Descend uses Floats.
func UsesFloats() bool { return false }

// Packs reports whether Descend begins by reading all nodes, for so many rows.
func (d *Descent) Packs(int) bool { return false }

func floors(dst *[TileRows]float32, values []float64) bool { return floorsPlain(dst, values) }

// stragglers are rows that continue by themselves, each with the node where it has come to: row <<
// 32 | node.
type stragglers struct{ going []uint64 }

func (s *stragglers) add(d *Descent, node uint32, rows []uint16, out []int32) {
	for _, r := range rows {
		s.going = append(s.going, uint64(r)<<32|uint64(node))
	}
	if len(s.going) >= TileRows {
		s.finish(d, out)
	}
}

// finish takes all of them to leaves.
func (s *stragglers) finish(d *Descent, out []int32) {
	var rows [TileRows]uint16
	for len(s.going) > 0 {
		going := s.going[max(0, len(s.going)-TileRows):]
		s.going = s.going[:len(s.going)-len(going)]
		n := len(going)
		for i, g := range going {
			rows[i] = uint16(g >> 32)
		}
		for len(going) > 0 {
			going = d.level(d.X, going, out)
		}
		if d.Slots {
			for _, r := range rows[:n] {
				out[r] = d.Nodes[out[r]].Child
			}
		}
	}
}

func partitionByPoint(to, rows []uint16, x []float64, threshold float64) int {
	return partitionByPointPlain(to, rows, x, threshold)
}

func partitionSet(to, rows []uint16, codes []uint16, _ int32, side *[MaxWidth + 2]uint64) int {
	return partitionSetPlain(to, rows, codes, side)
}

func partitionBySplitPointInVectors(_, _ []int32, _ []float64, _ float64, _ bool) (n, done int) {
	return 0, 0
}

func partitionBySetInVectors(_, _ []int32, _ []uint32, _ *Sides) (n, done int) { return 0, 0 }

// Find writes the numbers of the entries for a row of codes. Columns must be in range: nothing is
// checked again.
func (e *Entries) Find(numbers, codes []uint16) { e.findPlain(numbers, codes) }

// Add adds an entry of each table to the sums. Tables, steps and numbers must be in range: nothing
// is checked again.
func (e *Entries) Add(sums []float64, numbers []uint16) { e.addPlain(sums, numbers) }

// exps leaves all numbers to Exps.
func exps(_, _ []float64) int { return 0 }

// logistic leaves all rows to Logistic.
func logistic(_, _, _, _ []float64) int { return 0 }

// sizes leaves all rows to Sizes.Add.
func sizes(_, _ *[4]float64, _, _ []float64) int { return 0 }

// fixFours leaves all rows to Fix.
func fixFours(_ []int64, _, _ []float64, _, _ float64, _ int64) (Fixed, int) {
	return Fixed{Least: math.MaxInt64}, 0
}

// Rows adds some rows.
func (a *AddPacked) Rows(rows []int32) { a.rows(rows) }

// Rows adds some rows.
func (a *AddPairs) Rows(rows []int32) { a.rows(rows) }

func interleaveInVectors([]uint8, int, *[8][]uint8, int) int { return 0 }

func (l *Lambdas) add(r *LambdaSums, gain, odds, place, score []float64) {
	l.addPlain(r, gain, odds, place, score)
}

func (l *Lambdas) addBoth(r *LambdaSums, gain, odds, place, score, g, h []float64) {
	l.addBothPlain(r, gain, odds, place, score, g, h)
}

// log1ps leaves all numbers to Log1ps.
func log1ps(_, _ []float64) int { return 0 }

// VectorNear reports whether Near has vectors.
func VectorNear() bool { return false }

func near(query, group []float32, limit float32) uint32 { return nearPlain(query, group, limit) }

func subtractInVectors(_, _ []int64) int { return 0 }

func addInVectors(_, _ []int64) int { return 0 }

func partitionNarrow(rows, spare []int32, codes, side []uint8) int {
	return partition(rows, spare, codes, side, 0, 0)
}

func partitionWide(rows, spare []int32, codes []uint16, side []uint8) int {
	return partition(rows, spare, codes, side, 0, 0)
}

// Paths returns the paths that kernels may take: one, as there are no instructions to choose from.
func Paths() []Path {
	return []Path{{Name: "plain", take: func() func() { return func() {} }}}
}

// UsesRanks reports whether Descend uses Ranks. In plain Go it is faster without them.
func UsesRanks() bool { return false }

func partitionRanks(rows, spare []uint16, lo, hi int, x []uint16, stride int, base uint16) int {
	return partitionRanksPlain(rows, spare, lo, hi, x, stride, base)
}

func partitionLevels(rows, spare []uint16, lo, hi int, x []uint16, stride int, side uint64) int {
	return partitionLevelsPlain(rows, spare, lo, hi, x, stride, side)
}

func wander(going []wanderer, nodes []ranked, k *Ranks, out []int32) {
	wanderPlain(going, nodes, k, out)
}

func codeBitsInVectors(_ []RowBits, _ []int8, _ int8) bool { return false }

func scanCutsInVectors(_ []uint8, _ []CutTree, _ []CutNode, _ []RowBits, _ *Cuts) bool {
	return false
}

func scanPlacedInVectors(
	_ []uint8, _ []CutTree, _ []CutNode, _ []uint32, _ *Placed, _ *Cuts,
) bool {
	return false
}

// permutes reports whether there are vectors that hold all of a table.
const permutes = false

func addLanePairsInVectors(
	_ *[LanePairs]uint8, _, _ []LaneNodes, _ *[MaxLaneCodes]int8, _ int, _ *LaneSum,
) bool {
	return false
}

func sumTablesInVectors(_ []float64, _ []uint8, _ []uint16, _, _ int) bool { return false }

func scansVectors() bool { return false }

func scanInVectors(_ []uint8, _ []ScanNode, _ []int32, _ []int8, _ int) bool { return false }

func (c *Coder) codesInVectors(_ []int8, _ []float64) (done int, missing bool) { return 0, false }

func (c *WideCoder) codesInVectors(_ []uint16, _ []float64) (done int, missing bool) {
	return 0, false
}

func sumLeavesInEights(sum []float64, leaf []uint8, value []float64, at []uint32, rows int) int {
	return sumLeavesPlain(sum, leaf, value, at, rows)
}

func (r *RowCoder) codes(dst []int8, row []float64) (missing bool) { return r.codesPlain(dst, row) }

func scanLanes(leaf *[LaneTrees]uint8, nodes []LaneNodes, codes *[MaxLaneCodes]int8, _ int) {
	scanLanesPlain(leaf, nodes, codes)
}

func scanLaneRowsInVectors(
	_ []uint8, _ []LaneNodes, _ *[LaneRows][MaxLaneCodes]int8, _ int,
) bool {
	return false
}

func scanLaneLevelRowsInVectors(
	_ []uint8, _ []LaneNodes, _ *[LaneRows][MaxLaneCodes]int8, _ int,
) bool {
	return false
}

func addLanesInVectors(
	_ *[LaneTrees]uint8, _ []LaneNodes, _ *[MaxLaneCodes]int8, _ int, _ bool, _ *LaneSum,
) bool {
	return false
}

func scanLevelsInVectors(_ []uint8, _ []ScanNode, _ []int32, _ []int8, _ int) bool { return false }

func scanLaneLevels(leaf *[LaneTrees]uint8, levels []LaneNodes, codes *[MaxLaneCodes]int8, _ int) {
	scanLaneLevelsPlain(leaf, levels, codes)
}

func sumRowInFours(_ *float64, _ []uint8, _ []float64, _ []uint32) int { return 0 }

func sideCodesInVectors(_, _ []int8, _ *SideTable) bool { return false }

func gatherSinglesInVectors(
	_ []float32, _ *[SingleColumns][]float32, _ int, _ []uint32, _ *SingleSpans,
) bool {
	return false
}

func sumSinglePairsInVectors(
	_ *PairSums, _ []float32, _ *[SingleColumns]float32, _ [][2]float64,
) bool {
	return false
}

func sumSingleSlotsInVectors(
	_ []SlotSums, _ []float32, _ *[SingleColumns]float32, _ []uint32, _ []float64,
) bool {
	return false
}

// The plain loops do all numbers.

func raiseTo(_, _ []float64) int                        { return 0 }
func below(_, _, _ []float64) int                       { return 0 }
func addFloats(_, _ []float64) int                      { return 0 }
func probabilities(_, _, _, _ []float64, _ float64) int { return 0 }

func gatherSpansInVectors(
	_ []float64, _ *[SpanColumns][]float64, _ int, _ []uint32, _ *Spans,
) bool {
	return false
}

func sumPairsInVectors(
	_ *PairSums, _, _ []float64, _ *[2][SpanColumns]float64, _ [][2]float64,
) bool {
	return false
}

func sumSlotsInVectors(
	_ []SlotSums, _, _ []float64, _ *[2][SpanColumns]float64, _ []uint32, _ []float64,
) bool {
	return false
}

// Best returns the allowed split point of the greatest score, of equal ones that of the lowest bin.
// Where none scores above Above its Bin is -1.
func (c *SplitPoints) Best() SplitPoint { return c.tail(c.start()) }

func (c *SplitPointGains) addInVectors(_ []float64) (first int64, done int) { return c.Start, 0 }

// VectorSquares reports whether CumulateSquares has vectors.
const VectorSquares = false

func cumulateSquares(out []Squares, counts []uint16, stride int) int {
	return plainSquares(out, counts, stride)
}
