package criterion

// gini is the Gini index: with class weights w_k and W = sum of w_k,
//
//	I = W sum_k p_k (1 - p_k) = W - sum_k w_k^2 / W
type gini struct{ classes int }

func newGini(classes int) Criterion { return gini{classes} }

func (g gini) Impurity(dst, stats []float64) {
	k := g.classes
	if k == 2 {
		for i := range dst {
			a, b := stats[2*i], stats[2*i+1]
			if w := a + b; w > 0 {
				dst[i] = 2 * a * b / w
			} else {
				dst[i] = 0
			}
		}
		return
	}
	for i := range dst {
		w, squares := 0.0, 0.0
		for _, c := range stats[i*k : (i+1)*k] {
			w += c
			squares += float64(c * c)
		}
		if w > 0 {
			dst[i] = w - squares/w
		} else {
			dst[i] = 0
		}
	}
}
