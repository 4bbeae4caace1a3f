package eval

import (
	"context"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
)

// Running evaluates a model on rows that come in blocks, of which nobody knows how many there will
// be. It keeps what metric.Stream keeps, and 50,000 rows for the intervals: those with the least
// hashes of their numbers, and of rankings all rows of the groups with the least ones.
type Running struct {
	*bound
	stream  *metric.Stream
	classes []string
	rows    int // so far
	limit   uint64
	hash    []uint64 // of the rows that are kept
	kept    *metric.Sample
	pred    []float64
}

// NewRunning begins an evaluation on rows of data sets that are like one. Errors are those of
// EvaluateRows. Close ends it.
func NewRunning(m model.Model, like *data.Dataset, o SetOptions) (*Running, error) {
	b, err := newBound(m, like, o.Options)
	if err != nil {
		return nil, err
	}
	return &Running{bound: b, classes: like.Target.Classes, limit: math.MaxUint64,
		stream: metric.NewStream(b.spec.Task, math.MaxInt32, o.storage(1))}, nil
}

// Add evaluates the rows of a data set. Errors are those of EvaluateRows.
func (r *Running) Add(ctx context.Context, ds *data.Dataset) error {
	for rows := range slices.Chunk(data.AllRows(ds.Rows()), batchRows) {
		s := r.labels(&ds.Target, rows)
		var err error
		if r.pred, err = r.predict(ctx, s, ds.Frame, rows, r.pred); err != nil {
			return err
		}
		if err := r.stream.Add(s); err != nil {
			return err
		}
		r.keep(s)
	}
	return nil
}

// keep keeps the rows of a sample whose hashes are below the limit, which it lowers where they are
// too many.
func (r *Running) keep(s *metric.Sample) {
	var rows []int32
	for i := range s.Rows() {
		unit := uint64(r.rows + i)
		if r.spec.Task == data.Ranking {
			unit = uint64(s.Group[i])
		}
		if h := rng.Seed(0, unit); h <= r.limit {
			rows, r.hash = append(rows, int32(i)), append(r.hash, h)
		}
	}
	r.rows += s.Rows()
	r.kept = joined(r.kept, pick(s, rows))
	if len(r.hash) <= 2*resampledRows {
		return
	}
	sorted := slices.Sorted(slices.Values(r.hash))
	r.limit = sorted[resampledRows-1]
	rows = rows[:0]
	for i, h := range r.hash {
		if h <= r.limit {
			rows = append(rows, int32(i))
		}
	}
	r.kept, r.hash = pick(r.kept, rows), data.Pick(r.hash, rows)
}

// joined returns a sample with the rows of another one behind its own, nil = none.
func joined(s, more *metric.Sample) *metric.Sample {
	if s == nil {
		return more
	}
	s.Y, s.Upper, s.Weight = append(s.Y, more.Y...), append(s.Upper, more.Upper...),
		append(s.Weight, more.Weight...)
	s.Event, s.Group = append(s.Event, more.Event...), append(s.Group, more.Group...)
	s.Class, s.Chosen = append(s.Class, more.Class...), append(s.Chosen, more.Chosen...)
	s.Pred = append(s.Pred, more.Pred...)
	return s
}

// Report returns the metrics of all rows, and their intervals, which are nil where no metric is
// defined. Errors are those of EvaluateRows and Intervals.
func (r *Running) Report(ctx context.Context, o IntervalOptions) (*Report, []Interval, error) {
	report, err := reportOf(r.spec.Task, r.classes, r.stream)
	if err != nil || report.Undefined != "" {
		return report, nil, err
	}
	all, _, err := Intervals(ctx, r.spec.Task, r.kept, o)
	if err != nil {
		return report, nil, err
	}
	scale := math.Sqrt(float64(r.kept.Rows()) / float64(r.rows))
	var intervals []Interval
	for _, v := range report.Metrics {
		own := Interval{Name: v.Name, Value: v.Value, Low: v.Value, High: v.Value}
		for _, i := range all {
			if i.Name == v.Name {
				own.Low += float64(scale * (i.Low - i.Value))
				own.High += float64(scale * (i.High - i.Value))
			}
		}
		intervals = append(intervals, own)
	}
	return report, intervals, nil
}

// Close removes the scratch file of the metrics, if there is one.
func (r *Running) Close() error { return r.stream.Close() }
