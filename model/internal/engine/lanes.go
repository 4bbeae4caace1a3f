package engine

import (
	"slices"

	"github.com/coppice-ml/coppice/internal/kernel"
)

// lanes is a segment in the form that one row needs: kernel.LaneTrees trees at once.
type lanes struct {
	on     kernel.Machine
	levels bool               // trees are oblivious
	pairs  bool               // two groups of trees have as many nodes, for kernel.AddLanePairs
	nodes  []kernel.LaneNodes // of all groups of trees
	at     []int32            // by group: its first element of nodes; one more at the end
	// the codes of a row that nodes and copies test
	own, slots int
	// nodes once more, with the copies of codes, for rows with missing values; nil if no column has
	// a copy
	copies []kernel.LaneNodes
}

// hasSets reports whether a tree of a segment has sets.
func (s *segment) hasSets(t int) bool { return s.setAt[t] != s.setAt[t+1] }

// lanesOf returns the form of the trees without sets of a segment, which are levels or not. The
// trees of a group get as many nodes as its largest. What a tree lacks stands behind its nodes,
// where First and Last of zero are equal and nothing changes. The leaf of a tree of levels is a
// number of bits, one for each, so there it stands before them, as levels whose bit is 0 for any
// row.
func lanesOf(s *segment, levels bool, on kernel.Machine) *lanes {
	l := &lanes{levels: levels, pairs: on.Permutes && !levels, at: []int32{0}, on: on,
		own: len(s.columns), slots: s.slots}
	own := make([]uint8, s.slots)
	for k := range s.columns {
		in := &s.columns[k]
		if own[k] = uint8(k); in.copy >= 0 {
			own[in.copy] = uint8(k)
		}
	}
	for lo := 0; lo < len(s.trees); lo += kernel.LaneTrees {
		group := s.at[lo:min(lo+kernel.LaneTrees+1, len(s.at))]
		longest := int32(0)
		for t, from := range group[:len(group)-1] {
			if !s.hasSets(lo + t) {
				longest = max(longest, group[t+1]-from)
			}
		}
		first := len(l.nodes)
		l.nodes = append(l.nodes, make([]kernel.LaneNodes, longest)...)
		if levels {
			l.fillWithoutColumn(first)
		}
		for t, from := range group[:len(group)-1] {
			if s.hasSets(lo + t) {
				continue
			}
			nodes, skip := s.nodes[from:group[t+1]], 0
			if levels {
				skip = int(longest) - len(nodes)
			}
			for i, n := range nodes {
				to := &l.nodes[first+skip+i]
				to.Column[t] = uint8(n.At / kernel.ScanRows)
				to.Above[t], to.First[t], to.Last[t] = n.Above, n.First, n.Last
			}
		}
		l.at = append(l.at, int32(len(l.nodes)))
		if n := len(l.at); l.pairs && n%2 == 1 {
			l.pad(int(l.at[n-3]), int(l.at[n-2]))
		}
	}
	if s.slots == len(s.columns) {
		return l
	}
	l.copies = l.nodes
	l.nodes = append([]kernel.LaneNodes(nil), l.nodes...)
	for i := range l.nodes {
		for t, k := range l.nodes[i].Column {
			if k != kernel.NoColumn {
				l.nodes[i].Column[t] = own[k]
			}
		}
	}
	return l
}

// pad makes the last two groups of trees, whose beginnings are given, as long as each other.
func (l *lanes) pad(first, last int) {
	missing := 2*last - first - len(l.nodes)
	if missing > 0 {
		l.nodes = append(l.nodes, make([]kernel.LaneNodes, missing)...)
	} else {
		l.nodes = slices.Insert(l.nodes, last, make([]kernel.LaneNodes, -missing)...)
		l.at[len(l.at)-2] += int32(-missing)
	}
	l.at[len(l.at)-1] = int32(len(l.nodes))
}

