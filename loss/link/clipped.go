package link

// Clipped makes probabilities of the scores of one row that may be out of range. Such scores are
// those of a linear regression on the indicators of classes (Hastie, Tibshirani & Friedman, The
// Elements of Statistical Learning, section 4.2). Scores below 0 become 0, and all are divided by
// their sum. If none is above 0 the probabilities are equal; a NaN makes every probability NaN.
func Clipped() Link { return clipped{} }

type clipped struct{}

// Name returns "clipped".
func (clipped) Name() string { return "clipped" }

// Apply divides by the largest score first, so that no sum overflows, and adds from first to last.
func (clipped) Apply(v []float64) {
	top := 0.0
	for _, x := range v {
		top = max(top, x) // NaN if any is
	}
	if top == 0 {
		for i := range v {
			v[i] = 1 / float64(len(v))
		}
		return
	}
	sum := 0.0
	for i, x := range v {
		if x == top {
			v[i] = 1 // also where the ratio would be Inf / Inf
		} else {
			v[i] = max(0, x/top)
		}
		sum += v[i]
	}
	for i := range v {
		v[i] /= sum
	}
}

// Describe returns a kind of its own.
func (clipped) Describe() Description { return Description{Kind: clipped{}, Factor: 1} }
