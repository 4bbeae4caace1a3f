package fit

import (
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm/internal/boost"
	"github.com/coppice-ml/coppice/learn/gbm/internal/rounds"
)

// laterRates are the learning rates that follow the slow one in a final training:
//
//	round           0          300          700
//	learning rate   0.05       0.1          0.15
//
// They start at fixed rounds, so that a training beside the folds knows its rates before it knows
// its end.
type laterRates []boost.RateFrom

// rising is how the slow rate rises. Large steps cost most in the first rounds: with half of all
// steps at 0.1 the loss is 0.9 % higher if that is the first half, and 0.2 % if it is the second.
var rising = laterRates{{Round: 300, Rate: 0.1}, {Round: 700, Rate: 0.15}}

// rises reports whether the learning rate rises during a training on so many rows, which chose the
// slow one. What continues a model is not at its first rounds.
func (p *decision) rises(t *data.Target, job learn.Job, rows int) bool {
	return p.Config.User.Left().Rate && p.Config.LearningRate == SlowRate && job.Start == nil &&
		rounds.SmoothCurve(t.Task, rows)
}

// setLater gives the final training the rates that were chosen; those that were given stay.
func (p *decision) setLater(rates []boost.RateFrom) {
	if rates != nil {
		p.Config.Starts = rates
	}
}

// roundsFor returns the rounds of the final training for the best round of the folds. Where rates
// rise these learn as much, by the sum of their rates, as the product does at the slow one.
func (l laterRates) roundsFor(best int, factor float64) int {
	left := float64(best) * factor // in rounds of the slow rate
	from, times := 0, 1.0          // the first round of a rate, and that rate over the slow one
	for _, start := range l {
		steps := float64(float64(start.Round-from) * times)
		if steps >= left {
			break
		}
		left -= steps
		from, times = start.Round, start.Rate/SlowRate
	}
	return from + int(math.Round(left/times))
}

// within returns the rates that start before the end of a training; nil: none does.
func (l laterRates) within(rounds int) []boost.RateFrom {
	for i, start := range l {
		if start.Round >= rounds {
			l = l[:i]
			break
		}
	}
	if len(l) == 0 {
		return nil
	}
	return l
}
