package plot

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/tree"
	"github.com/coppice-ml/coppice/tree/treetest"
)

// holds reports whether a convex polygon with anticlockwise corners holds a point.
func holds(region []vertex, p vertex) bool {
	for i, v := range region {
		u := region[(i+len(region)-1)%len(region)]
		if (v.x-u.x)*(p.y-u.y)-(v.y-u.y)*(p.x-u.x) < 0 {
			return false
		}
	}
	return true
}

// TestCells: the cell that is painted last over a point is of the node where the tree sends the
// point.
func TestCells(t *testing.T) {
	met := map[tree.Kind]int{}
	rapid.Check(t, func(t *rapid.T) {
		fields := []data.Field{{Name: "x"}, {Name: "y"}, {Name: "z"},
			{Name: "c", Kind: data.Categorical, Levels: []string{"a", "b", "c"}}}
		tr := treetest.Tree(treetest.Shape{Fields: fields, Width: 1, Splits: 12}).Draw(t, "tree")
		fixed := []data.Column{data.Numbers([]float64{math.NaN()}), data.Numbers([]float64{math.NaN()}),
			data.Numbers([]float64{rapid.SampledFrom([]float64{math.NaN(), -2, 0.5, 1}).Draw(t, "z")}),
			data.Codes([]uint32{rapid.SampledFrom([]uint32{0, 1, 2, data.MissingCode}).Draw(t, "c")})}
		p := &plane{t: tr, x: 0, y: 1, fixed: fixed}
		if rapid.Bool().Draw(t, "swapped") {
			p.x, p.y = 1, 0
		}
		cells := p.cells(vertex{-5, -5}, vertex{5, 5})
		for range 20 {
			// No whole number and no half, so that no boundary goes through the point.
			at := vertex{rapid.Float64Range(-4.9, 4.9).Draw(t, "x") + 1e-7,
				rapid.Float64Range(-4.9, 4.9).Draw(t, "y") + 1.3e-7}
			row := append([]data.Column{}, fixed...)
			row[p.x], row[p.y] = data.Numbers([]float64{at.x}),
				data.Numbers([]float64{at.y})
			if close(tr, row) {
				continue
			}
			got := int32(-1)
			for _, c := range cells {
				if holds(c.corners, at) {
					got = c.node
				}
			}
			if want := tr.Over(row).LeafOf(0); got != want {
				t.Fatalf("%v is in a cell of node %d, the tree sends it to %d", at, got, want)
			}
		}
		for n := range int32(tr.Len()) {
			k := tr.Kind(n)
			met[k]++
		}
	})
	if testing.Short() {
		return // a fifth of the trees need not have all kinds
	}
	for _, k := range []tree.Kind{tree.Numeric, tree.SetFirst, tree.ByCode, tree.Oblique,
		tree.Sphere} {
		if met[k] == 0 {
			t.Errorf("no tree had a node of kind %d", k)
		}
	}
}

// close reports whether a point is so near a border that rounding, or the corners of a disc, may
// decide.
func close(t *tree.Tree, row []data.Column) bool {
	value := func(f int32) float64 { return row[f].Number(0) }
	for n := range int32(t.Len()) {
		k := t.Kind(n)
		x := math.NaN()
		switch k {
		case tree.Numeric:
			x = value(t.Feature(n))
		case tree.Oblique, tree.Sphere:
			x = t.Project(n, value)
		}
		if s := t.Surrogates; s != nil {
			for i := s.At[n]; i < s.At[n+1]; i++ {
				if s.Kind[i] == tree.Numeric &&
					math.Abs(value(s.Feature[i])-s.SplitPoint[i]) < 1e-9 {
					return true
				}
			}
		}
		if off := x - t.SplitPoint(n); math.Abs(off) < 1e-9 || k == tree.Sphere && off > 0 &&
			off < 0.2 {
			return true
		}
	}
	return false
}

// TestIntervals: on a line the intervals follow each other without gaps, and each is of the node of
// its points.
func TestIntervals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		fields := []data.Field{{Name: "x"}, {Name: "z"}}
		tr := treetest.Tree(treetest.Shape{Fields: fields, Width: 1, Splits: 12}).Draw(t, "tree")
		fixed := []data.Column{data.Numbers([]float64{math.NaN()}),
			data.Numbers([]float64{rapid.SampledFrom([]float64{math.NaN(), -2, 0.5, 1}).Draw(t, "z")})}
		p := &plane{t: tr, x: 0, y: -1, fixed: fixed}
		regions := p.intervals(-5, 5)
		if regions[0].from != -5 || regions[len(regions)-1].to != 5 {
			t.Fatalf("%+v does not reach from -5 to 5", regions)
		}
		for i, c := range regions {
			if i > 0 && (regions[i-1].to != c.from || regions[i-1].node == c.node) {
				t.Fatalf("%+v is followed by %+v", regions[i-1], c)
			}
			middle := []data.Column{data.Numbers([]float64{(c.from + c.to) / 2}), fixed[1]}
			if want := tr.Over(middle).LeafOf(0); want != c.node && !close(tr, middle) {
				t.Fatalf("%+v: the tree sends its middle to %d", c, want)
			}
		}
	})
}

func TestClip(t *testing.T) {
	square := []vertex{{0, 0}, {2, 0}, {2, 2}, {0, 2}}
	for _, c := range []struct {
		a, b, limit float64
		want        float64 // area, twice
	}{{1, 0, 1, 4}, {-1, 0, -1, 4}, {1, 1, 2, 4}, {1, 0, 3, 8}, {1, 0, -1, 0}, {1, 0, 0, 0},
		{1, 1, 1, 1}, {0, 1, 0.5, 2}} {
		if got := area(clip(square, c.a, c.b, c.limit)); got != c.want {
			t.Errorf("%gx + %gy <= %g leaves twice the area %g, want %g", c.a, c.b, c.limit,
				got, c.want)
		}
	}
	for _, u := range circle() {
		if length := u.x*u.x + u.y*u.y; math.Abs(length-1) > 1e-15 {
			t.Errorf("%v has length %g", u, math.Sqrt(length))
		}
	}
}
