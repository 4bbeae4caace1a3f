package treetest

import (
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/tree"
)

// box is a leaf of a growing tree, as the part of the columns' bins that it has.
type box struct {
	node  int32
	sides [][2]int // of each column, in bins
	size  float64
}

// Boosted returns trees of as many leaves, as boosting on bins grows them: on columns of numbers
// from 0 to 1, with up to 255 split points each. The leaf to be split next is the largest of some
// random ones, and is split near its middle.
func Boosted(trees, leaves, columns int) []*tree.Tree {
	r := rng.New(1)
	grown := make([]*tree.Tree, trees)
	for i := range grown {
		build := tree.NewBuilder(tree.Scalar, 1, false)
		open := []box{{0, make([][2]int, columns), 1}}
		for k := range open[0].sides {
			open[0].sides[k] = [2]int{0, 256}
		}
		for len(open) < leaves {
			at := 0
			for range 1 + len(open)/4 {
				if i := r.Intn(len(open)); open[i].size > open[at].size {
					at = i
				}
			}
			parent := open[at]
			k := r.Intn(columns)
			lo, hi := parent.sides[k][0], parent.sides[k][1]
			if hi-lo < 4 {
				continue
			}
			point := lo + 1 + (hi-lo-2)/4 + r.Intn((hi-lo)/2)
			first := build.Split(parent.node, tree.Split{Kind: tree.Numeric, Feature: int32(k),
				SplitPoint: float64(point) / 256, Missing: tree.Missing(r.Intn(2))})
			last := box{first + 1, append([][2]int(nil), parent.sides...),
				parent.size * float64(hi-point) / float64(hi-lo)}
			last.sides[k][0], parent.sides[k][1] = point, point
			parent.node, parent.size = first, parent.size-last.size
			open[at] = parent
			open = append(open, last)
		}
		for n := range int32(build.Len()) {
			build.SetValue(n, []float64{r.Float64() - 0.5})
		}
		t, err := build.Build()
		if err != nil {
			panic(err) // unreachable: what is built here is valid
		}
		grown[i] = t.Compact()
	}
	return grown
}
