package fitting

import (
	"context"
	"fmt"
	"sync"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/dense"
	"github.com/coppice-ml/coppice/internal/option"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/learn/internal/weighting"
	"github.com/coppice-ml/coppice/model"
)

// VectorTable is a table with the encoding that was fitted to its prepared rows.
type VectorTable struct {
	Frame    *data.Frame
	Rows     []int32 // ascending
	Encoding *dense.Encoding
	Report   *dense.Report // for the summary, under the key "encoding"
	weight   []float64     // of the rows of the frame, by which the encoding was fitted; nil = 1
}

// Model returns what a model has that a learner fits to the vectors of the table.
func (v *VectorTable) Model(learner string, t *data.Target) dense.Model {
	return dense.Model{Meta: model.NewSpec(learner, v.Frame.Schema, t), Encoding: *v.Encoding}
}

// Vectors returns the function that fits an encoding to rows of a frame; nil rows are all. If
// vectors have more than most places, its error is a *learn.LimitError.
func Vectors(
	learner string, weight []float64, most int,
) func(f *data.Frame, rows []int32) (VectorTable, error) {
	return func(f *data.Frame, rows []int32) (VectorTable, error) {
		e := VectorTable{Frame: f, weight: weight, Rows: f.Chosen(rows)}
		e.Encoding, e.Report = dense.Fit(f, e.Rows, weight)
		if width := e.Encoding.Width(); width > most {
			return e, &learn.LimitError{Learner: learner, Reason: fmt.Sprintf("%s takes up to %d "+
				"columns, with one for each category, the table has %d: leave columns of many "+
				option.Expand("categories out by {ignore}, or use a learner of trees"), learner, most, width)}
		}
		return e, nil
	}
}

// Gather checks a job and returns what weighing.Gather does for its rows. A target that has neither
// classes nor numbers is a *learn.TaskError.
//
// The table that is returned is for this job. Its encoding is fitted with the weights of the
// classes, so that these have the effect of the same weights of the rows.
func (e *VectorTable) Gather(
	learner string, t *data.Target, job *learn.Job, classWeight data.ClassWeight,
) (*VectorTable, *grow.Population, []float64, error) {
	if !t.Task.Classes() && t.Task != data.Regression {
		return nil, nil, nil, &learn.TaskError{Learner: learner, Task: t.Task}
	}
	if err := job.Check(e.Frame, e.Rows); err != nil {
		return nil, nil, nil, err
	}
	pop, factors, err := weighting.Gather(t, job.RowsOf(e.Rows), classWeight)
	if err != nil || factors == nil {
		return e, pop, factors, err
	}
	own := *e
	own.weight = weighting.Times(e.weight, t.Class, factors)
	own.Encoding, own.Report = dense.Fit(e.Frame, e.Rows, own.weight)
	return &own, pop, factors, nil
}

// Chunk is a range of consecutive rows, of those that Chunks visits.
type Chunk struct {
	Lo, Hi int // places of its first row and of the first row after it
	// the vectors of its rows, one after the other: the callback may overwrite them, and loses them
	// when it returns
	X []float64
}

// Chunks visits rows in chunks of size rows, on as many goroutines as workers. It calls do with
// each chunk, and keep with the results of do in the order of the rows. Sums that keep adds up are
// therefore the same for any number of workers. Only the vectors of open chunks are in memory.
func Chunks[T any](
	ctx context.Context, e *VectorTable, rows []int32, size, workers int, do func(c Chunk) (T, error),
	keep func(v T) error,
) error {
	workers = parallel.Workers(workers)
	width := e.Encoding.Width()
	buffers := sync.Pool{New: func() any {
		b := make([]float64, min(size, len(rows))*width)
		return &b
	}}
	n := (len(rows) + size - 1) / size
	return parallel.InOrder(ctx, n, workers, func(_ context.Context, i int) (T, error) {
		c := Chunk{Lo: i * size, Hi: min((i+1)*size, len(rows))}
		b := buffers.Get().(*[]float64)
		defer buffers.Put(b)
		c.X = (*b)[:(c.Hi-c.Lo)*width]
		e.Encoding.Vectors(c.X, e.Frame, rows[c.Lo:c.Hi])
		return do(c)
	}, func(_ int, v T) error { return keep(v) })
}
