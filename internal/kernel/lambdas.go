package kernel

import "math"

// LambdaRows is the number of rows of LambdaSums.
const LambdaRows = 4

// LambdaSums is some rows of a query, the sums of their derivatives, and those of all slopes
// without their signs. Rows of weight 0 add nothing.
type LambdaSums struct{ G, H, Slopes, Gain, Odds, Place, Score, Weight [LambdaRows]float64 }

// Lambdas is what all pairs of a query have in common. Near is above 0.
type Lambdas struct{ Most, Factor, Near float64 }

// Add adds, to the derivatives of each row of r, those of its pairs with other rows, one after the
// other. Of a pair the row of greater gain should have the higher score. With the odds e^x of both,
// p is those of the lower row, divided by both odds, and q those of the higher one:
//
//	count = min(|gain - gain|, Most) * |place - place| * Factor / (Near + |score - score|)
//	slope = Weight * count * p      subtracted from G of the higher row, added to that of the lower
//	bend  = slope * q               added to H of both
//
// gain, odds, place and score are of the other rows and equally long. All numbers are finite, odds
// are above 0.
func (l *Lambdas) Add(r *LambdaSums, gain, odds, place, score []float64) {
	if n := len(gain); n > 0 {
		l.add(r, gain, odds[:n], place[:n], score[:n])
	}
}

// AddBoth is Add, and adds what each pair gives the other row to g and h, which are of the other
// rows, too: in the order of the rows of r. So each pair is computed once.
func (l *Lambdas) AddBoth(r *LambdaSums, gain, odds, place, score, g, h []float64) {
	if n := len(gain); n > 0 {
		l.addBoth(r, gain, odds[:n], place[:n], score[:n], g[:n], h[:n])
	}
}

// addPlain is the twin of the assembly.
func (l *Lambdas) addPlain(r *LambdaSums, gain, odds, place, score []float64) {
	for i, other := range gain {
		for j := range r.G {
			slope, bend := l.pair(r, j, other, odds[i], place[i], score[i])
			r.G[j] -= slope
			r.H[j] += bend
			r.Slopes[j] += math.Abs(slope)
		}
	}
}

// addBothPlain is the twin of the assembly.
func (l *Lambdas) addBothPlain(r *LambdaSums, gain, odds, place, score, g, h []float64) {
	for i, other := range gain {
		for j := range r.G {
			slope, bend := l.pair(r, j, other, odds[i], place[i], score[i])
			r.G[j] -= slope
			r.H[j] += bend
			r.Slopes[j] += math.Abs(slope)
			g[i] += slope
			h[i] += bend
		}
	}
}

// pair returns what a pair of row j and another adds: the slope is above 0 where row j should have
// the higher score.
func (l *Lambdas) pair(r *LambdaSums, j int, gain, odds, place, score float64) (
	slope, bend float64) {
	d := r.Gain[j] - gain
	if d == 0 {
		return 0, 0
	}
	count := min(math.Abs(d), l.Most) * math.Abs(r.Place[j]-place) * l.Factor / (l.Near + math.Abs(r.Score[j]-score))
	sum := r.Odds[j] + odds
	own, others := r.Odds[j]/sum, odds/sum
	if d > 0 {
		slope = float64(r.Weight[j] * count * others)
		return slope, float64(slope * own)
	}
	slope = float64(r.Weight[j] * count * own)
	return -slope, float64(slope * others)
}
