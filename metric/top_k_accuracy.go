package metric

import "fmt"

// topK is the fraction of rows whose class is among the k of the greatest probabilities.
type topK struct {
	mean
	k int
}

// newTopK is the weighted fraction of rows whose class is one of the k with the greatest
// probabilities: scikit-learn's top_k_accuracy_score. Of equal probabilities the first class comes
// first, as in labels, where scikit-learn takes the last. Costs have no part in it.
func newTopK(k int) begin {
	return func(*common) sum { return &topK{k: k} }
}

func (m *topK) add(s *Sample) {
	for i, c := range s.Class {
		probabilities := s.Pred[i*s.Width : (i+1)*s.Width]
		before := 0
		for other, p := range probabilities {
			if own := probabilities[c]; p > own || p == own && other < int(c) {
				before++
			}
		}
		hit := 0.0
		if before < m.k {
			hit = 1
		}
		m.mean.add(hit, s.weight(i))
	}
}

func (m *topK) value() (float64, error) {
	return m.mean.value(fmt.Sprintf("top_k_accuracy@%d", m.k))
}
