package eval

import (
	"context"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
)

// EvaluateBlocks is EvaluateRows of a data set whose features are read in blocks, once for all sets
// of rows, each ascending and distinct; nil = all. Of classes it holds what a metric.Stream does,
// of other labels a prediction for each row.
func EvaluateBlocks(
	ctx context.Context, m model.Model, ds *data.BlockDataset, sets [][]int32, o model.Options,
) ([]*Report, error) {
	reports := make([]*Report, len(sets))
	if _, streams := metric.NewStream(m.Spec().Task, 0); streams {
		tests := make([]*test, len(sets))
		if err := stream(ctx, m, ds, sets, o, tests); err != nil {
			return nil, err
		}
		for i, t := range tests {
			var err error
			if reports[i], err = reportOf(t.spec.Task, ds.Target.Classes, t.Stream); err != nil {
				return nil, err
			}
		}
		return reports, nil
	}
	samples, err := SampleBlocks(ctx, m, ds, sets, o)
	if err != nil {
		return nil, err
	}
	for i, s := range samples {
		if reports[i], err = ReportOf(m, ds.Target.Classes, s); err != nil {
			return nil, err
		}
	}
	return reports, nil
}

// test is a set of rows that is evaluated while it is read.
type test struct {
	*bound
	*metric.Stream
	left []int32 // rows that were not evaluated yet
	all  bool    // all rows of the table are meant
	pred []float64
}

// stream evaluates sets of rows of one pass.
func stream(
	ctx context.Context, m model.Model, ds *data.BlockDataset, sets [][]int32, o model.Options,
	tests []*test,
) error {
	b, err := newBound(m, &ds.Dataset, o)
	if err != nil {
		return err
	}
	for i, rows := range sets {
		if err := ds.CheckRows(rows); err != nil {
			return err
		}
		n := len(rows)
		if rows == nil {
			n = ds.Rows()
		}
		s, _ := metric.NewStream(b.spec.Task, n)
		tests[i] = &test{bound: b, Stream: s, left: rows, all: rows == nil}
	}
	for block, err := range ds.Features.Blocks(ctx) {
		if err != nil {
			return err
		}
		for _, t := range tests {
			if err := t.addBlock(ctx, block); err != nil {
				return err
			}
		}
	}
	return nil
}

// addBlock evaluates the rows of a block, some at a time.
func (t *test) addBlock(ctx context.Context, b data.RowBlock) error {
	for first := 0; first < b.Rows(); first += batchRows {
		end := min(first+batchRows, b.Rows())
		var rows []int32 // of the table
		if t.all {
			for r := first; r < end; r++ {
				rows = append(rows, int32(b.First+r))
			}
		} else {
			n := 0
			for n < len(t.left) && int(t.left[n]) < b.First+end {
				n++
			}
			rows, t.left = t.left[:n], t.left[n:]
		}
		s := t.labelsOf(rows)
		local := make([]int32, len(rows))
		for i, r := range rows {
			local[i] = r - int32(b.First)
		}
		t.pred = slices.Grow(t.pred[:0], len(rows)*s.Width)
		s.Pred = t.pred[:len(rows)*s.Width]
		if err := t.predict(ctx, s.Pred, b.Frame, local); err != nil {
			return err
		}
		choose(s, t.spec)
		if err := t.Add(s); err != nil {
			return err
		}
	}
	return nil
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
