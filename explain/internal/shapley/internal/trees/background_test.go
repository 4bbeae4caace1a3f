package trees

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/tree"
	"github.com/coppice-ml/coppice/tree/treetest"
)

// wide are the fields with two derived columns: one of field b, one of fields a and d.
var wide = append(fields[:len(fields):len(fields)], data.Field{Name: "of b"},
	data.Field{Name: "of a, d"})

// derive completes a row of fields.
func derive(row []float64) []float64 {
	return append(row[:len(fields):len(fields)], square(row[1]), joint([]float64{row[0], row[3]}))
}

func square(x float64) float64 { return x*x - 3 }

func joint(from []float64) float64 {
	if from[0] > 0 {
		return from[1]
	}
	return from[0] - from[1]
}

// value of a tree for a row, by the tree's own walk.
func predicted(t *tree.Tree, row []float64, dst []float64) {
	columns := make([]data.Column, len(row))
	for i, x := range row {
		columns[i] = data.Numbers([]float64{x})
		if wide[i].Kind == data.Categorical {
			columns[i] = data.Codes([]uint32{data.CodeOf(x)})
		}
	}
	t.Over(columns).Visit(0, func(n int32, fraction float64, end bool) {
		if !end {
			return
		}
		if t.Leaf.Kind == tree.Scalar {
			dst[0] += fraction * t.Estimate(n, func(f int32) float64 { return row[f] })
			return
		}
		for k, v := range t.Value(n) {
			dst[k] += fraction * v
		}
	})
}

// backgroundCase is a tree with its background and rows to explain.
type backgroundCase struct {
	*tree.Tree
	source     Source
	background [][]float64
	rows       [][]float64
	want       [][]float64 // by row the cells of the definition
}

// drawRows draws rows of the fields.
func drawRows(t *rapid.T, most int) [][]float64 {
	rows := make([][]float64, rapid.IntRange(1, most).Draw(t, "rows"))
	for r := range rows {
		rows[r] = make([]float64, len(fields))
		for c := range fields {
			rows[r][c] = value(t, &fields[c])
		}
	}
	return rows
}

// blockOf returns a block of rows.
func blockOf(rows [][]float64, cells, scores int) *Block {
	b := NewBlock(BlockRows, len(wide), cells, scores)
	b.Rows = len(rows)
	for r, row := range rows {
		for c, x := range derive(row) {
			b.X[c*b.Stride+r] = x
		}
	}
	return b
}

// newCase draws a case. With any, trees have nodes of all kinds.
func newCase(t *rapid.T, index Index, any bool) *backgroundCase {
	width := rapid.IntRange(1, 2).Draw(t, "width")
	c := &backgroundCase{background: drawRows(t, 5), rows: drawRows(t, 3)}
	if any {
		shape := treetest.Shape{Fields: wide, Kind: tree.Scalar, Width: width, Splits: 7,
			Number: rapid.Float64Range(-10, 10)}
		if width > 1 {
			shape.Kind = tree.Vector
		}
		c.Tree = treetest.Tree(shape).Draw(t, "tree")
	} else {
		c.Tree = random(t, wide[:len(wide)-1], width)
	}
	place := []int32{0, 1, 2, 3, 4, 5, 6, 7}
	c.source = Source{Tree: c.Tree, Weight: 0.5, Output: -1, Place: place, Index: index,
		Background: &Background{Blocks: []*Block{blockOf(c.background, 0, 0)}},
		Player:     []int32{0, 1, 2, 3, 4, 5, 1, -1},
		Derived:    make([]*Derived, len(wide))}
	c.source.Derived[7] = &Derived{Sources: []int32{0, 3}, Value: joint}
	return c
}

// define computes the index of all rows by its definition.
func (c *backgroundCase) define() {
	width := c.Leaf.Width
	for _, row := range c.rows {
		want := byDefinition(c.source.Index, len(fields), width, func(set uint, dst []float64) {
			for _, other := range c.background {
				hybrid := append([]float64(nil), other...)
				for j := range hybrid {
					if set>>j&1 != 0 {
						hybrid[j] = row[j]
					}
				}
				predicted(c.Tree, derive(hybrid), dst)
			}
			for k := range dst {
				dst[k] *= c.source.Weight / float64(len(c.background))
			}
		})
		c.want = append(c.want, want)
	}
}

// check compares a way to compute the index with the definition.
func (c *backgroundCase) check(t *rapid.T, name string, w way) {
	if c.want == nil {
		c.define()
	}
	b := blockOf(c.rows, c.source.Index.CellsOf(len(fields)), c.Leaf.Width)
	w.add(b)
	for r, want := range c.want {
		size := 1.0
		for _, w := range want {
			size += math.Abs(w)
		}
		for i, w := range want {
			if got := b.Phi[i*b.Stride+r]; math.Abs(got-w) > 1e-12*size {
				t.Fatalf("%s: row %d, cell %d is %v, want %v", name, r, i, got, w)
			}
		}
	}
}

// Every way to compute an index with a background gives the numbers of the definition, for
// random trees and some rows of each.
func TestBackground(t *testing.T) {
	for name, index := range map[string]Index{"singles": Singles, "pairs": Pairs} {
		t.Run(name, func(t *testing.T) {
			checkMany(t, func(t *rapid.T) {
				c := newCase(t, index, false)
				g, err := newGames(&c.source, nil)
				if err != nil {
					t.Fatal(err)
				}
				c.check(t, "tables", newTabled(g, index.bits()))
				c.check(t, "small tables", newTabled(g, 3))
				few := *g
				few.limit, few.bits = 2, 2
				c.check(t, "tables and sets", newPrepared(&few))
				c.check(t, "row by row", newSingly(g))
				c.check(t, "sets", newSets(g, nil))
				h := newHybrids(&c.source)
				c.check(t, "hybrids", h)
				h.most = 1
				c.check(t, "hybrids of many sources", h)
			})
		})
	}
}

// Random trees of all kinds are explained by hybrids.
func TestHybrids(t *testing.T) {
	for name, index := range map[string]Index{"singles": Singles, "pairs": Pairs} {
		t.Run(name, func(t *testing.T) {
			checkMany(t, func(t *rapid.T) {
				c := newCase(t, index, true)
				h := newHybrids(&c.source)
				c.check(t, "hybrids", h)
				h.most = 1
				c.check(t, "hybrids of many sources", h)
			})
		})
	}
}
