// Package link owns the functions from raw scores to responses. A loss has a link; it does not inherit one.
package link

// Link maps the raw outputs of one row to its response, in place.
type Link interface {
	Name() string
	// Apply overwrites v, the raw outputs of one row, by the response, of the same length.
	Apply(v []float64)
}
