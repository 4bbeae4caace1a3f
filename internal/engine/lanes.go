package engine

import (
	"github.com/coppice-ml/coppice/internal/kernel"
)

// lanes is a segment in the form that one row needs: kernel.LaneTrees trees at once.
type lanes struct {
	levels bool               // trees are oblivious
	nodes  []kernel.LaneNodes // of all groups of trees
	at     []int32            // by group: its first element of nodes; one more at the end
	// the codes of a row that nodes and copies test
	own, slots int
	// nodes once more, with the copies of codes, for rows with missing values; nil if no column has
	// a copy
	copies []kernel.LaneNodes
}

// lanesOf returns the form of a segment, whose trees are levels or not, for one row.
func lanesOf(s *segment, levels bool) *lanes {
	l := &lanes{levels: levels, at: []int32{0}, own: len(s.columns), slots: s.slots}
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
			longest = max(longest, group[t+1]-from)
		}
		first := len(l.nodes)
		l.nodes = append(l.nodes, make([]kernel.LaneNodes, longest)...)
		if levels {
			l.fillWithoutColumn(first)
		}
		for t, from := range group[:len(group)-1] {
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

// fillWithoutColumn makes levels without a column of all nodes from one on.
func (l *lanes) fillWithoutColumn(from int) {
	for i := from; i < len(l.nodes); i++ {
		for t := range kernel.LaneTrees {
			l.nodes[i].Column[t], l.nodes[i].Above[t] = kernel.NoColumn, 1
		}
	}
}

func (l *lanes) cost() int { return 9 * len(l.nodes) / 4 }

func (l *lanes) scan(c *rowScratch, lo int) {
	nodes, group := l.nodes, lo/kernel.LaneTrees
	codes := l.own
	if c.missing && l.copies != nil {
		nodes, codes = l.copies, l.slots
	}
	scan := kernel.ScanLanes
	if l.levels {
		scan = kernel.ScanLaneLevels
	}
	scan(&c.leaf, nodes[l.at[group]:l.at[group+1]], (*[kernel.MaxLaneCodes]int8)(c.codes[:]), codes)
}
