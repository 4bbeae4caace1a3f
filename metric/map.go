package metric

import "fmt"

// newMAP is the mean precision of the first k places of each group, its mean over the groups that
// have a relevant row, which is one of a grade above 0. Each relevant row among the first k adds
// the fraction of relevant rows up to its place. The sum is divided by the number of relevant rows
// or by k, whichever is less. Of rows of equal predictions it is the expected value over all their
// orders (McSherry & Najork 2008).
func newMAP(k int) begin {
	return groupMetric{name: fmt.Sprintf("map@%d", k), worst: true,
		group: func(l *list) float64 { return meanPrecision(l, k) }}.begin
}

// meanPrecision adds up, over the places of tied rows, the probability that a relevant row is there
// times the expected number of relevant rows up to it. Of n tied rows r are relevant. Given that
// the one at place j is, those before it are some of the other n-1, of which r-1 are relevant:
//
//	place        0 ... before-1 | before  before+1  ...  before+j  ... | the next score
//	relevant     hits           | r of n, in any order                 |
//	up to j, expected:   hits + 1 + j (r-1) / (n-1)
func meanPrecision(l *list, k int) float64 {
	hits, sum := 0, 0.0
	for from := 0; from < len(l.grade); {
		to := l.tie(from)
		relevant := l.relevant(from, to)
		n, r := float64(to-from), float64(relevant)
		for i := from; i < min(to, k) && relevant > 0; i++ {
			expected := float64(hits + 1)
			if i > from {
				expected += float64(i-from) * (r - 1) / (n - 1)
			}
			sum += float64(r/n*expected) / float64(i+1)
		}
		hits, from = hits+relevant, to
	}
	return sum / float64(min(hits, k))
}

// relevant returns the number of relevant rows at places from ... to-1.
func (l *list) relevant(from, to int) int {
	n := 0
	for _, grade := range l.grade[from:to] {
		if grade > 0 {
			n++
		}
	}
	return n
}
