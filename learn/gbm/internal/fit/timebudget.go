package fit

import (
	"math"

	"github.com/coppice-ml/coppice/learn/gbm/internal/boost"
)

// Rows of the sample by which the order of time is measured, for trainings that choose their
// rounds. One that compares no candidates, or has a validation set, is shorter.
const (
	mostTimed      = 10_000
	fewestTimed    = 2000 // of which a table has no more than half
	mostTimedValid = 4000
)

const (
	// timedPart is how many rows a measurement has of those that all rounds of a training read,
	// level by level. Six trainings of 20 rounds and three levels on 0.7 of the rows read each row
	// 250 times. The work of each round and leaf is several times as much on so few rows.
	timedPart = 1.0 / 50_000
	// stoppedRounds is how many rounds early stopping is sure to train, for the budget.
	stoppedRounds = 50
)

// mostTimedRows returns the most rows that the order of time is measured by, so that it takes at
// most 5 % of the training on so many rows. valid reports whether there is a validation set.
func mostTimedRows(c *boost.Config, rows int, valid bool) int {
	most := mostTimed
	if valid {
		most = mostTimedValid
	}
	switch trees := c.Trees; {
	case trees > 0:
		if valid && c.EarlyStopping > 0 {
			trees = min(trees, stoppedRounds)
		}
		levels := math.Log2(float64(min(max(c.Engine.Leaves, 2), 256)))
		return min(most, int(float64(rows)*float64(trees)*levels*timedPart))
	case !c.User.Left().Rehearsal && valid:
		return min(most, rows/20)
	case !c.User.Left().Rehearsal:
		return min(most, rows/10)
	}
	return min(most, max(fewestTimed, rows/2))
}
