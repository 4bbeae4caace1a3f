package plot

import (
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/tree"
)

// vertex is a point of the plane, in units of the data.
type vertex struct{ x, y float64 }

// cell is a convex polygon of the plane whose points all end at one node.
type cell struct {
	corners []vertex // anticlockwise
	node    int32
}

// plane is the plane that a tree divides: two of its numeric columns, while the others have one
// value each.
type plane struct {
	t     *tree.Tree
	x, y  int32         // columns; y is -1 on a line
	fixed []data.Column // the table's columns with one row: the values of the others
}

// cells splits a rectangle into the cells in which the tree's prediction is constant. Their order
// is that of painting: below a Sphere node the cells inside cover those outside.
func (p *plane) cells(low, high vertex) []cell {
	c := &splitter{plane: p}
	c.divide(0, []vertex{low, {high.x, low.y}, high, {low.x, high.y}})
	return c.cells
}

type splitter struct {
	*plane
	cells []cell
}

// divide divides what reaches node n.
func (c *splitter) divide(n int32, region []vertex) {
	t := c.t
	if len(region) < 3 {
		return
	}
	first, last := t.Child(n), t.Child(n)+t.Arity(n)-1
	switch kind := t.Kind(n); {
	case kind == tree.Leaf:
		c.cells = append(c.cells, cell{region, n})
	case kind == tree.Numeric && c.moves(t.Feature(n)):
		c.halve(region, t.Feature(n), t.SplitPoint(n), first, last)
	case kind == tree.Oblique && c.directed(n):
		a, b, rest := c.direction(n)
		c.divide(first, clip(region, a, b, t.SplitPoint(n)-rest))
		c.divide(last, clip(region, -a, -b, rest-t.SplitPoint(n)))
	case kind == tree.Sphere && c.directed(n):
		c.divide(last, region)
		c.divide(first, c.ball(n, region))
	default:
		c.follow(n, region)
	}
}

// follow goes the way of the fixed values; where a missing one sends rows to several children, to
// the heaviest.
func (c *splitter) follow(n int32, region []vertex) {
	t := c.t
	next := c.known(n)
	if next < 0 && t.Surrogates != nil && c.surrogate(n, region) {
		return
	}
	if next < 0 {
		next = t.NextMissing(n)
	}
	switch {
	case next >= 0:
		c.divide(next, region)
	case t.Missing(n) == tree.MissingStop:
		c.cells = append(c.cells, cell{region, n})
	default:
		c.divide(t.Majority(n), region)
	}
}

// known returns the child that the fixed values lead to, -1 if one is missing.
func (c *splitter) known(n int32) int32 {
	t := c.t
	switch t.Kind(n) {
	case tree.Numeric:
		return t.NextNumeric(n, c.fixed[t.Feature(n)].Number(0))
	case tree.Oblique, tree.Sphere:
		return t.NextNumeric(n, t.Project(n, func(f int32) float64 { return c.fixed[f].Number(0) }))
	}
	return t.NextCode(n, c.fixed[t.Feature(n)].Code(0))
}

// surrogate divides by the first surrogate of node n that applies, and reports whether there is
// one.
func (c *splitter) surrogate(n int32, region []vertex) bool {
	s := c.t.Surrogates
	for i := s.At[n]; i < s.At[n+1]; i++ {
		first, last := c.t.Child(n), c.t.Child(n)+1
		if s.Flip[i] == 1 || s.Kind[i] == tree.SetLast {
			first, last = last, first
		}
		f := s.Feature[i]
		switch {
		case c.moves(f):
			c.halve(region, f, s.SplitPoint[i], first, last)
			return true
		case s.Kind[i] != tree.Numeric && tree.InSet(s.Set(i), c.fixed[f].Code(0)),
			s.Kind[i] == tree.Numeric && c.fixed[f].Number(0) <= s.SplitPoint[i]:
			c.divide(first, region)
			return true
		case s.Kind[i] == tree.Numeric && c.fixed[f].Number(0) > s.SplitPoint[i]:
			c.divide(last, region)
			return true
		}
	}
	return false
}