// fillWithoutColumn makes levels without a column of all nodes from one on.
func (l *lanes) fillWithoutColumn(from int) {
	for i := from; i < len(l.nodes); i++ {
		for t := range kernel.LaneTrees {
			l.nodes[i].Column[t], l.nodes[i].Above[t] = kernel.NoColumn, 1
		}
	}
}

func (l *lanes) cost() int { return 9 * len(l.nodes) / 4 }

// group returns the nodes of the group of trees that begins with a tree, and the number of codes
// that they test, for rows that have missing values or not.
func (l *lanes) group(lo int, missing bool) (nodes []kernel.LaneNodes, codes int) {
	nodes, codes = l.nodes, l.own
	if missing && l.copies != nil {
		nodes, codes = l.copies, l.slots
	}
	at := lo / kernel.LaneTrees
	return nodes[l.at[at]:l.at[at+1]], codes
}

func (l *lanes) scan(c *rowScratch, lo int) {
	nodes, codes := l.group(lo, c.missing)
	scan := kernel.ScanLanes
	if l.levels {
		scan = kernel.ScanLaneLevels
	}
	scan(&c.leaf, nodes, (*[kernel.MaxLaneCodes]int8)(c.codes[:]), codes)
}

// add adds the values of the leaves that a row reaches in all trees of a segment to its sum. These
// trees feed one output.
func (l *lanes) add(c *rowScratch, s *segment, sum float64) float64 {
	var leaf [2][kernel.LanePairs]uint8
	adding := kernel.LaneSum{Sum: sum, Leaf: &leaf[1], Value: s.value}
	row := (*[kernel.MaxLaneCodes]int8)(c.codes[:])
	next, spare := &leaf[0], &leaf[1]
	for lo, trees := 0, 0; lo < len(s.trees); lo += trees {
		nodes, codes := l.group(lo, c.missing)
		if trees = kernel.LaneTrees; l.pairs && len(nodes) > 0 && lo+trees < len(s.trees) {
			others, _ := l.group(lo+trees, c.missing)
			kernel.AddLanePairs(next, nodes, others, row, codes, &adding)
			trees = kernel.LanePairs
		} else {
			kernel.AddLanes((*[kernel.LaneTrees]uint8)(next[:]), nodes, row, codes, l.levels, &adding)
		}
		adding.Leaf, adding.At = next, s.valueAt[lo:min(lo+trees, len(s.trees))]
		next, spare = spare, next
	}
	adding.Add()
	return adding.Sum
}

// laneRow is the codes of a row in lanes.
type laneRow = [kernel.MaxLaneCodes]int8

func (l *lanes) rowsCost(rows int, copies bool) int {
	codes := l.own
	if copies {
		codes = l.slots
	}
	each := len(l.nodes)*l.on.LaneRowsCost(codes) + len(l.at)*kernel.LaneGroupCost
	return (rows + kernel.LaneRows - 1) / kernel.LaneRows * each
}

// begin copies the codes of a tile row by row, for whole groups of kernel.LaneRows rows.
func (l *lanes) begin(c *scanner, rows int, copies bool) {
	rows = (rows + kernel.LaneRows - 1) / kernel.LaneRows * kernel.LaneRows
	if cap(c.lanes) < rows {
		c.lanes = make([]laneRow, kernel.ScanRows)
	}
	c.lanes = c.lanes[:rows]
	slots := l.own
	if copies {
		slots = l.slots
	}
	for k := range slots {
		codes := c.codes[k*kernel.ScanRows:][:rows]
		for r, code := range codes {
			c.lanes[r][k] = code
		}
	}
}

func (l *lanes) scanRows(c *scanner, lo, _ int, missing bool) {
	nodes, codes := l.group(lo, missing)
	scan := kernel.ScanLaneRows
	if l.levels {
		scan = kernel.ScanLaneLevelRows
	}
	for r := 0; r < len(c.lanes); r += kernel.LaneRows {
		scan(c.leaf[r:], nodes, (*[kernel.LaneRows]laneRow)(c.lanes[r:]), codes)
	}
}
