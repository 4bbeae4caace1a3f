// Package link owns the functions from raw scores to responses. A loss has a link; it does not
// inherit one.
package link

// Link maps the raw outputs of one row to its response. Links have no state: two links of one name
// are the same, and equal as values. A link with a parameter has it in its name, such as
// "logistic(0.7)".
type Link interface {
	// Name is the link's name in model files, which ByName reads; it never changes its meaning.
	Name() string
	// Apply overwrites v, the raw outputs of one row, by the response, of the same length.
	Apply(v []float64)
	// Describe returns what the link is to those who write, bound, invert or explain it.
	Describe() Description
}

// Description is what a link is beside its values. Whoever treats links in different ways finds
// them by it, so that a link of a known kind needs nothing there.
type Description struct {
	// Kind is the link of the same function that has no factor and says nothing of what the
	// response is. Links are compared as values: l.Describe().Kind == Exp() holds for Hazard too,
	// whose responses end at the greatest number.
	Kind   Link
	Factor float64 // Kind maps the products of the scores and it; > 0, 1 in links without parameter
	// Monotone is 1 if each score makes its response alone, which never falls where the score
	// rises; -1 if it never rises; 0 if neither holds, or if other scores matter.
	Monotone int
	// Symmetric reports that responses are probabilities, and those of a score and its negative add
	// up to 1. Models of two classes with one score apply such a link to both signs, so that the
	// smaller probability keeps its digits.
	Symmetric bool
}

// OrIdentity returns a link, Identity for nil, which stands for it in models.
func OrIdentity(l Link) Link {
	if l == nil {
		return identity{}
	}
	return l
}

// Of returns what a link, nil too, is for a number of scores: of a single one, ascending order is
// the identity.
func Of(l Link, scores int) Link {
	if scores == 1 && l == Link(ascending{}) {
		return identity{}
	}
	return OrIdentity(l)
}

// IsIdentity reports whether a link, nil too, leaves scores as they are.
func IsIdentity(l Link) bool { return OrIdentity(l) == Link(identity{}) }
