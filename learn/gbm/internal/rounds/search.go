package rounds

import (
	"context"
	"math"

	"github.com/coppice-ml/coppice/learn/internal/boosting"
)

// Stepper trains the folds of a search in step.
type Stepper interface {
	// Round trains a round of each fold, and returns the metric of each. It reports whether nothing
	// is left to be split in any of them, or what went wrong.
	Round(ctx context.Context) (values []float64, exhausted bool, err error)
	// Curves returns the metric of each fold by round.
	Curves() [][]float64
	// Observe is called after a round that is not the last one, with the mean. Its error ends the
	// search.
	Observe(ctx context.Context, round int, mean float64) error
}

// Search finds the round at which the mean metric of folds is best, which train in step:
//
//	round     1     2     3     4
//	fold 0  0.61  0.55  0.52  0.53
//	fold 1  0.63  0.58  0.56  0.56
//	mean    0.620 0.565 0.540 0.545    best: round 3
type Search struct {
	Higher   bool // greater values of the metric are better
	Ranking  bool // the metric is of few queries, see settleRanked
	Classes  bool // the label is a class
	Folds    int
	Patience int // rounds without improvement that end it

	Best  int     // the best round so far, from 1; 0: there is none
	Value float64 // the mean there
	Means []float64
}

// MostRounds is the largest number of rounds that a search or a training chooses: metrics that
// improve until then gain little more.
const MostRounds = 10_000

// Run trains rounds until the mean does not improve any more.
func (s *Search) Run(ctx context.Context, folds Stepper) error {
	if s.ended() {
		return nil
	}
	for n := len(s.Means) + 1; n <= MostRounds; n++ {
		values, exhausted, err := folds.Round(ctx)
		if err != nil {
			return err
		}
		mean := 0.0
		for _, v := range values {
			mean += v / float64(len(values))
		}
		s.Enter(mean)
		if s.ended() || exhausted {
			if s.Ranking {
				s.settleRanked(folds.Curves())
			}
			return nil
		}
		if err := folds.Observe(ctx, n, mean); err != nil {
			return err
		}
	}
	return nil
}

// foldPatience ends the folds where early stopping is off, which would not end them.
const foldPatience = 50

// Patience returns for how many rounds without improvement a search waits: early stopping, 0 = off,
// is that of a training at its own rate, and the folds learn at another.
func Patience(earlyStopping int, own, rate float64, ranking bool) int {
	if earlyStopping == 0 {
		earlyStopping = foldPatience
	}
	n := int(math.Ceil(float64(earlyStopping) * own / rate))
	if ranking {
		n *= rankedPatience
	}
	return n
}

// Enter notes the mean of a round.
func (s *Search) Enter(mean float64) {
	s.Means = append(s.Means, mean)
	n := len(s.Means)
	if s.Ranking {
		s.enterRanked(n)
		return
	}
	s.consider(n, mean)
}

// consider compares the value of a round with the best so far.
func (s *Search) consider(round int, value float64) {
	if s.Best == 0 || s.Higher && value > s.Value || !s.Higher && value < s.Value {
		s.Best, s.Value = round, value
	}
}

// ended reports whether the mean does not improve any more.
func (s *Search) ended() bool {
	return len(s.Means) > 0 && (len(s.Means)-s.Best >= s.Patience ||
		boosting.Flat(s.Means, s.Patience, boosting.FlatWindows, s.Classes) || s.risen())
}

// rises are by how much a mean has risen above the best one, after which part of the rounds that
// early stopping waits for, if it does not fall below it again. The mean of several folds is
// smooth: so it was in 60 choices on 25 tables, but for two tiny ones that lose less than 0.1 %.
var rises = [...]struct{ part, rise float64 }{{0.2, 0.005}, {0.3, 0.0025}}

// risen reports whether the mean has clearly risen since the best round. Metrics of which greater
// values are better, and those of rankings, have to wait for early stopping: they are rough.
func (s *Search) risen() bool {
	if s.Folds == 1 || s.Higher || s.Ranking {
		return false
	}
	n := len(s.Means)
	for _, r := range rises {
		if float64(n-s.Best) >= float64(r.part*float64(s.Patience)) &&
			s.Means[n-1]-s.Value > float64(r.rise*math.Abs(s.Value)) {
			return true
		}
	}
	return false
}
