package learn

import (
	"context"
	"fmt"
	"sync"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/grow"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/model/dense"
	"github.com/coppice-ml/coppice/param"
)

// Encoded is a table prepared for learners that compute with vectors: the encoding of the prepared
// rows.
type Encoded struct {
	Frame    *data.Frame
	Rows     []int32 // ascending
	Encoding *dense.Encoding
	Report   *dense.Report // for the summary, under the key "encoding"
}

// Encode checks a learner's parameters and fits an encoding to the given rows, as Learner.Prepare
// is asked to. A table whose vectors have more than most places is a *WidthError of the learner.
func Encode(learner string, params param.Set, f *data.Frame, rows []int32, weight []float64, most int) (Encoded, error) {
	if err := params.Validate(); err != nil {
		return Encoded{}, err
	}
	if err := f.CheckRows(rows); err != nil {
		return Encoded{}, err
	}
	e := Encoded{Frame: f, Rows: f.Chosen(data.Distinct(rows))}
	e.Encoding, e.Report = dense.Fit(f, e.Rows, weight)
	if width := e.Encoding.Width(); width > most {
		return e, &WidthError{Learner: learner, Width: width, Most: most}
	}
	return e, nil
}

// WidthError says that a table has more columns, with a column for each category, than a learner
// takes.
type WidthError struct {
	Learner     string
	Width, Most int
}

func (e *WidthError) Error() string {
	return fmt.Sprintf("%s takes up to %d columns, with one for each category, the table has %d: leave columns of many categories out by --ignore, or use a learner of trees",
		e.Learner, e.Most, e.Width)
}

// Gather checks a job and makes its population, weighed by class (see the function Gather). A
// target that has neither classes nor numbers is a *TaskError of the learner.
func (e *Encoded) Gather(learner string, t *data.Target, job *Job, classWeight string) (*grow.Population, []float64, error) {
	if !t.Task.Classes() && t.Task != data.Regression {
		return nil, nil, &TaskError{Learner: learner, Task: t.Task}
	}
	if err := job.Check(e.Frame, e.Rows); err != nil {
		return nil, nil, err
	}
	return Gather(t, job.RowsOf(e.Rows), classWeight)
}

// Chunk is some consecutive rows of those that Chunks goes through.
type Chunk struct {
	Lo, Hi int // their places
	// their vectors, one after the other; the function may change them, and they are its own until
	// it returns
	X []float64
}

// Chunks goes through rows in chunks of size rows, on several goroutines as Job.Workers says: do
// gets each, with the vectors of its rows, and keep gets what do returned, in the order of the
// rows. Sums that keep adds up are the same for any number of workers. Not all vectors are in
// memory at once.
func Chunks[T any](ctx context.Context, e *Encoded, rows []int32, size, workers int, do func(c Chunk) (T, error), keep func(v T) error) error {
	workers = parallel.Workers(workers)
	width := e.Encoding.Width()
	buffers := sync.Pool{New: func() any {
		b := make([]float64, min(size, len(rows))*width)
		return &b
	}}
	n := (len(rows) + size - 1) / size
	return InOrder(ctx, n, workers, func(_ context.Context, i int) (T, error) {
		c := Chunk{Lo: i * size, Hi: min((i+1)*size, len(rows))}
		b := buffers.Get().(*[]float64)
		defer buffers.Put(b)
		c.X = (*b)[:(c.Hi-c.Lo)*width]
		e.Encoding.Vectors(c.X, e.Frame, rows[c.Lo:c.Hi])
		return do(c)
	}, func(_ int, v T) error { return keep(v) })
}
