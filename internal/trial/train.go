package trial

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/model"
)

// Root returns the folder of the checkout of the project that the working directory is in.
func Root() (string, error) {
	folder, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if text, err := os.ReadFile(filepath.Join(folder, "go.mod")); err == nil &&
			strings.HasPrefix(string(text), "module "+Module+"\n") {
			return folder, nil
		}
		up := filepath.Dir(folder)
		if up == folder {
			return "", errors.New("the working directory is in no checkout of the project, whose " +
				"testdata is read")
		}
		folder = up
	}
}

// Module is the path of the project's module, which its repository has, too.
const Module = "github.com/coppice-ml/coppice"

// Read reads a table below the testdata of the checkout, whose label is the column of that name.
func Read(ctx context.Context, file, label string) (*data.Dataset, error) {
	root, err := Root()
	if err != nil {
		return nil, err
	}
	f, err := csvdata.Open(csvdata.Options{}, filepath.Join(root, "testdata", file)).Frame(ctx)
	if err != nil {
		return nil, err
	}
	return data.Roles{Label: label}.Apply(f)
}

// TrainTestSplit splits the rows of a data set at random, class by class: a fraction of them to
// test, at most train of the others (0 = all) to training.
func TrainTestSplit(
	ds *data.Dataset, test float64, train int, seed uint64,
) (training, holdOut []int32, err error) {
	split := data.Split{Seed: seed, Kind: data.StratifiedPlan, Test: test}
	rows := data.AllRows(ds.Rows())
	training, _, holdOut, err = split.Sets(&ds.Target, rows)
	if err != nil || train == 0 || train >= len(training) {
		return training, holdOut, err
	}
	split.Test = float64(train) / float64(len(training))
	_, _, training, err = split.Sets(&ds.Target, training)
	return training, holdOut, err
}

// Fit trains the learner of a name, with settings such as "mtry=3", on a data set.
func Fit(
	ctx context.Context, ds *data.Dataset, job learn.Job, learner string, settings ...string,
) (model.Model, error) {
	l, err := catalog.New(learner)
	if err != nil {
		return nil, err
	}
	return Train(ctx, ds, job, l, settings...)
}

// Train trains a learner, with settings that overrule those it has, on a data set.
func Train(
	ctx context.Context, ds *data.Dataset, job learn.Job, l learn.Learner, settings ...string,
) (model.Model, error) {
	if err := l.Params().Set(settings); err != nil {
		return nil, err
	}
	return coppice.Train(ctx, l, ds, coppice.Job(job))
}

// Predict returns what a model predicts of rows of a data set, nil = all: the number of the class
// or the predicted number. Of an ensemble it uses the first trees only, 0 = all.
func Predict(m model.Model, ds *data.Dataset, rows []int32, trees int) ([]float64, error) {
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

// Error returns the fraction of rows whose class a model gets wrong; trees is as for Predict.
func Error(m model.Model, ds *data.Dataset, rows []int32, trees int) (float64, error) {
	predicted, err := Predict(m, ds, rows, trees)
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
