package kernel

import "math"

// LambdaRows is the number of rows of LambdaSums.
const LambdaRows = 4

// LambdaSums is some rows of a query, and the sums of their derivatives.
type LambdaSums struct{ G, H, Gain, Odds, Place [LambdaRows]float64 }

// Lambdas is what all pairs of a query have in common.
type Lambdas struct{ Most, Factor, Weight float64 }

// Add adds, to the derivatives of each row of r, those of its pairs with other rows, one after the
// other. Of a pair the row of greater gain should have the higher score. With the odds e^x of both,
// p is those of the lower row, divided by both odds, and q those of the higher one:
//
//	count = min(|gain - gain|, Most) * |place - place| * Factor
//	slope = Weight * count * p      subtracted from G of the higher row, added to that of the lower
//	bend  = slope * q               added to H of both
//
// gain, odds and place are of the other rows and equally long. All numbers are finite, odds are
// above 0.
func (l *Lambdas) Add(r *LambdaSums, gain, odds, place []float64) {
	if len(gain) > 0 {
		l.add(r, gain, odds[:len(gain)], place[:len(gain)])
	}
}

// addPlain is the twin of the assembly.
func (l *Lambdas) addPlain(r *LambdaSums, gain, odds, place []float64) {
	for i, other := range gain {
		for j := range r.G {
			d := r.Gain[j] - other
			if d == 0 {
				continue
			}
			count := min(math.Abs(d), l.Most) * math.Abs(r.Place[j]-place[i]) * l.Factor
			sum := r.Odds[j] + odds[i]
			own, others := r.Odds[j]/sum, odds[i]/sum
			if d > 0 {
				slope := float64(l.Weight * count * others)
				r.G[j] -= slope
				r.H[j] += float64(slope * own)
			} else {
				slope := float64(l.Weight * count * own)
				r.G[j] += slope
				r.H[j] += float64(slope * others)
			}
		}
	}
}
