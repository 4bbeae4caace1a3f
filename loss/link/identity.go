package link

// Identity leaves raw scores as they are: regression, and trees whose leaves hold class
// probabilities.
type Identity struct{}

// Name returns "identity".
func (Identity) Name() string { return "identity" }

// Apply does nothing.
func (Identity) Apply([]float64) {}

// Describe returns a kind of its own, which rises.
func (Identity) Describe() Description {
	return Description{Kind: Identity{}, Factor: 1, Monotone: 1}
}
