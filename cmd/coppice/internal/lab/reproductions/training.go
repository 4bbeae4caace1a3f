package reproductions

import (
	"context"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/model"
)

// trainTestSplit splits the rows of a data set at random, class by class: a fraction of them to
// test, at most train of the others (0 = all) to training.
func trainTestSplit(
	ds *data.Dataset, test float64, train int, seed uint64,
) (training, holdOut []int32, err error) {
	training, holdOut, err = splitRows(ds, data.AllRows(ds.Rows()), test, seed)
	if err != nil || train == 0 || train >= len(training) {
		return training, holdOut, err
	}
	_, training, err = splitRows(ds, training, float64(train)/float64(len(training)), seed)
	return training, holdOut, err
}

// splitRows splits rows at random, class by class: a fraction of them comes second.
func splitRows(
	ds *data.Dataset, rows []int32, fraction float64, seed uint64,
) (first, second []int32, err error) {
	once := split.HoldOut{Seed: seed, Kind: split.Stratified, Test: fraction}
	first, _, second, err = once.Sets(&ds.Target, rows)
	return first, second, err
}

// fit trains the learner of a name, with settings such as "mtry=3", on a data set.
func fit(
	ctx context.Context, ds *data.Dataset, job learn.Job, learner string, settings ...string,
) (model.Model, error) {
	l, err := catalog.New(learner)
	if err != nil {
		return nil, err
	}
	return fitLearner(ctx, ds, job, l, settings...)
}

// fitLearner trains a learner, with settings that overrule those it has, on a data set.
func fitLearner(
	ctx context.Context, ds *data.Dataset, job learn.Job, l learn.Learner, settings ...string,
) (model.Model, error) {
	if err := l.Params().Set(settings); err != nil {
		return nil, err
	}
	return coppice.Train(ctx, l, ds, coppice.Job(job))
}

// predict returns what a model predicts of rows of a data set, nil = all: the number of the class
// or the predicted number. Of an ensemble it uses the first trees only, 0 = all.
func predict(m model.Model, ds *data.Dataset, rows []int32, trees int) ([]float64, error) {
	p, err := m.Bind(&ds.Schema, model.Options{Output: model.Label, Rounds: trees})
	if err != nil {
		return nil, err
	}
	n := len(rows)
	if rows == nil {
		n = ds.Rows()
	}
	predicted := make([]float64, n*p.Width())
	return predicted, p.Predict(predicted, ds.Frame, rows)
}

// errorRate returns the fraction of rows whose class a model gets wrong; trees is as for predict.
func errorRate(m model.Model, ds *data.Dataset, rows []int32, trees int) (float64, error) {
	predicted, err := predict(m, ds, rows, trees)
	if err != nil {
		return 0, err
	}
	wrong := 0
	for i, r := range rows {
		if predicted[i] != float64(ds.Target.Class[r]) {
			wrong++
		}
	}
	return float64(wrong) / float64(len(rows)), nil
}
