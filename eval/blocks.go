package eval

import (
	"context"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
)

// EvaluateBlocks is EvaluateRows of a data set whose features are read in blocks, once for all sets
// of rows, each ascending and distinct; nil = all. It holds a prediction for each row and class.
func EvaluateBlocks(
	ctx context.Context, m model.Model, ds *data.BlockDataset, sets [][]int32, o model.Options,
) ([]*Report, error) {
	samples, err := SampleBlocks(ctx, m, ds, sets, o)
	if err != nil {
		return nil, err
	}
	reports := make([]*Report, len(samples))
	for i, s := range samples {
		if reports[i], err = ReportOf(m, ds.Target.Classes, s); err != nil {
			return nil, err
		}
	}
	return reports, nil
}

// SampleBlocks is Sample of sets of rows, as EvaluateBlocks reads them.
func SampleBlocks(
	ctx context.Context, m model.Model, ds *data.BlockDataset, sets [][]int32, o model.Options,
) ([]*metric.Sample, error) {
	judges := make([]*judge, len(sets))
	at := make([]int, len(sets))
	for i, rows := range sets {
		var err error
		if judges[i], err = newJudge(m, &ds.Dataset, rows, o); err != nil {
			return nil, err
		}
		judges[i].labels.Pred = make([]float64, len(judges[i].rows)*judges[i].labels.Width)
	}
	for b, err := range ds.Features.Blocks(ctx) {
		if err != nil {
			return nil, err
		}
		for i, j := range judges {
			var rows []int32
			from := at[i]
			for ; at[i] < len(j.rows) && int(j.rows[at[i]]) < b.First+b.Rows(); at[i]++ {
				rows = append(rows, j.rows[at[i]]-int32(b.First))
			}
			w := j.labels.Width
			if err := j.predict(ctx, j.labels.Pred[from*w:at[i]*w], b.Frame, rows); err != nil {
				return nil, err
			}
		}
	}
	samples := make([]*metric.Sample, len(sets))
	for i, j := range judges {
		choose(j.labels, j.spec)
		samples[i] = j.labels
	}
	return samples, nil
}

// ReportOf is EvaluateRows for predictions of a model that were made before, such as by Sample. The
// classes are those of the labels.
func ReportOf(m model.Model, classes []string, s *metric.Sample) (*Report, error) {
	return newReport(m.Spec().Task, classes, s)
}
