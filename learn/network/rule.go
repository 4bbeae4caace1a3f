package network

import "math"

// rule is how weights follow their gradient.
type rule interface {
	// step changes the weights; grad is the slope of the loss.
	step(weights, grad []float64)
}

// newRule returns a rule by name, for n weights.
func newRule(l *Learner, n int) rule {
	switch l.Optimizer {
	case OptimizerMomentum:
		return &inertia{rate: l.LearningRate, keep: l.Momentum, velocity: make([]float64, n)}
	case OptimizerAdam:
		return &moments{rate: l.LearningRate, mean: make([]float64, n), square: make([]float64, n),
			left1: 1, left2: 1}
	}
	return &inertia{rate: l.LearningRate, velocity: make([]float64, n)}
}

// inertia is gradient descent with momentum (Polyak 1964), without if keep is 0:
//
//	v = keep v - rate grad,   w = w + v
type inertia struct {
	rate, keep float64
	velocity   []float64
}

func (r *inertia) step(weights, grad []float64) {
	for i, g := range grad {
		r.velocity[i] = float64(r.keep*r.velocity[i]) - float64(r.rate*g)
		weights[i] += r.velocity[i]
	}
}

// moments is Adam (Kingma & Ba 2015): the mean gradient over the root of the mean squared one, both
// means of what was lately. With decays b1 and b2 and step t,
//
//	m = b1 m + (1 - b1) grad,   v = b2 v + (1 - b2) grad^2
//	w = w - rate sqrt(1 - b2^t) / (1 - b1^t) m / (sqrt(v) + 1e-8)
type moments struct {
	rate         float64
	mean, square []float64
	left1, left2 float64 // b1^t and b2^t
}

// The decays, and what keeps the quotient finite.
const (
	decay1  = 0.9
	decay2  = 0.999
	epsilon = 1e-8
)

func (r *moments) step(weights, grad []float64) {
	r.left1, r.left2 = float64(r.left1*decay1), float64(r.left2*decay2)
	rate := r.rate * math.Sqrt(1-r.left2) / (1 - r.left1)
	for i, g := range grad {
		r.mean[i] = float64(decay1*r.mean[i]) + float64((1-decay1)*g)
		r.square[i] = float64(decay2*r.square[i]) + float64((1-decay2)*float64(g*g))
		weights[i] -= float64(rate*r.mean[i]) / (math.Sqrt(r.square[i]) + epsilon)
	}
}