// halve sends what is at most limit in a column of the plane one way and the rest the other.
func (c *splitter) halve(region []vertex, feature int32, limit float64, first, last int32) {
	a, b := 1.0, 0.0
	if feature == c.y {
		a, b = b, a
	}
	c.divide(first, clip(region, a, b, limit))
	c.divide(last, clip(region, -a, -b, -limit))
}

func (c *splitter) moves(feature int32) bool { return feature == c.x || feature == c.y }

// directed reports whether a node splits by a column of the plane, and all its other columns have a
// fixed value.
func (c *splitter) directed(n int32) bool {
	d, found := c.t.Dirs, false
	for i := d.At[n]; i < d.At[n+1]; i++ {
		f := d.Feature[i]
		found = found || c.moves(f)
		if !c.moves(f) && math.IsNaN(c.fixed[f].Number(0)) {
			return false
		}
	}
	return found
}

// direction returns the coefficients of an Oblique node, and its sum over the fixed values.
func (c *splitter) direction(n int32) (a, b, rest float64) {
	d := c.t.Dirs
	for i := d.At[n]; i < d.At[n+1]; i++ {
		switch f := d.Feature[i]; f {
		case c.x:
			a = d.Coef[i]
		case c.y:
			b = d.Coef[i]
		default:
			rest += float64(d.Coef[i] * c.fixed[f].Number(0))
		}
	}
	return a, b, rest
}

// ball returns what of a cell is inside the ball of a Sphere node: a disc, drawn with many corners,
// or a strip where the node splits by one column of the plane.
func (c *splitter) ball(n int32, region []vertex) []vertex {
	d, left := c.t.Dirs, c.t.SplitPoint(n)
	var centre vertex
	hasX, hasY := false, false
	for i := d.At[n]; i < d.At[n+1]; i++ {
		switch f := d.Feature[i]; f {
		case c.x:
			centre.x, hasX = d.Coef[i], true
		case c.y:
			centre.y, hasY = d.Coef[i], true
		default:
			off := c.fixed[f].Number(0) - d.Coef[i]
			left -= float64(off * off)
		}
	}
	if left < 0 {
		return nil
	}
	r := math.Sqrt(left)
	for _, u := range circle() {
		if u.x != 0 && !hasX || u.y != 0 && !hasY {
			continue
		}
		limit := float64(u.x*centre.x) + float64(u.y*centre.y) + r
		region = clip(region, u.x, u.y, limit)
	}
	return region
}

// circle returns unit vectors all around: those of the axes, and between them points of the circle
// with rational coordinates (1-s^2, 2s)/(1+s^2), which need no sine.
func circle() []vertex {
	const steps = 12 // of a quarter
	var all []vertex
	for k := range steps {
		s := float64(k) / steps
		length := 1 + float64(s*s)
		u := vertex{(1 - float64(s*s)) / length, 2 * s / length}
		for range 4 {
			all = append(all, u)
			u = vertex{-u.y, u.x}
		}
	}
	return all
}

// clip returns the piece of a convex polygon where a x + b y <= limit (Sutherland & Hodgman 1974);
// nil if nothing of it has an area.
func clip(region []vertex, a, b, limit float64) []vertex {
	var out []vertex
	for i, v := range region {
		u := region[(i+len(region)-1)%len(region)]
		before, here := limit-dot2(a, b, u), limit-dot2(a, b, v)
		if before > 0 && here < 0 || before < 0 && here > 0 {
			s := before / (before - here)
			cross := vertex{u.x + float64(s*(v.x-u.x)), u.y + float64(s*(v.y-u.y))}
			out = append(out, cross)
		}
		if here >= 0 {
			out = append(out, v)
		}
	}
	if area(out) <= 0 {
		return nil
	}
	return out
}

func dot2(a, b float64, v vertex) float64 { return float64(a*v.x) + float64(b*v.y) }

// area returns twice the area of a polygon whose corners run anticlockwise.
func area(region []vertex) float64 {
	sum := 0.0
	for i, v := range region {
		u := region[(i+len(region)-1)%len(region)]
		sum += float64(u.x*v.y) - float64(v.x*u.y)
	}
	return sum
}
