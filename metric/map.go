package metric

import "fmt"

// MAP returns the mean precision of the first k places of each group, its mean over groups. Each
// relevant row there, which is one of a grade above 0, adds the fraction of relevant rows up to its
// place. The sum is divided by the number of relevant rows or by k, whichever is less. Of rows of
// equal predictions those that are not relevant come first.
func MAP(k int) func(s *Sample) (float64, error) { return newMAP(k).of }

func newMAP(k int) *groupMetric {
	return &groupMetric{name: fmt.Sprintf("map@%d", k), worst: true,
		group: func(l *list) float64 {
			hits, sum := 0, 0.0
			for i, y := range l.grade {
				if y <= 0 {
					continue
				}
				if hits++; i < k {
					sum += float64(hits) / float64(i+1)
				}
			}
			return sum / float64(min(hits, k))
		}}
}
