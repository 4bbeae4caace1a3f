package link

// Identity leaves raw scores as they are: regression, and trees whose leaves hold class
// probabilities.
func Identity() Link { return identity{} }

type identity struct{}

// Name returns "identity".
func (identity) Name() string { return "identity" }

// Apply does nothing.
func (identity) Apply([]float64) {}

// Describe returns a kind of its own, which rises.
func (identity) Describe() Description {
	return Description{Kind: identity{}, Factor: 1, Monotone: 1}
}
