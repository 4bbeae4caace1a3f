package link

import "math"

// SignedSquare maps each score x by itself to x |x|, its square with the sign of x. It undoes the
// signed square root of the label that LightGBM's `reg_sqrt` trains on.
func SignedSquare() Link { return signedSquare{} }

type signedSquare struct{}

// Name returns "signed_square".
func (signedSquare) Name() string { return "signed_square" }

// Apply maps each element of v.
func (signedSquare) Apply(v []float64) {
	for i, x := range v {
		v[i] = x * math.Abs(x)
	}
}

// Describe returns a kind of its own, which rises.
func (signedSquare) Describe() Description {
	return Description{Kind: signedSquare{}, Factor: 1, Monotone: 1}
}
