package rounds

// Metrics of few queries jump from round to round, and differ between folds by more than hundreds
// of rounds gain. The best round of all is chance then. So a ranking takes the middle of the rounds
// that cannot be told from the best one:
//
//	mean metric, averaged over neighbours
//	       . - * - - .            *  best
//	     /             \          |  less than two standard errors below it, over the folds
//	   |       ^         |        ^  middle of these rounds: the choice
//	 /                     \
//
// On 200 queries of LightGBM's example the standard deviation of the logarithm of the rounds, over
// five seeds, is thus 0.31 in place of 0.53, without a loss of NDCG.
const (
	// Rounds before and behind one that its metric is averaged with, as a fraction of the rounds
	// that early stopping waits for.
	smoothedFraction = 0.3
	// Early stopping waits for so many times as many rounds as elsewhere.
	rankedPatience = 2
	// Standard errors below the best round that are no difference.
	alike = 2
)

// smoothed returns how many rounds before and behind one its metric is averaged with.
func (s *Search) smoothed() int { return int(smoothedFraction * float64(s.Patience)) }

// around returns the mean of values over the neighbours of a round, counted from 1.
func (s *Search) around(values []float64, round int) float64 {
	w := s.smoothed()
	mean, _ := meanOf(values[max(0, round-1-w):min(len(values), round+w)])
	return mean
}

// enterRanked considers the last round of some whose neighbours are all there.
func (s *Search) enterRanked(n int) {
	w := s.smoothed()
	switch {
	case n > w+1:
		s.consider(n-w, s.around(s.Means, n-w))
	case n == w+1:
		s.Best = 0
		s.consider(1, s.around(s.Means, 1))
	case n == 1:
		s.Best, s.Value = 1, s.Means[0] // until its neighbours are there
	}
}

// settleRanked chooses the middle of the rounds that are as good as the best one, for the curves of
// the folds.
func (s *Search) settleRanked(of [][]float64) {
	n := len(s.Means)
	s.Best = 0
	for round := 1; round <= n; round++ { // the last ones have fewer neighbours
		s.consider(round, s.around(s.Means, round))
	}
	sign := 1.0
	if s.Higher {
		sign = -1
	}
	var curves [][]float64
	for _, c := range of {
		curves = append(curves, filled(c, n))
	}
	var near []int
	losses := make([]float64, len(curves))
	for round := 1; round <= n; round++ {
		for i, c := range curves {
			losses[i] = sign * (s.around(c, round) - s.around(c, s.Best))
		}
		if mean, standardError := meanOf(losses); mean <= float64(alike*standardError) {
			near = append(near, round)
		}
	}
	if len(near) > 0 {
		s.Best = near[(len(near)-1)/2]
		s.Value = s.around(s.Means, s.Best)
	}
}

// filled returns n values: those of a curve, and its last one for the rounds behind them, in which
// nothing was split.
func filled(curve []float64, n int) []float64 {
	values := make([]float64, n)
	copy(values, curve)
	for i := max(1, len(curve)); i < n; i++ {
		values[i] = values[i-1]
	}
	return values
}
