package stack

import (
	"math"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/loss/link"
)

// solved is by which fraction of its length the residual of conjugate gradients may differ from 0.
const solved = 1e-10

// scale is a power and a bias for each class, learned together: probabilities p become those in
// proportion to p^power x exp(bias) (vector scaling with one power; Guo et al. 2017). Parameters
// stand in one slice:
//
//	power | bias of class 0, 1, ...
type scale struct {
	classes       int
	x             []float64 // row after row, class after class: centred logarithms of probabilities
	class         []uint32  // by row
	weight        []float64 // by row
	probabilities []float64 // what x becomes with the parameters that at was given last
	l2            float64   // of the power: l2 x (power - 1)^2 is added to the loss
	biasL2        float64   // of the biases: biasL2 x the sum of their squares is added
}

// at returns the loss with some parameters: the sum over rows of -weight x log of the probability
// of the row's class, and the penalties.
func (s *scale) at(v []float64) float64 {
	if s.probabilities == nil {
		s.probabilities = make([]float64, len(s.x))
	}
	power, bias := v[0], v[1:]
	loss := 0.0
	for i, own := range s.class {
		probabilities := s.probabilities[i*s.classes : (i+1)*s.classes]
		for k, x := range s.x[i*s.classes : (i+1)*s.classes] {
			probabilities[k] = float64(power*x) + bias[k]
		}
		link.Softmax().Apply(probabilities)
		loss -= float64(s.weight[i] * kernel.Log(max(probabilities[own],
			math.SmallestNonzeroFloat64)))
	}
	loss += float64(s.l2 * float64((power-1)*(power-1)))
	for _, b := range bias {
		loss += float64(s.biasL2 * float64(b*b))
	}
	return loss
}

// slope returns the gradient of the loss, and the diagonal of its second derivatives, at the
// parameters v that at was given last.
func (s *scale) slope(v []float64) (slope, diagonal []float64) {
	slope, diagonal = make([]float64, len(v)), make([]float64, len(v))
	slope[0], diagonal[0] = float64(2*float64(s.l2*(v[0]-1))), 2*s.l2
	for k, b := range v[1:] {
		slope[1+k], diagonal[1+k] = float64(2*float64(s.biasL2*b)), 2*s.biasL2
	}
	for i, own := range s.class {
		x, probabilities, w := s.x[i*s.classes:(i+1)*s.classes],
			s.probabilities[i*s.classes:(i+1)*s.classes], s.weight[i]
		mean, square := 0.0, 0.0
		for k, probability := range probabilities {
			sx := float64(probability * x[k])
			mean += sx
			square += float64(sx * x[k])
			slope[1+k] += float64(w * probability)
			diagonal[1+k] += float64(w * float64(probability*(1-probability)))
		}
		slope[1+own] -= w
		slope[0] += float64(w * (mean - x[own]))
		diagonal[0] += float64(w * (square - float64(mean*mean)))
	}
	return slope, diagonal
}

// bend returns the matrix of second derivatives times a direction, where at was last. The matrix
// itself would have as many rows as there are classes.
func (s *scale) bend(d []float64) []float64 {
	out := make([]float64, len(d))
	out[0] = float64(2 * float64(s.l2*d[0]))
	for k, b := range d[1:] {
		out[1+k] = float64(2 * float64(s.biasL2*b))
	}
	for i, w := range s.weight {
		x, probabilities := s.x[i*s.classes:(i+1)*s.classes],
			s.probabilities[i*s.classes:(i+1)*s.classes]
		mean := 0.0
		for k, probability := range probabilities {
			mean += float64(probability * (float64(d[0]*x[k]) + d[1+k]))
		}
		for k, probability := range probabilities {
			moved := float64(float64(w*probability) * (float64(d[0]*x[k]) + d[1+k] - mean))
			out[1+k] += moved
			out[0] += float64(moved * x[k])
		}
	}
	return out
}

// newton returns the step to where the quadratic form that the loss is near the parameters is
// least, by conjugate gradients divided by the diagonal. still keeps the power where it is.
func (s *scale) newton(slope, diagonal []float64, still bool) []float64 {
	step, rest := make([]float64, len(slope)), make([]float64, len(slope))
	for a, g := range slope {
		rest[a] = -g
	}
	if still {
		rest[0] = 0
	}
	direct := make([]float64, len(slope))
	before, enough := 0.0, 0.0
	for try := range 2*len(slope) + 20 {
		length := 0.0
		for a, r := range rest {
			length += float64(r * (r / diagonal[a]))
		}
		if try == 0 {
			enough = float64(length * float64(solved*solved))
		}
		if length <= enough {
			break
		}
		for a, r := range rest {
			turn := 0.0
			if try > 0 {
				turn = float64(length / before * direct[a])
			}
			direct[a] = r/diagonal[a] + turn
		}
		bent := s.bend(direct)
		if still {
			bent[0] = 0
		}
		along := 0.0
		for a, d := range direct {
			along += float64(d * bent[a])
		}
		if !(along > 0) {
			break
		}
		far := length / along
		for a, d := range direct {
			step[a] += float64(far * d)
			rest[a] -= float64(far * bent[a])
		}
		before = length
	}
	return step
}

// solve returns the power, at least 0, and the biases of the least loss, by Newton's method with
// halved steps. The loss is convex, and the penalties leave one place where it is least; there the
// biases add up to 0.
func (s *scale) solve() (power float64, bias []float64) {
	v := make([]float64, 1+s.classes)
	v[0] = 1
	try := make([]float64, len(v))
	for range newtonSteps {
		loss := s.at(v)
		slope, diagonal := s.slope(v)
		step := s.newton(slope, diagonal, v[0] == 0 && slope[0] >= 0)
		if !downhill(try, v, step, loss, func() float64 {
			try[0] = max(0, try[0])
			return s.at(try)
		}) {
			break
		}
		change := 0.0
		for a := range v {
			change = max(change, math.Abs(try[a]-v[a]))
		}
		copy(v, try)
		if change <= short*max(1, v[0]) {
			break
		}
	}
	return v[0], v[1:]
}
