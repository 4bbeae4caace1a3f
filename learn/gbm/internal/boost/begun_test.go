package boost

import (
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm/internal/hist"
	"github.com/coppice-ml/coppice/learn/gbm/internal/table"
)

// begun returns a training that is ready for its first round, with the learner's defaults but for
// what change sets.
func begun(t *testing.T, ds *data.Dataset, job learn.Job, change func(c *Config)) *Training {
	t.Helper()
	c := Config{
		Schedule: Schedule{LearningRate: 0.1, Decay: 1, EarlyStopping: 50, Metric: "auto",
			TrainingMetric: 10},
		Config: table.Config{
			Columns: table.Columns{Bins: 255, MinBin: 1, Categories: table.NativeEncoding,
				Limits: &table.Limits{}},
			Engine: hist.Config{Shape: hist.Shape{Leaves: 31},
				Regularization: hist.Regularization{L2: 1, MinChildWeight: 1e-3},
				Columns:        hist.Columns{ColumnsByLevel: 1, ColumnsByNode: 1}},
		},
		Values: Values{Refit: true}, Rows: Rows{Fraction: 1}, Learner: "gbm",
	}
	change(&c)
	f, _, err := table.Prepare(t.Context(), ds.Frame, nil, nil, ds.Target.Weight, learn.Env{},
		&c.Config, "")
	if err != nil {
		t.Fatal(err)
	}
	b, err := Begin(t.Context(), f, Plan{Config: c}, &ds.Target, job)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
