package link

// OneVsAll maps each score to its logistic probability and divides by their sum, so that the
// fractions of a row add up to 1. Scores so low that all probabilities are 0 are mapped as Softmax
// does, which is the limit.
type OneVsAll struct{}

// Name returns "one_vs_all".
func (OneVsAll) Name() string { return "one_vs_all" }

// Apply adds the probabilities from first to last.
func (OneVsAll) Apply(v []float64) {
	top := 0.0
	for i, x := range v {
		if i == 0 || !(x <= top) {
			top = x
		}
	}
	if top < -700 {
		Softmax{}.Apply(v)
		return
	}
	Logistic{}.Apply(v)
	sum := 0.0
	for _, p := range v {
		sum += p
	}
	for i := range v {
		v[i] /= sum
	}
}

// Describe returns a kind of its own.
func (OneVsAll) Describe() Description { return Description{Kind: OneVsAll{}, Factor: 1} }
