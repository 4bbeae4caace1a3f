package metric

import (
	"slices"

	"github.com/coppice-ml/coppice/data"
)

// Metric is one row of the table.
type Metric struct {
	Name   string
	Help   string
	Higher bool                             // whether higher is better
	Tasks  []data.Task                      // the tasks it fits
	Func   func(s *Sample) (float64, error) // of a sample that passes Check; the error is an *Undefined
}

// Table lists the metrics in the order of reports. A new metric is a file and a row here.
func Table() []Metric {
	classes := []data.Task{data.Binary, data.Multiclass}
	labels := append(classes, data.Anomaly)
	two := []data.Task{data.Binary, data.Anomaly}
	values := []data.Task{data.Regression}
	return []Metric{
		{"accuracy", "share of rows whose label is predicted", true, labels, Accuracy},
		{"error", "share of rows whose label is not predicted", false, labels, Error},
		{"cost", "mean cost of the predicted labels, for models with costs", false, classes, Cost},
		{"logloss", "mean of -log of the share predicted for the true class", false, classes, LogLoss},
		{"auc", "probability that a row of the second class scores above one of the first", true, two, AUC},
		{"rmse", "square root of the mean squared error", false, values, RMSE},
		{"mae", "mean absolute error", false, values, MAE},
		{"r2", "share of the label's variance that is explained", true, values, R2},
	}
}

// ForTask lists the metrics that fit a task.
func ForTask(task data.Task) []Metric {
	return slices.DeleteFunc(Table(), func(m Metric) bool { return !slices.Contains(m.Tasks, task) })
}

// Lookup returns the metric called name; false if there is none.
func Lookup(name string) (Metric, bool) {
	for _, m := range Table() {
		if m.Name == name {
			return m, true
		}
	}
	return Metric{}, false
}
