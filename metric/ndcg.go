package metric

import (
	"fmt"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/internal/kernel"
)

// NDCG returns the metric of the first k places of each group (Jarvelin & Kekalainen 2002): the sum
// of (2^grade - 1) / log2(1 + place) over that of the best order, its mean over groups. Rows of
// equal predictions get the mean of the values of their places (McSherry & Najork 2008), as in
// scikit-learn. It is undefined where grades are below 0 or above 1000.
func NDCG(k int) func(s *Sample) (float64, error) {
	name := fmt.Sprintf("ndcg@%d", k)
	return func(s *Sample) (float64, error) {
		for _, y := range s.Y {
			if y < 0 || y > 1000 {
				return 0, &Undefined{name, "it needs grades from 0 to 1000"}
			}
		}
		return perGroup(s, name, false, func(l *list) float64 { return ndcg(l, k) })
	}
}

func ndcg(l *list, k int) float64 {
	gain := make([]float64, len(l.rows))
	for i, y := range l.grade {
		gain[i] = kernel.Exp2(y) - 1
	}
	sum := 0.0
	for from := 0; from < min(k, len(gain)); {
		to, gains, places := from, 0.0, 0.0
		for ; to < len(gain) && l.rows[to].score == l.rows[from].score; to++ {
			gains += gain[to]
			if to < k {
				places += discount(to)
			}
		}
		sum += float64(gains * (places / float64(to-from)))
		from = to
	}
	slices.Sort(gain)
	slices.Reverse(gain)
	best := 0.0
	for i, g := range gain[:min(k, len(gain))] {
		best += float64(g * discount(i))
	}
	return sum / best
}

// discount returns 1 / log2(2 + i).
func discount(i int) float64 { return math.Ln2 / kernel.Log(float64(i+2)) }
