package link

import "github.com/coppice-ml/coppice/internal/kernel"

// Exp maps each score x by itself to e^x: counts, amounts and rates. It maps -Inf to 0, +Inf to
// +Inf and NaN to NaN.
type Exp struct{}

// Name returns "exp".
func (Exp) Name() string { return "exp" }

// Apply maps each element of v.
func (Exp) Apply(v []float64) { kernel.Exps(v, v) }

// Describe returns a kind of its own, which rises.
func (Exp) Describe() Description { return Description{Kind: Exp{}, Factor: 1, Monotone: 1} }
