package loss

import (
	"cmp"
	"math"
	"slices"
)

// certain is the greatest distance of a start value from even odds. It replaces a best score at
// infinity, and the loss there is below 2^-51.
const certain = 36

// quantile returns the least value such that the rows up to it have at least a fraction level of
// the weight.
func (c *cases) quantile(y []float64, level float64) float64 {
	order := make([]int32, 0, len(y))
	for i := range y {
		if c.weightAt(i) > 0 {
			order = append(order, int32(i))
		}
	}
	slices.SortFunc(order,
		func(a, b int32) int { return cmp.Or(cmp.Compare(y[a], y[b]), cmp.Compare(a, b)) })
	total, sum := 0.0, 0.0
	for _, i := range order {
		total += c.weightAt(int(i))
	}
	want := level * total
	for _, i := range order {
		if sum += c.weightAt(int(i)); sum >= want {
			return y[i]
		}
	}
	return y[order[len(order)-1]]
}

// bounds returns the least and the greatest of the values that weigh anything.
func (c *cases) bounds(y []float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for i, v := range y {
		if c.weightAt(i) > 0 {
			low, high = min(low, v), max(high, v)
		}
	}
	return low, high
}

// flat returns the score at which the sum of first derivatives of a convex loss is 0, between the
// least and the greatest label.
func (c *cases) flat(f pointLoss, y []float64) float64 {
	low, high := c.bounds(y)
	return c.flatBetween(f, y, low, high, c.mean(y))
}

// flatBetween is flat between two scores, from one between them on.
func (c *cases) flatBetween(f pointLoss, y []float64, low, high, from float64) float64 {
	raw, g, h := make([]float64, len(y)), make([]float64, len(y)), make([]float64, len(y))
	return level(low, high, from, func(x float64) (slope, bend float64) {
		for i := range raw {
			raw[i] = x
		}
		f.derive(g, h, y, raw)
		c.weigh(g, h, 0)
		for i := range g {
			slope += g[i]
			bend += h[i]
		}
		return slope, bend
	})
}

// level returns where the slope of a convex function is 0, between low and high, from x on by
// Newton's method; a step that leaves the bracket or does not halve the slope makes way for
// bisection.
func level(low, high, x float64, sums func(x float64) (slope, bend float64)) float64 {
	last := math.Inf(1)
	for range 400 {
		slope, bend := sums(x)
		switch {
		case slope > 0:
			high = x
		case slope < 0:
			low = x
		default:
			return x
		}
		next := x - slope/bend
		if !(next > low && next < high) || !(math.Abs(slope) <= last/2) {
			next = low + float64((high-low)*0.5)
		}
		if next <= low || next >= high || next == x {
			return x
		}
		x, last = next, math.Abs(slope)
	}
	return x
}
