package kernel

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestScanCuts(t *testing.T) {
	EachPath(t, func(t *testing.T) { rapid.Check(t, checkScanCuts) })
}

func FuzzScanCuts(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) { EveryPath(func() { checkScanCuts(t) }) }))
}

// checkScanCuts holds ScanCuts against a walk from node to node.
func checkScanCuts(t *rapid.T) {
	s := randomScan(t, MaxScanLeaves, -128)
	var bits []RowBits
	for k := 0; k < len(s.codes); k += ScanRows {
		bits = append(bits, make([]RowBits, 256)...)
		codeBitsPlain(bits[k:], s.codes[k:], -128)
	}
	var cuts Cuts
	for from, to := 0, 0; from < len(s.leaves); from = to {
		group, nodes := CutGroup{}, []CutNode(nil)
		group, nodes, to = s.cutGroup(from)
		got, plain := make([]uint8, (to-from)*ScanRows), make([]uint8, (to-from)*ScanRows)
		for i := range cuts {
			cuts[i] = RowBits{^uint64(0), 1, ^uint64(0), 1 << 63}
		}
		ScanCuts(got, group.Trees, nodes, bits, &cuts)
		scanCutsPlain(plain, group.Trees, nodes, bits, &cuts)
		for i := range to - from {
			for r := range s.rows {
				want := s.walk(from+i, r)
				if g, p := got[i*ScanRows+r], plain[i*ScanRows+r]; g != want || p != want {
					t.Fatalf("row %d in tree %d of %d leaves: at leaf %d, %d in plain Go, want %d",
						r, from+i, s.leaves[from+i], g, p, want)
				}
			}
		}
	}
}

// cutGroup returns the group that begins with a tree, its nodes, and the next tree. Codes begin at
// -128.
func (s *scanned) cutGroup(from int) (group CutGroup, made []CutNode, to int) {
	var levels [MaxScanLeaves][]CutNode
	for to = from; to < len(s.leaves) && group.Add(s.leaves[to]); to++ {
		nodes, tree := s.nodes[s.at[to]:s.at[to+1]], group.Trees[to-from]
		var fill func(depth, high int)
		fill = func(depth, high int) {
			n := &nodes[0]
			nodes = nodes[1:]
			levels[depth] = append(levels[depth], tree.Node(int(n.At)+int(n.Above)+127,
				int(n.First), int(n.Last), high))
			if n.Last-n.First > 1 {
				fill(depth+1, int(n.Last))
			}
			if high-int(n.Last) > 1 {
				fill(depth+1, high)
			}
		}
		if len(nodes) > 0 {
			fill(0, s.leaves[to])
		}
	}
	return group, slices.Concat(levels[:]...), to
}
