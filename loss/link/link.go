// Package link owns the functions from raw scores to responses. A loss has a link; it does not
// inherit one.
package link

// Link maps the raw outputs of one row to its response. Links have no state: two links of one name
// are the same.
type Link interface {
	// Name is the link's name in Table and in model files; it never changes its meaning.
	Name() string
	// Apply overwrites v, the raw outputs of one row, by the response, of the same length.
	Apply(v []float64)
}
