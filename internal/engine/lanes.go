package engine

import (
	"math"

	"github.com/coppice-ml/coppice/internal/kernel"
)

// lanes is a segment in the form that one row needs: kernel.LaneTrees trees at once.
type lanes struct {
	coder *kernel.RowCoder   // of the columns' own codes
	nodes []kernel.LaneNodes // of all groups of trees
	at    []int32            // by group: its first element of nodes; one more at the end
	// nodes once more, with the copies of codes, for rows with missing values; nil if no column has
	// a copy
	copies []kernel.LaneNodes
}

// lanesOf returns the form of a segment, whose trees are levels or not, for one row; nil if it has
// too many columns.
func lanesOf(s *segment, levels bool) *lanes {
	if s.slots > kernel.MaxLaneCodes {
		return nil
	}
	l := &lanes{coder: kernel.NewRowCoder(), at: []int32{0}}
	own := make([]uint8, s.slots)
	for k := range s.columns {
		in := &s.columns[k]
		l.coder.Add(&in.coder, in.position, in.last)
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

// laneScratch is the memory in which one row is scanned.
type laneScratch struct {
	codes [kernel.MaxLaneCodes]int8
	leaf  [kernel.LaneTrees]uint8
}

// code computes the codes of a row. It returns the nodes to scan, and how many codes they test.
func (c *laneScratch) code(s *segment, values []float64) (nodes []kernel.LaneNodes, codes int) {
	l := s.lanes
	if !l.coder.Codes(c.codes[:], values) || l.copies == nil {
		return l.nodes, len(s.columns)
	}
	for k := range s.columns {
		if in := &s.columns[k]; in.copy >= 0 {
			c.codes[in.copy] = c.codes[k]
			if math.IsNaN(values[in.position]) {
				c.codes[in.copy] = in.coder.Missing(false)
			}
		}
	}
	return l.copies, s.slots
}

// scanLanes takes a row through a group of trees.
func (l *layout) scanLanes(c *laneScratch, nodes []kernel.LaneNodes, codes int) {
	if l.levels {
		kernel.ScanLaneLevels(&c.leaf, nodes, &c.codes, codes)
		return
	}
	kernel.ScanLanes(&c.leaf, nodes, &c.codes, codes)
}

// rawByLanes is Raw of an ensemble whose segments have lanes.
func (l *layout) rawByLanes(p *Program, dst, values []float64) {
	c := l.scratch.Get().(*laneScratch)
	p.begin(dst)
	for i := range l.segments {
		s := &l.segments[i]
		nodes, codes := c.code(s, values)
		for g, lo := 0, 0; lo < len(s.trees); g, lo = g+1, lo+kernel.LaneTrees {
			l.scanLanes(c, nodes[s.lanes.at[g]:s.lanes.at[g+1]], codes)
			hi := min(lo+kernel.LaneTrees, len(s.trees))
			if l.sums {
				s.sum(dst, lo, hi, &c.leaf)
				continue
			}
			for t := lo; t < hi; t++ {
				tree := s.trees[t]
				p.plans[tree].finish(dst, s.numbers[t][c.leaf[t-lo]], p.scale[tree],
					row{values, p.place})
			}
		}
	}
	p.end(dst)
	l.scratch.Put(c)
}

// sum adds the values of the leaves that a row reaches in the trees from lo to hi to its outputs.
func (s *segment) sum(dst []float64, lo, hi int, leaf *[kernel.LaneTrees]uint8) {
	for t := lo; t < hi; {
		output, from := s.output[t], t
		for t++; t < hi && s.output[t] == output; {
			t++
		}
		dst[output] = kernel.SumRow(dst[output], leaf[from-lo:t-lo], s.value, s.valueAt[from:t])
	}
}

// leavesByLanes is Leaves of such an ensemble.
func (l *layout) leavesByLanes(dst, values []float64) {
	c := l.scratch.Get().(*laneScratch)
	for i := range l.segments {
		s := &l.segments[i]
		nodes, codes := c.code(s, values)
		for g, lo := 0, 0; lo < len(s.trees); g, lo = g+1, lo+kernel.LaneTrees {
			l.scanLanes(c, nodes[s.lanes.at[g]:s.lanes.at[g+1]], codes)
			for t := lo; t < min(lo+kernel.LaneTrees, len(s.trees)); t++ {
				dst[s.trees[t]] = float64(s.numbers[t][c.leaf[t-lo]])
			}
		}
	}
	l.scratch.Put(c)
}
