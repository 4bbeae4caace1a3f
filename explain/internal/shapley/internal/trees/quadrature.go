package trees

import (
	"math"
	"sync"
)

// rule holds the points and weights of Gauss's quadrature on the interval from 0 to 1. With n
// points it is exact for polynomials up to degree 2n-1.
type rule struct{ point, weight []float64 }

var rules struct {
	sync.Mutex
	made []rule // by number of points
}

// ruleFor returns a rule that integrates products of up to n factors exactly.
func ruleFor(n int) rule {
	points := max(1, (n+2)/2)
	rules.Lock()
	defer rules.Unlock()
	for len(rules.made) <= points {
		rules.made = append(rules.made, gauss(len(rules.made), rules.made))
	}
	return rules.made[points]
}

// gauss returns the rule of n points. These are the roots of Legendre's polynomial P_n. Between two
// roots of P_(n-1), or the ends, there is one root of P_n. Newton's steps find it, and a step that
// leaves the interval becomes half of it. The bits are the same on every architecture.
func gauss(n int, before []rule) rule {
	r := rule{make([]float64, n), make([]float64, n)}
	for i := range n {
		low, high := -1.0, 1.0
		if i > 0 {
			low = float64(2*before[n-1].point[i-1]) - 1
		}
		if i < n-1 {
			high = float64(2*before[n-1].point[i]) - 1
		}
		rising, _ := legendre(n, high)
		x := low + float64((high-low)/2)
		for step, left := high-low, 60; left > 0 && math.Abs(step) > 1e-15; left-- {
			p, slope := legendre(n, x)
			if (p > 0) == (rising > 0) {
				high = x
			} else {
				low = x
			}
			if step = p / slope; x-step < low || x-step > high {
				step = x - low - float64((high-low)/2)
			}
			x -= step
		}
		_, slope := legendre(n, x)
		r.point[i] = (1 + x) / 2
		r.weight[i] = 1 / float64((1-float64(x*x))*float64(slope*slope))
	}
	return r
}

// legendre returns the value of Legendre's polynomial P_n at x, and its derivative for |x| < 1.
func legendre(n int, x float64) (p, slope float64) {
	before, p := 0.0, 1.0
	for k := 1; k <= n; k++ {
		rise := float64(float64(2*k-1) * x)
		before, p = p, (float64(rise*p)-float64(float64(k-1)*before))/float64(k)
	}
	return p, float64(float64(n)*(float64(x*p)-before)) / (float64(x*x) - 1)
}
