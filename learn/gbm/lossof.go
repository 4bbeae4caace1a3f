package gbm

import (
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/boosting"
	"github.com/coppice-ml/coppice/loss"
)

// Loss is the loss that is minimised.
type Loss = boosting.Loss

// lossOf returns the loss for a task, with its name.
func (l *Learner) lossOf(t *data.Target) (string, loss.Loss, error) {
	return l.Loss.For(Name, t, l.conventional)
}
