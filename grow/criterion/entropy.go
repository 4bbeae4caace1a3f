package criterion

import "github.com/coppice-ml/coppice/internal/kernel"

// entropy is the Shannon entropy in bits: with class weights w_k and W = sum of w_k,
//
//	I = -W sum_k p_k log2 p_k = W log2 W - sum_k w_k log2 w_k
//
// It is computed as sum_k w_k log2(W / w_k): all terms are of one sign, so a nearly pure set loses no digits.
type entropy struct{ classes int }

func newEntropy(classes int) Criterion { return entropy{classes} }

func (e entropy) Impurity(dst, stats []float64) {
	k := e.classes
	for i := range dst {
		set := stats[i*k : (i+1)*k]
		w := 0.0
		for _, c := range set {
			w += c
		}
		sum := 0.0
		for _, c := range set {
			if c > 0 && c < w {
				sum += float64(c * kernel.Log2(w/c))
			}
		}
		dst[i] = sum
	}
}
