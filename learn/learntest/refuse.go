package learntest

import (
	"context"
	"errors"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
)

// refusesTasks: what a learner cannot predict is a TaskError.
func refusesTasks(t *testing.T, make func() learn.Learner, needs learn.Needs) {
	tasks := []data.Task{data.Ranking}
	if needs.Classes {
		tasks = append(tasks, data.Regression)
	}
	for _, task := range tasks {
		ds := suite{make, needs, data.Regression}.table(20)
		ds.Target.Task = task
		var wrong *learn.TaskError
		if _, err := fit(context.Background(), make(), ds, learn.Job{}); !errors.As(err, &wrong) || wrong.Task != task {
			t.Errorf("%s: error %v, want a TaskError", task, err)
		}
	}
}

// refusesColumns: what a learner cannot split is a ColumnError that names column and row; values outside the rows to
// train on do not matter.
func refusesColumns(t *testing.T, make func() learn.Learner, needs learn.Needs) {
	refused := func(ds *data.Dataset, job learn.Job, column string, row int) {
		t.Helper()
		var wrong *learn.ColumnError
		_, err := fit(context.Background(), make(), ds, job)
		if !errors.As(err, &wrong) || wrong.Column != column || wrong.Row != row {
			t.Errorf("error %v, want a ColumnError about column %s, row %d", err, column, row)
		}
	}
	if needs.Categorical {
		refused(table(20, data.Binary, false), learn.Job{}, "num", -1)
	}
	if !needs.Complete {
		return
	}
	for i, name := range []string{"num", "other", "code"} {
		ds := suite{make, needs, data.Binary}.table(20)
		setMissing(&ds.Columns[i], 13)
		refused(ds, learn.Job{}, name, 13)
		if _, err := fit(context.Background(), make(), ds, learn.Job{Rows: data.AllRows(13)}); err != nil {
			t.Errorf("column %s: %v, though only a row that is not trained on has no value", name, err)
		}
	}
}
