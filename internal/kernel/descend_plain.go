//go:build !amd64 || purego

package kernel

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
