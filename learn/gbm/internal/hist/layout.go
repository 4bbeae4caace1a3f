package hist

import (
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
)

// layout states where the cells of each group's codes are in a histogram. Narrow groups lie by
// four, as their codes do in a row of Block.Packed, and four have as many cells each as the
// largest of them needs:
//
//	cells   group at 0 | at 1 | at 2 | at 3 | group at 4 | ... | joint | ... | wide group | ... | groups of the joints | places of the lists
//
// Groups are an odd number of cache lines apart, so that none is a power of two away from the next:
// cells of codes that many rows have would else wait for each other.
type layout struct {
	at     []uint32 // first cell of each group of Block.Packed and of Block.Lists
	blocks []kernel.Block
	unused int      // places of the last block that no group has
	wide   []uint32 // first cells of the wide groups, as their codes lie in a row of Block.Packed
	joints []joint
	lists  int // first cell of the places of Block.Lists
	listed listedLayout
	cells  int
}

const cacheLine = 8 // cells

func lay(m *bins.Matrix) layout {
	l := layout{at: make([]uint32, len(m.Groups)),
		blocks: make([]kernel.Block, m.Narrow/kernel.ColumnsPerBlock)}
	codes := codesOf(m)
	for at, n := range codes {
		step := &l.blocks[at/kernel.ColumnsPerBlock].Step
		*step = max(*step, uint32(groupStride(n)))
	}
	l.unused = m.Narrow - len(codes)
	even := l.even(m.Len())
	for i := range l.blocks {
		if even {
			l.blocks[i].Step = kernel.EvenStep
		}
		l.blocks[i].At = uint32(l.cells)
		l.cells += kernel.ColumnsPerBlock * int(l.blocks[i].Step)
	}
	for i := range m.Groups {
		g := &m.Groups[i]
		if g.Out {
			continue
		}
		if !g.Wide() {
			l.at[i] = l.narrow(g.At)
			continue
		}
		l.at[i] = uint32(l.cells)
		l.wide = append(l.wide, l.at[i]) // wide groups lie in their order
		l.cells += groupStride(g.Codes)
	}
	for i := range m.Joints {
		l.layJoint(m, &m.Joints[i])
	}
	l.layLists(m)
	return l
}

// layLists adds cells for the places of the lists.
func (l *layout) layLists(m *bins.Matrix) {
	if m.Places == 0 {
		l.lists = l.cells
		return
	}
	l.cells = (l.cells + cacheLine - 1) &^ (cacheLine - 1)
	l.lists = l.cells
	for i := range m.Groups {
		if g := &m.Groups[i]; g.Listed {
			l.at[i] = uint32(l.lists + g.At)
		}
	}
	l.cells += m.Places
	l.listed = layListed(m)
}

// codesOf returns the number of codes of each byte of the narrow groups in a row of Block.Packed.
func codesOf(m *bins.Matrix) []int {
	codes := make([]int, m.Narrow)
	used := 0
	for i := range m.Groups {
		if g := &m.Groups[i]; !g.Wide() && !g.Out {
			codes[g.At] = g.Codes
			used = max(used, g.At+1)
		}
	}
	for _, j := range m.Joints {
		codes[j.At] = j.Codes
	}
	return codes[:used]
}

// narrow returns the first cell of a byte of the narrow groups.
func (l *layout) narrow(at int) uint32 {
	b := l.blocks[at/kernel.ColumnsPerBlock]
	return b.At + uint32(at%kernel.ColumnsPerBlock)*b.Step
}

// layJoint adds cells for the groups of a joint.
func (l *layout) layJoint(m *bins.Matrix, of *bins.Joint) {
	j := joint{Joint: of, first: int(l.narrow(of.At))}
	for _, i := range of.Groups {
		l.at[i] = uint32(l.cells)
		j.of = append(j.of, l.cells)
		l.cells += m.Groups[i].Codes
	}
	l.joints = append(l.joints, j)
}

// Histograms of more cells than evenCells are in no near cache, so that those of fewer rows than
// evenRows are mostly cleared and subtracted.
const (
	evenCells = 1 << 18
	evenRows  = 1 << 12
)

// even gives each block a step at least, and reports whether all may have kernel.EvenStep: if this
// needs few more cells, or if there are so many rows that clearing and subtracting cells does not
// count.
func (l *layout) even(rows int) bool {
	need := uint32(0)
	for i := range l.blocks {
		b := &l.blocks[i]
		b.Step = max(b.Step, cacheLine)
		need += b.Step
	}
	cells := kernel.ColumnsPerBlock * len(l.blocks) * kernel.EvenStep
	return cells <= 5*int(need) && (cells <= evenCells || rows >= evenRows) || cells <= rows/128
}

// groupStride returns the cells from a group of some codes to the next.
func groupStride(codes int) int { return ((codes+cacheLine-1)/cacheLine | 1) * cacheLine }

// listedLayout is the listed columns of a matrix, numbered in the order of their places.
type listedLayout struct {
	number []int32  // of each group of the matrix; -1: it is not listed
	column []uint32 // number by line of places
	at     []int32  // first place
	bins   []int32  // places
	away   []int32  // rows that are not in the most frequent bin
	places float64  // mean number of places that a row lists
}

func layListed(m *bins.Matrix) listedLayout {
	l := listedLayout{number: make([]int32, len(m.Groups)),
		column: make([]uint32, m.Places/bins.PlaceLine)}
	for i := range m.Groups {
		g := &m.Groups[i]
		if l.number[i] = -1; !g.Listed {
			continue
		}
		k := len(l.at)
		l.number[i] = int32(k)
		n := 0
		for j := range m.Blocks {
			n += len(m.Blocks[j].Codes[i].List.Rows)
		}
		l.at, l.bins = append(l.at, int32(g.At)), append(l.bins, int32(g.Codes))
		l.away = append(l.away, int32(n))
		for line := g.At / bins.PlaceLine; bins.PlaceLine*line < g.At+g.Codes; line++ {
			l.column[line] = uint32(k)
		}
		l.places += float64(n) / float64(max(1, m.Len()))
	}
	return l
}
