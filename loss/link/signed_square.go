package link

import "math"

// SignedSquare maps each score x by itself to x |x|, its square with the sign of x. It undoes the
// signed square root of the label that LightGBM's `reg_sqrt` trains on.
type SignedSquare struct{}

// Name returns "signed_square".
func (SignedSquare) Name() string { return "signed_square" }

// Apply maps each element of v.
func (SignedSquare) Apply(v []float64) {
	for i, x := range v {
		v[i] = x * math.Abs(x)
	}
}

// Describe returns a kind of its own, which rises.
func (SignedSquare) Describe() Description {
	return Description{Kind: SignedSquare{}, Factor: 1, Monotone: 1}
}
