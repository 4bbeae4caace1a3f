package main

import (
	"context"
	"path/filepath"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/model"
)

// readTable reads a table below the testdata of the checkout, whose label is the column of that
// name.
func readTable(ctx context.Context, file, label string) (*data.Dataset, error) {
	root, err := checkout()
	if err != nil {
		return nil, err
	}
	f, err := csvdata.Open(csvdata.Options{}, filepath.Join(root, "testdata", file)).Frame(ctx)
	if err != nil {
		return nil, err
	}
	return data.Roles{Label: label}.Apply(f)
}

// splitRows returns the rows of a data set in random order of its seed, class by class: a third of
// them to test, at most train of the others (0 = all) to training.
func splitRows(ds *data.Dataset, train int, seed uint64) (training, test []int32, err error) {
	once := split.HoldOut{Seed: seed, Kind: split.Stratified, Test: 1.0 / 3}
	training, _, test, err = once.Sets(&ds.Target, data.AllRows(ds.Rows()))
	if err != nil || train == 0 || train >= len(training) {
		return training, test, err
	}
	once.Test = float64(train) / float64(len(training))
	_, _, training, err = once.Sets(&ds.Target, training)
	return training, test, err
}

// fit trains the learner of a name, with settings such as "mtry=3", on a data set.
func fit(
	ctx context.Context, ds *data.Dataset, job learn.Job, learner string, settings ...string,
) (model.Model, error) {
	l, err := catalog.New(learner)
	if err != nil {
		return nil, err
	}
	if err := l.Params().Set(settings); err != nil {
		return nil, err
	}
	return coppice.Train(ctx, l, ds, coppice.Job(job))
}

// predict returns the numbers of the classes that a model predicts of rows of a data set.
func predict(m model.Model, ds *data.Dataset, rows []int32) ([]float64, error) {
	p, err := m.Bind(&ds.Schema, model.Options{Output: model.Label})
	if err != nil {
		return nil, err
	}
	predicted := make([]float64, len(rows))
	return predicted, p.Predict(predicted, ds.Frame, rows)
}

// errorRate returns the fraction of rows whose class a model gets wrong.
func errorRate(m model.Model, ds *data.Dataset, rows []int32) (float64, error) {
	predicted, err := predict(m, ds, rows)
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
