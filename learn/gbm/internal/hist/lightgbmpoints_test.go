package hist

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// lightGBMPoint is what LightGBM splits the rows of a numeric column at, by its own order: from the
// right with missing values on the left, then from the left with them on the right, which must be
// better. Rows of bins are estimated by their hessians.
func (p *problem) lightGBMPoint() (bin int, missing bool, gain float64) {
	c := &p.m.Columns[0]
	n, values := float64(len(p.g)), c.Values
	var right, all [2]float64
	bins := make([][2]float64, c.Bins())
	for r, b := range p.codes[0] {
		bins[b][0] += p.g[r]
		bins[b][1] += p.h[r]
		all[0], all[1] = all[0]+p.g[r], all[1]+p.h[r]
	}
	rows := make([]float64, c.Bins()) // estimated
	for b := range rows {
		rows[b] = math.Floor(bins[b][1]*(n/all[1]) + 0.5)
	}
	score := func(of [2]float64) float64 { return float64(of[0]*of[0]) / (of[1] + p.c.L2) }
	bin, gain = -1, max(0, p.c.Gamma)
	try := func(at int, left [2]float64, count float64, side bool) {
		right := [2]float64{all[0] - left[0], all[1] - left[1]}
		least := max(1e-9, p.c.MinChildWeight)
		if few := float64(p.c.MinLeaf); left[1] < least || right[1] < least || count < few || n-count < few {
			return
		}
		if x := score(left) + score(right) - score(all); x > gain {
			bin, missing, gain = at, side, x
		}
	}
	count := 0.0
	for b := values - 1; b > 0; b-- {
		right[0], right[1], count = right[0]+bins[b][0], right[1]+bins[b][1], count+rows[b]
		try(b-1, [2]float64{all[0] - right[0], all[1] - right[1]}, n-count, c.Missing)
	}
	if !c.Missing {
		return bin, missing, gain
	}
	least := math.Inf(-1)
	if p.c.Least != nil {
		least = p.c.Least[0]
	}
	if least > 0 && (p.c.Monotone == nil || p.c.Monotone[0] == 0) { // the bin of zeros is empty, and stands below
		try(values-1, [2]float64{right[0] + bins[0][0], right[1] + bins[0][1]}, count+rows[0], false)
	}
	left := [2]float64{}
	if count = 0; least >= 0 { // what is estimated of the first bin is what the others leave
		count = n
		for _, k := range rows {
			count -= k
		}
	}
	for b := range values {
		left[0], left[1], count = left[0]+bins[b][0], left[1]+bins[b][1], count+rows[b]
		try(b, left, count, false)
	}
	return bin, missing, gain
}

// A column of numbers is split where LightGBM splits it, whatever the least of its numbers is.
func TestPointsOfLightGBM(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for range 8 {
			checkLightGBMPoint(t)
		}
	})
}

func checkLightGBMPoint(t *rapid.T) {
	n, values := rapid.IntRange(2, 40).Draw(t, "rows"), rapid.IntRange(1, 6).Draw(t, "values")
	size := rapid.SampledFrom([]int{1, 20}).Draw(t, "size of g") // small ones tie
	most := values - rapid.IntRange(0, 1).Draw(t, "none is missing")
	var codes []int
	p := problem{}
	for range n {
		codes = append(codes, rapid.IntRange(0, most).Draw(t, "code"))
		p.g = append(p.g, float64(rapid.IntRange(-size, size).Draw(t, "g")))
		p.h = append(p.h, float64(rapid.IntRange(1, 1+size/5).Draw(t, "h")))
	}
	p.m, p.codes = table([]int{values}, [][]int{codes}), [][]int{codes}
	p.c = Config{Shape: Shape{Leaves: 2}, Compatibility: Compatibility{Conventions: LightGBM}, Double: true,
		Regularization: Regularization{MinLeaf: rapid.IntRange(0, 4).Draw(t, "min_leaf"), L2: float64(rapid.IntRange(0, 1).Draw(t, "l2")),
			MinChildWeight: float64(rapid.IntRange(0, 5).Draw(t, "weight"))}}
	if rapid.Bool().Draw(t, "least") {
		p.c.Least = []float64{float64(rapid.IntRange(-1, 1).Draw(t, "least number"))}
	}
	bin, missing, gain := p.lightGBMPoint()
	if gain > 0 && gain < 1e-9 {
		return // rounding decides whether it is any
	}
	grown := p.grow(t)
	root := grown.nodes[0]
	if split := grown.inner(root); split && root.split.gain < 1e-9 {
		return // likewise
	} else if split != (bin >= 0) {
		t.Fatalf("split: %v, want bin %d for a gain of %v", split, bin, gain)
	} else if !split {
		return
	}
	got := root.split
	if !p.m.Columns[0].Missing {
		missing = got.missing
	}
	if math.Abs(got.gain-gain) > 1e-9*(1+gain) || got.bin != bin || got.missing != missing {
		t.Errorf("split at bin %d, missing %v, gain %v; want %d, %v, %v", got.bin, got.missing, got.gain, bin, missing, gain)
	}
}
