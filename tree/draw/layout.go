package draw

// box is a rectangle in whole pixels.
type box struct{ x, y, w, h int }

// shape is the input of a layout: parent and level of the nodes, by position in preorder. Parents
// come before children, and first children before last ones.
type shape struct {
	parent []int // -1 for the root
	level  []int
}

// spacing is the distance between boxes, in pixels.
type spacing struct {
	sibling int // between neighbours with one parent
	cousin  int // between neighbours with different parents
	level   int // between levels
}

// span is what a subtree covers on one level, in the direction across the levels.
type span struct{ low, high int }

// contour is the outline of a subtree, the deepest level first, so that a parent is appended. All
// spans are moved by shift.
//
//	   [ root ]        spans[2]
//	[a  ]   [ b  ]     spans[1] from the low end of a to the high end of b
//	  [c][d]           spans[0]
type contour struct {
	shift int
	spans []span
}

// tidy places boxes level by level (Reingold and Tilford, "Tidier Drawings of Trees", 1981).
// Subtrees stand as close as their outlines allow, and a parent in the middle of its children.
// Levels go down, or to the right if sideways; only the sizes of the boxes are read. Time is linear
// in the number of boxes: joining two outlines costs the depth of the shallower. It returns the
// size of the whole.
func tidy(boxes []box, s shape, gap spacing, sideways bool) (w, h int) {
	across := make([]int, len(boxes)) // sizes across the levels
	for i, b := range boxes {
		if across[i] = b.w; sideways {
			across[i] = b.h
		}
	}
	place, breadth := s.places(across, gap)
	start, length := s.levelStarts(boxes, gap, sideways)
	for i := range boxes {
		if sideways {
			boxes[i].x, boxes[i].y = start[s.level[i]], place[i]
		} else {
			boxes[i].x, boxes[i].y = place[i], start[s.level[i]]
		}
	}
	if sideways {
		return length, breadth
	}
	return breadth, length
}

// places returns the low end of every box across the levels, from 0, and the breadth of all.
func (s shape) places(size []int, gap spacing) (place []int, breadth int) {
	place = make([]int, len(size)) // first relative to the parent, then absolute
	kids := make([][]int, len(size))
	for i := len(size) - 1; i > 0; i-- {
		kids[s.parent[i]] = append(kids[s.parent[i]], i) // last child first
	}
	outline := make([]contour, len(size))
	for i := len(size) - 1; i >= 0; i-- {
		middle := 0
		if k := kids[i]; len(k) > 0 {
			first, last := k[len(k)-1], k[0]
			all := outline[first]
			for j := len(k) - 2; j >= 0; j-- {
				c := k[j]
				place[c] = all.distance(outline[c], gap)
				all = all.join(outline[c], place[c])
				outline[c] = contour{}
			}
			outline[i] = all
			middle = (size[first]/2+place[last]+size[last]/2)/2 - size[i]/2
			for _, c := range k {
				place[c] -= middle
			}
			outline[i].shift -= middle
		}
		outline[i].spans = append(outline[i].spans,
			span{-outline[i].shift, size[i] - outline[i].shift})
	}
	low, high := outline[0].extent()
	place[0] = -low
	for i := 1; i < len(place); i++ {
		place[i] += place[s.parent[i]]
	}
	return place, high - low
}

// distance returns how far d must be moved to stand beyond c on every level that both have.
func (c contour) distance(d contour, gap spacing) int {
	far, between := 0, gap.sibling
	for i := 1; i <= min(len(c.spans), len(d.spans)); i++ {
		a, b := c.spans[len(c.spans)-i], d.spans[len(d.spans)-i]
		need := a.high + c.shift + between - (b.low + d.shift)
		if i == 1 {
			far = need
		}
		far, between = max(far, need), gap.cousin
	}
	return far
}

// join returns the outline of c and, beyond it, d moved by far. It reuses the spans of the deeper.
func (c contour) join(d contour, far int) contour {
	d.shift += far
	for i := 1; i <= min(len(c.spans), len(d.spans)); i++ {
		a, b := &c.spans[len(c.spans)-i], &d.spans[len(d.spans)-i]
		if len(c.spans) >= len(d.spans) {
			a.high = b.high + d.shift - c.shift
		} else {
			b.low = a.low + c.shift - d.shift
		}
	}
	if len(c.spans) >= len(d.spans) {
		return c
	}
	return d
}

func (c contour) extent() (low, high int) {
	low, high = c.spans[0].low, c.spans[0].high
	for _, s := range c.spans {
		low, high = min(low, s.low), max(high, s.high)
	}
	return low + c.shift, high + c.shift
}

// levelStarts returns where each level starts and where the last one ends.
func (s shape) levelStarts(boxes []box, gap spacing, sideways bool) (start []int, end int) {
	var thick []int
	for i, b := range boxes {
		if s.level[i] == len(thick) {
			thick = append(thick, 0)
		}
		size := b.h
		if sideways {
			size = b.w
		}
		thick[s.level[i]] = max(thick[s.level[i]], size)
	}
	for _, t := range thick {
		start = append(start, end)
		end += t + gap.level
	}
	return start, end - gap.level
}
