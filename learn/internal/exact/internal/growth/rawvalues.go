package growth

import (
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/tree"
)

// RawValues are the numbers of a prepared table by position in a tree's rows.
type RawValues struct {
	Num  []data.Column // by column, by frame row; empty of categories
	Rows []int32       // by position: the frame row
}

// Value returns a numeric column's value of a row.
func (r *RawValues) Value(column int32, pos uint32) float64 {
	return r.Num[column].Number(int(r.Rows[pos]))
}

// Project returns what a split along a direction compares with its split point: the sum that
// tree.Tree.Project makes.
func (r *RawValues) Project(kind tree.Kind, terms []tree.Term, pos uint32) float64 {
	sum := 0.0
	for _, t := range terms {
		x := r.Value(t.Feature, pos)
		if kind == tree.Sphere {
			x -= t.Coef
			sum += float64(x * x)
		} else {
			sum += float64(x * t.Coef)
		}
	}
	return sum
}

// Branch returns the child that a split along a direction sends a row to, -1 if it has no value
// there.
func (r *RawValues) Branch(b *Split, pos uint32) int {
	x := r.Project(b.Kind, b.Terms, pos)
	switch {
	case math.IsNaN(x):
		return -1
	case x <= b.SplitPoint:
		return 0
	}
	return 1
}
