package stack

import (
	"math"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/loss/link"
)

// product is what a logarithmic pool is learned from: centred logarithms of probabilities, as
// committee.Product adds them up.
type product struct {
	members, classes int
	x                []float64 // row after row, member after member, a number for each class
	class            []uint32  // by row
	weight           []float64 // by row
	l2, towards      float64   // l2 x the sum of (w - towards)^2 is added to the loss
}

// at returns the loss with some weights: the sum over rows of -weight x log of the probability of
// the row's class, and the penalty. If s is not nil, it gets the quadratic form that the loss is
// near the weights, as square.solve takes it: the Hessian H and H w - gradient.
func (p *product) at(w []float64, s *square) float64 {
	loss := 0.0
	probabilities := make([]float64, p.classes)
	mean := make([]float64, p.members)
	slope := make([]float64, p.members)
	if s != nil {
		clear(s.xx)
	}
	stride := p.members * p.classes
	for i, own := range p.class {
		x := p.x[i*stride : (i+1)*stride]
		clear(probabilities)
		for m := range p.members {
			for k, v := range x[m*p.classes : (m+1)*p.classes] {
				probabilities[k] += float64(w[m] * v)
			}
		}
		link.Softmax().Apply(probabilities)
		loss -= float64(p.weight[i] * kernel.Log(max(probabilities[own],
			math.SmallestNonzeroFloat64)))
		if s == nil {
			continue
		}
		for m := range mean {
			mean[m] = 0
			for k, v := range x[m*p.classes : (m+1)*p.classes] {
				mean[m] += float64(probabilities[k] * v)
			}
			slope[m] += float64(p.weight[i] * (mean[m] - x[m*p.classes+int(own)]))
		}
		p.bend(s, x, probabilities, mean, p.weight[i])
	}
	for m, v := range w {
		off := v - p.towards
		loss += float64(p.l2 * float64(off*off))
		slope[m] += float64(2 * float64(p.l2*off))
		if s != nil {
			s.xx[m*p.members+m] += float64(2 * p.l2)
		}
	}
	if s != nil {
		for a := range w {
			s.xy[a] = -slope[a]
			for b := range w {
				s.xy[a] += float64(s.xx[a*p.members+b] * w[b])
			}
		}
	}
	return loss
}

// bend adds a row's second derivatives: the covariances of the members' predictions, by the class
// probabilities.
func (p *product) bend(s *square, x, probabilities, mean []float64, weight float64) {
	for a := range p.members {
		for b := range a + 1 {
			sum := 0.0
			for k, probability := range probabilities {
				sum += float64(float64(probability*(x[a*p.classes+k]-mean[a])) * (x[b*p.classes+k] - mean[b]))
			}
			sum = float64(weight * sum)
			s.xx[a*p.members+b] += sum
			if a != b {
				s.xx[b*p.members+a] += sum
			}
		}
	}
}

// solve returns the weights, none of them negative, of the least loss, by Newton's method: each
// step goes to where the quadratic form is least among weights that are not negative, or a fraction
// of the way. The loss is convex.
func (p *product) solve() []float64 {
	w := make([]float64, p.members)
	for m := range w {
		w[m] = p.towards
	}
	s := newSquare(p.members)
	try := make([]float64, p.members)
	for range newtonSteps {
		loss := p.at(w, s)
		step := s.solve(0)
		for m := range step {
			step[m] -= w[m]
		}
		if !downhill(try, w, step, loss, func() float64 { return p.at(try, nil) }) {
			break
		}
		change, greatest := 0.0, 0.0
		for m := range w {
			change, greatest = max(change, math.Abs(try[m]-w[m])), max(greatest, try[m])
		}
		copy(w, try)
		if change <= short*greatest {
			break
		}
	}
	return w
}
