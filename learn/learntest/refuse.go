package learntest

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
)

// refusesTasks: what a learner cannot predict is a TaskError; to most that is also what has no
// label.
func refusesTasks(t *testing.T, make func() learn.Learner, needs learn.Needs) {
	if needs.Unsupervised {
		return
	}
	tasks := []data.Task{data.Ranking, data.Auto}
	if needs.Classes || needs.Survival {
		tasks = append(tasks, data.Regression)
	}
	more := make().Capabilities().Tasks
	tasks = slices.DeleteFunc(tasks, func(t data.Task) bool { return slices.Contains(more, t) })
	for _, task := range tasks {
		ds := suite{make(), needs, data.Regression}.table(20)
		ds.Target.Task = task
		if task == data.Auto {
			ds.Target = data.Target{}
		}
		var wrong *learn.TaskError
		if _, err := Fit(context.Background(), learn.Env{}, make(), ds,
			learn.Job{}); !errors.As(err, &wrong) || wrong.Task != task {
			t.Errorf("%s: error %v, want a TaskError", task, err)
		}
	}
}

// ignoresLabels: a learner that needs no label makes the same predictions whatever the label, and
// names of two classes its own.
func ignoresLabels(t *testing.T, make func() learn.Learner, needs learn.Needs) {
	if !needs.Unsupervised {
		return
	}
	s := suite{make(), needs, data.Auto}
	frame := s.table(300).Frame
	var want []float64
	for _, task := range []data.Task{data.Auto, data.Binary, data.Multiclass, data.Regression} {
		s.task = task
		ds := s.table(300)
		ds.Frame = frame
		m, err := Fit(context.Background(), learn.Env{}, make(), ds, learn.Job{Seed: 1})
		if err != nil {
			t.Fatalf("%s: %v", task, err)
		}
		got := predict(t, m, frame)
		if want == nil {
			want = got
		}
		if !slices.Equal(got, want) {
			t.Errorf("a label of task %s changes predictions", task)
		}
		if spec := m.Spec(); spec.Label != ds.Target.Name || task == data.Binary &&
			!slices.Equal(spec.Classes, ds.Target.Classes) {
			t.Errorf("%s: the model's label is %q of %q", task, spec.Label, spec.Classes)
		}
	}
}

// refusesColumns: what a learner cannot split is a ColumnError that names column and row; values
// outside the rows to train on do not matter.
func refusesColumns(t *testing.T, make func() learn.Learner, needs learn.Needs) {
	refused := func(ds *data.Dataset, job learn.Job, column string, row int) {
		t.Helper()
		var wrong *learn.ColumnError
		_, err := Fit(context.Background(), learn.Env{}, make(), ds, job)
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
		ds := suite{make(), needs, data.Binary}.table(20)
		setMissing(&ds.Columns[i], 13)
		refused(ds, learn.Job{}, name, 13)
		if _, err := Fit(context.Background(), learn.Env{}, make(), ds,
			learn.Job{Rows: data.AllRows(13)}); err != nil {
			t.Errorf("column %s: %v, though only a row that is not trained on has no value", name,
				err)
		}
	}
}
