package criterion

// misclassification is the weight outside the largest class: with class weights w_k and W = sum of
// w_k,
//
//	I = W - max_k w_k
type misclassification struct{}

func newMisclassification(int) Criterion { return misclassification{} }

func (misclassification) Impurity(dst, stats, _ []float64) {
	k := width(dst, stats)
	for i := range dst {
		w, most := 0.0, 0.0
		for _, c := range stats[i*k : (i+1)*k] {
			w += c
			most = max(most, c)
		}
		dst[i] = w - most
	}
}
