package metric

import "github.com/coppice-ml/coppice/internal/kernel"

// leastFraction bounds probabilities away from 0 and 1, so that one sure and wrong prediction costs
// 36.04 and not infinity. It is the distance from 1 to the next float64, as in scikit-learn since
// 1.2.
const leastFraction = 0x1p-52

type logLoss struct{ mean }

// newLogLoss is the weighted mean of -log p with p the probability that was predicted for the true
// class (natural logarithm). Probabilities are first bounded to [2^-52, 1 - 2^-52] and then divided
// by their sum over the classes. So the least log loss, of probabilities that are all 1 and right,
// is about 2.2e-16 times the number of other classes.
func newLogLoss(*common) sum { return &logLoss{} }

func (m *logLoss) add(s *Sample) {
	for i, c := range s.Class {
		probabilities := s.Pred[i*s.Width : (i+1)*s.Width]
		sum := 0.0
		for _, p := range probabilities {
			sum += bounded(p)
		}
		m.mean.add(-kernel.Log(bounded(probabilities[c])/sum), s.weight(i))
	}
}

func (m *logLoss) value() (float64, error) { return m.mean.value("logloss") }

func bounded(fraction float64) float64 { return min(max(fraction, leastFraction), 1-leastFraction) }
