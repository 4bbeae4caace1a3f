package link

import (
	"math"

	"github.com/coppice-ml/coppice/internal/kernel"
)

// ApproximateProbit maps each score p by itself to about the x below which a standard normal
// variable lies with probability p. It is what ONNX Runtime computes for the transform `PROBIT`:
// the square root of 2 times Winitzki's approximation of the inverse error function at 2 p - 1
// (Winitzki 2008, equation 7), which is wrong by up to 0.2 %. The constants are those of ONNX
// Runtime, which stores them as float32. It maps 0 to -Inf, 1 to +Inf and scores outside to NaN.
func ApproximateProbit() Link { return approximateProbit{} }

type approximateProbit struct{}

// Name returns "approximate_probit".
func (approximateProbit) Name() string { return "approximate_probit" }

// Apply maps each element of v.
func (approximateProbit) Apply(v []float64) {
	const (
		a     = float64(float32(0.147))
		pi    = float64(float32(3.14159))
		root2 = float64(float32(1.41421356))
	)
	for i, p := range v {
		y := float64(2*p) - 1
		log := kernel.Log(float64((1 - y) * (1 + y)))
		half := float64(0.5*log) + 2/(pi*a)
		square := math.Sqrt(float64(half*half)-log/a) - half
		v[i] = math.Copysign(root2*math.Sqrt(square), y)
	}
}

// Describe returns a kind of its own, which maps no score outside [0, 1].
func (approximateProbit) Describe() Description {
	return Description{Kind: approximateProbit{}, Factor: 1}
}
