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
) (training, holdOut []int32) {
	training, holdOut = splitRows(ds, data.AllRows(ds.Rows()), test, seed)
	if train > 0 && train < len(training) {
		_, training = splitRows(ds, training, float64(train)/float64(len(training)), seed)
	}
	return training, holdOut
}

// splitRows splits rows at random, class by class: a fraction of them comes second.
func splitRows(
	ds *data.Dataset, rows []int32, fraction float64, seed uint64,
) (first, second []int32) {
	once := split.HoldOut{Seed: seed, Kind: split.Stratified, Test: fraction}
	first, _, second, err := once.Sets(&ds.Target, rows)
	check(err)
	return first, second
}

// fit trains the learner of a name, with settings such as "mtry=3", on a data set.
func fit(
	ctx context.Context, ds *data.Dataset, job learn.Job, learner string, settings ...string,
) model.Model {
	return fitLearner(ctx, ds, job, must(catalog.New(learner)), settings...)
}

// fitLearner trains a learner, with settings that overrule those it has, on a data set.
func fitLearner(
	ctx context.Context, ds *data.Dataset, job learn.Job, l learn.Learner, settings ...string,
) model.Model {
	check(l.Params().Set(settings))
	return must(coppice.Train(ctx, l, ds, coppice.Job(job)))
}

// predict returns what a model predicts of rows of a data set, nil = all: the number of the class
// or the predicted number. Of an ensemble it uses the first trees only, 0 = all.
func predict(m model.Model, ds *data.Dataset, rows []int32, trees int) ([]float64, error) {
	p, err := outputs(m, ds, rows, model.Options{Output: model.Label, Rounds: trees})
	return p.values, err
}

// responses returns what a model responds, class probabilities or a number, to rows as for predict.
func responses(m model.Model, ds *data.Dataset, rows []int32, trees int) output {
	return must(outputs(m, ds, rows, model.Options{Rounds: trees}))
}

// output holds so many values of each row.
type output struct {
	values []float64
	width  int
}

// last returns the last value of a row: the probability of the second of two classes, or a number.
func (p output) last(row int) float64 { return p.values[(row+1)*p.width-1] }

func outputs(
	m model.Model, ds *data.Dataset, rows []int32, o model.Options,
) (p output, err error) {
	bound, err := m.Bind(&ds.Schema, o)
	if err != nil {
		return p, err
	}
	n := len(rows)
	if rows == nil {
		n = ds.Rows()
	}
	p = output{make([]float64, n*bound.Width()), bound.Width()}
	return p, bound.Predict(p.values, ds.Frame, rows)
}

// errorRate returns the fraction of rows whose class a model gets wrong; trees is as for predict.
func errorRate(m model.Model, ds *data.Dataset, rows []int32, trees int) float64 {
	predicted := must(predict(m, ds, rows, trees))
	wrong := 0
	for i, r := range rows {
		if predicted[i] != float64(ds.Target.Class[r]) {
			wrong++
		}
	}
	return float64(wrong) / float64(len(rows))
}
