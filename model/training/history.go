package training

import (
	"github.com/coppice-ml/coppice/internal/figure"
	"github.com/coppice-ml/coppice/model"
)

// History is how a model developed over boosting rounds, or over the members of an ensemble.
type History struct {
	Missing string         // why there is nothing to show; "" = there is
	Figure  *figure.Figure // for a picture, and for a terminal
	// Tables list some points of the curves, for a terminal.
	Tables []model.Table
	// Curves are the metrics over rounds or members that training evaluated, by set and metric.
	Curves  []LearningCurve
	Content any // to be encoded as JSON
}
