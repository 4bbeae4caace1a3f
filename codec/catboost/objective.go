package catboost

import (
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/loss/link"
)

// objective is what a loss makes of scores.
type objective struct {
	task data.Task
	link link.Link
}

// The losses of classes and of links other than the identity.
var objectives = map[string]objective{
	"Logloss":      {data.Binary, link.Logistic()},
	"CrossEntropy": {data.Binary, link.Logistic()},
	"Focal":        {data.Binary, link.Logistic()},

	"MultiClass":         {data.Multiclass, link.Softmax()},
	"MultiClassOneVsAll": {data.Multiclass, link.Logistic()},

	"MultiLogloss":      {data.Regression, link.Logistic()},
	"MultiCrossEntropy": {data.Regression, link.Logistic()},

	"Poisson": {data.Regression, link.Exp()},
	"Tweedie": {data.Regression, link.Exp()},
}

// objective returns what the scores mean. A loss without an entry predicts its scores as they are:
// RMSE, MAE, Quantile and the like, those of ranking, and a user's own.
func (f *file) objective(in *source) objective {
	loss := f.info.loss
	o, ok := objectives[loss]
	switch {
	case loss == "RMSEWithUncertainty":
		in.unsupported("the loss %s (its response is a mean and a variance)", loss)
	case !ok:
		return objective{data.Regression, link.Identity()}
	case o.task == data.Binary && f.dims != 1:
		in.corrupt("the loss %s with %d scores", loss, f.dims)
	case o.task == data.Multiclass && f.dims < 2:
		in.corrupt("the loss %s with one score", loss)
	case o.task == data.Multiclass && f.dims == 2:
		o.task = data.Binary
	}
	return o
}

// classes returns the number of classes, 0 of a regression.
func (f *file) classes(o objective) int {
	switch o.task {
	case data.Binary:
		return 2
	case data.Multiclass:
		return f.dims
	}
	return 0
}
