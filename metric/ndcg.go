package metric

import (
	"fmt"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/internal/kernel"
)

// newNDCG is the metric of the first k places of each group (Jarvelin & Kekalainen 2002): the sum
// of (2^grade - 1) / log2(1 + place) over that of the best order, its mean over the groups that
// have a row of a grade above 0. Of rows of equal predictions it is the expected value over all
// their orders (McSherry & Najork 2008), as in scikit-learn. It is undefined where grades are below
// 0 or above 1000.
func newNDCG(k int) begin {
	return groupMetric{name: fmt.Sprintf("ndcg@%d", k), gains: true, group: newDiscounted(k).of}.begin
}

// commonGrades is the number of grades, the whole numbers from 0, whose gains are in a table.
const commonGrades = 32

// fewPlaces is the number of places up to which discounts are in a table, and the best gains are
// inserted one by one.
const fewPlaces = 32

// discounted computes the NDCG of the first k places of groups.
type discounted struct {
	k         int
	gains     [commonGrades]float64
	discounts [fewPlaces]float64
}

func newDiscounted(k int) *discounted {
	n := &discounted{k: k}
	for grade := range n.gains {
		n.gains[grade] = gain(float64(grade))
	}
	for place := range n.discounts {
		n.discounts[place] = discount(place)
	}
	return n
}

func gain(grade float64) float64 { return kernel.Exp2(grade) - 1 }

// of returns the NDCG of a group.
func (n *discounted) of(l *list) float64 {
	for i, y := range l.grade { // from here on gains
		if g := int(y); float64(g) == y && g < commonGrades {
			l.grade[i] = n.gains[g]
		} else {
			l.grade[i] = gain(y)
		}
	}
	sum, gain := 0.0, l.grade
	for from := 0; from < min(n.k, len(gain)); {
		to, gains, places := l.tie(from), 0.0, 0.0
		for i := from; i < to; i++ {
			gains += gain[i]
			if i < n.k {
				places += n.discount(i)
			}
		}
		sum += float64(gains * (places / float64(to-from)))
		from = to
	}
	l.findBest(n.k)
	best := 0.0
	for i, g := range l.best {
		best += float64(g * n.discount(i))
	}
	return sum / best
}

// findBest finds the k greatest gains.
func (l *list) findBest(k int) {
	if k > fewPlaces {
		l.best = append(l.best[:0], l.grade...)
		slices.Sort(l.best)
		slices.Reverse(l.best)
		l.best = l.best[:min(k, len(l.best))]
		return
	}
	l.best = l.best[:0]
	for _, g := range l.grade {
		i := len(l.best)
		if i < k {
			l.best = append(l.best, g)
		} else if i--; g <= l.best[i] {
			continue
		}
		for ; i > 0 && l.best[i-1] < g; i-- {
			l.best[i] = l.best[i-1]
		}
		l.best[i] = g
	}
}

// discount returns 1 / log2(2 + i).
func discount(i int) float64 { return math.Ln2 / kernel.Log(float64(i+2)) }

func (n *discounted) discount(i int) float64 {
	if i < fewPlaces {
		return n.discounts[i]
	}
	return discount(i)
}
