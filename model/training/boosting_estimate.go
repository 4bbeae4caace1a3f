package training

import (
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
)

// estimate returns how good the model was on the rows by which training chose its number of rounds,
// nil if there were none, or if package metric does not have what it chose by. Rows in folds by
// time are not counted, so there is no estimate either.
func (s *Boosting) estimate() *model.Evaluation {
	e := &model.Evaluation{UsedFor: "early stopping"}
	name, value := "", 0.0
	switch c := s.Chosen; {
	case s.Valid > 0 && s.Best > 0:
		e.Origin, e.Rows, name, value = model.OfHoldOut, s.Valid, s.validationCurve().Metric, s.Value
		e.Plan = fmt.Sprintf("the best of %d rounds", s.Log.Rounds)
	case c != nil && c.Folds > 1 && !c.Time:
		of := max(c.Of, c.Folds)
		e.Origin, e.Rows, name, value = model.OfFolds, s.Rows*c.Folds/of, c.Metric, c.Value
		e.Plan = fmt.Sprintf("%d of %d folds, the mean of the best round", c.Folds, of)
	}
	if name == s.Loss {
		switch name {
		case "softmax", "logistic":
			name = "logloss"
		case "squared": // half of it
			name, value = "rmse", math.Sqrt(2*value)
		default:
			return nil
		}
	}
	if _, ok := metric.Lookup(name); !ok || e.Rows < 1 || value-value != 0 {
		return nil
	}
	e.Metrics = []model.Evaluated{{Name: name, Value: value}}
	return e
}
