package kernel

import "math"

// LambdaRows is the number of rows of LambdaSums.
const LambdaRows = 4

// LambdaSums is some rows of a query, and the sums of their derivatives. Rows of weight 0 add
// nothing.
type LambdaSums struct{ G, H, Gain, Odds, Place, Weight [LambdaRows]float64 }

// Lambdas is what all pairs of a query have in common.
type Lambdas struct{ Most, Factor float64 }

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

// AddBoth is Add, and adds what each pair gives the other row to g and h, which are of the other
// rows, too: in the order of the rows of r. So each pair is computed once.
func (l *Lambdas) AddBoth(r *LambdaSums, gain, odds, place, g, h []float64) {
	if n := len(gain); n > 0 {
		l.addBoth(r, gain, odds[:n], place[:n], g[:n], h[:n])
	}
}

// addPlain is the twin of the assembly.
func (l *Lambdas) addPlain(r *LambdaSums, gain, odds, place []float64) {
	for i, other := range gain {
		for j := range r.G {
			slope, bend := l.pair(r, j, other, odds[i], place[i])
			r.G[j] -= slope
			r.H[j] += bend
		}
	}
}

// addBothPlain is the twin of the assembly.
func (l *Lambdas) addBothPlain(r *LambdaSums, gain, odds, place, g, h []float64) {
	for i, other := range gain {
		for j := range r.G {
			slope, bend := l.pair(r, j, other, odds[i], place[i])
			r.G[j] -= slope
			r.H[j] += bend
			g[i] += slope
			h[i] += bend
		}
	}
}

// pair returns what a pair of row j and another adds: the slope is above 0 where row j should have
// the higher score.
func (l *Lambdas) pair(r *LambdaSums, j int, gain, odds, place float64) (slope, bend float64) {
	d := r.Gain[j] - gain
	if d == 0 {
		return 0, 0
	}
	count := min(math.Abs(d), l.Most) * math.Abs(r.Place[j]-place) * l.Factor
	sum := r.Odds[j] + odds
	own, others := r.Odds[j]/sum, odds/sum
	if d > 0 {
		slope = float64(r.Weight[j] * count * others)
		return slope, float64(slope * own)
	}
	slope = float64(r.Weight[j] * count * own)
	return -slope, float64(slope * others)
}
