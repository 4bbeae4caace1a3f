package loss

import (
	"math"

	"github.com/coppice-ml/coppice/internal/kernel"
)

// The distributions of aft.

// normalTimes is the standard normal distribution: times are log-normal.
type normalTimes struct{}

const halfLog2Pi = 0.91893853320467274178

func (normalTimes) density(z float64) (v, d1, d2 float64) {
	return float64(z*z/2) + halfLog2Pi, z, 1
}

// above uses the hazard f / P(Z > z), which is the derivative.
func (d normalTimes) above(z float64) (v, d1, d2 float64) {
	f, _, _ := d.density(z)
	if z >= 0 {
		ratio := kernel.Mills(z)
		v, d1 = f-kernel.Log(ratio), 1/ratio
	} else {
		e := kernel.Exp(-f)
		tail := float64(e * kernel.Mills(-z)) // of what is below
		v, d1 = -kernel.Log1p(-tail), e/(1-tail)
	}
	if z > 1e4 { // d1 - z is 1/z but for what is lost in rounding
		return v, d1, 1 - 1/(z*z)
	}
	return v, d1, d1 * (d1 - z)
}

func (d normalTimes) below(z float64) (v, d1, d2 float64) { return mirrored(d.above(-z)) }

// mirrored makes of the derivatives by -z those by z.
func mirrored(v, d1, d2 float64) (float64, float64, float64) { return v, -d1, d2 }

// logisticTimes is the standard logistic distribution: times are log-logistic.
type logisticTimes struct{}

// probabilities returns P(Z < z), P(Z > z) and the minus logs of both, with all their digits.
func (logisticTimes) probabilities(z float64) (p, q, logP, logQ float64) {
	e := kernel.Exp(-math.Abs(z))
	p = 1 / (1 + e)
	q = e * p
	logP = kernel.Log1p(e)
	logQ = math.Abs(z) + logP
	if z < 0 {
		return q, p, logQ, logP
	}
	return p, q, logP, logQ
}

func (d logisticTimes) density(z float64) (v, d1, d2 float64) {
	p, q, logP, logQ := d.probabilities(z)
	return logP + logQ, p - q, float64(2 * p * q)
}

func (d logisticTimes) above(z float64) (v, d1, d2 float64) {
	p, q, _, logQ := d.probabilities(z)
	return logQ, p, float64(p * q)
}

func (d logisticTimes) below(z float64) (v, d1, d2 float64) { return mirrored(d.above(-z)) }

// extremeTimes is the distribution of the least of many, P(Z > z) = exp(-e^z): times are Weibull's.
type extremeTimes struct{}

func (extremeTimes) density(z float64) (v, d1, d2 float64) {
	w := kernel.Exp(z)
	return w - z, w - 1, w
}

func (extremeTimes) above(z float64) (v, d1, d2 float64) {
	w := kernel.Exp(z)
	return w, w, w
}

// below: with w = e^z it is minus the log of m = 1 - e^-w, whose derivative is -w e^-w / m.
func (extremeTimes) below(z float64) (v, d1, d2 float64) {
	w := kernel.Exp(z)
	if w < 1e-8 { // m is w (1 - w/2), the derivative -1 + w/2
		return float64(w/2) - z, float64(w/2) - 1, w / 2
	}
	if w > 800 {
		return 0, 0, 0
	}
	e := kernel.Exp(-w)
	m := -expm1(-w)
	slope := float64(w * e / m)
	return -kernel.Log(m), -slope, float64(slope * (float64(w/m) - 1))
}
