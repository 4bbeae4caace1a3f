package coppice_test

import (
	"testing"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
)

// A faulty job is an error before any work, never a panic.
func TestTrainRefusesFaultyJobs(t *testing.T) {
	frame, err := data.FromColumns(data.NamedColumn{Name: "x", Values: []float64{1, 2, 3, 4}})
	if err != nil {
		t.Fatal(err)
	}
	ds := &data.Dataset{Frame: frame}
	ds.Target.Task, ds.Target.Y = data.Regression, [][]float64{{1, 2, 3, 4}}
	for want, job := range map[string]learn.Job{
		"Job.Start: the checkpoint has no model":                       {Start: &learn.Checkpoint{}},
		"Job.Rows: there is no row 4: those of the table are 0 to 3":   {Rows: []int32{0, 4}},
		"Job.Valid: there is no row -1: those of the table are 0 to 3": {Valid: []int32{-1}},
	} {
		_, err := coppice.Train(t.Context(), learnerOf(t, "gbm", "trees=1"), ds, job)
		if err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}
