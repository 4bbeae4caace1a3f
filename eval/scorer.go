package eval

import (
	"context"
	"fmt"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
)

// Scorer evaluates one metric of a model on the same rows of several tables, which differ in their
// features alone. It is safe for concurrent use.
type Scorer struct {
	rows   *labeled
	metric metric.Metric
}

// NewScorer makes a Scorer for rows of a dataset; nil means all of its rows. The options are those
// of Evaluate, and so are the errors. A metric that does not fit the model's task is an error too.
func NewScorer(
	m model.Model, ds *data.Dataset, rows []int32, metric metric.Metric, o model.Options,
) (*Scorer, error) {
	if !metric.Fits(m.Spec().Task) {
		return nil, fmt.Errorf("%s is no metric of %s", metric.Name, m.Spec().Task)
	}
	l, err := newLabeled(m, ds, rows, o)
	if err != nil {
		return nil, err
	}
	return &Scorer{l, metric}, nil
}

// Score returns the metric of the model's predictions for the rows of a frame with the schema of
// the dataset. The error is an *metric.Undefined where the metric has no value on the rows, or one
// of Predict.
func (s *Scorer) Score(ctx context.Context, f *data.Frame) (float64, error) {
	sample, err := s.rows.predict(ctx, f)
	if err != nil {
		return 0, err
	}
	if err := sample.Check(); err != nil {
		return 0, err
	}
	return s.metric.Func(sample)
}
