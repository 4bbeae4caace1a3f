package loss

import (
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/loss/link"
)

// crossEntropyLoss is the log loss of labels that are probabilities y: log(1 + e^x) - y x. The
// start value is the log odds of their mean, at most 36 away from 0.
type crossEntropyLoss struct{ fixed }

// Bind takes numbers from 0 to 1.
func (l *crossEntropyLoss) Bind(t *data.Target, rows []int32) (Objective, error) {
	return bindNumbers(l, logistic{}, t, rows,
		domain{"cross_entropy", "from 0 to 1", func(y float64) bool { return y >= 0 && y <= 1 }},
		link.Logistic())
}
