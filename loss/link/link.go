// Package link owns the functions from raw scores to responses. A loss has a link; it does not
// inherit one.
package link

// Link maps the raw outputs of one row to its response. Links have no state: two links of one name
// are the same. A link with a parameter has it in its name, such as "logistic(0.7)".
type Link interface {
	// Name is the link's name in model files, which ByName reads; it never changes its meaning.
	Name() string
	// Apply overwrites v, the raw outputs of one row, by the response, of the same length.
	Apply(v []float64)
}

// Symmetric is a Link that maps each score by itself to a probability, and a score and its negative
// to probabilities that add up to 1. Models of two classes with one score apply such a link to both
// signs, so that the smaller probability keeps its digits.
type Symmetric interface {
	Link
	Symmetric()
}
