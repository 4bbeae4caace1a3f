package eval

import (
	"context"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
)

// Recorder makes what a model stores of its evaluation: model.Evaluation, with intervals. It keeps
// up to 10,000 rows of each set of EvaluateSets, of rankings all if there are no more, and draws
// the resamples of Intervals from them. So records of a table in blocks are those of one in memory.
//
//	recorder := eval.NewRecorder(sets, seed)
//	reports, err := eval.EvaluateSets(ctx, m, ds, sets, eval.SetOptions{Each: recorder.Each})
//	stored, err := recorder.Record(ctx, 0, reports[0], model.OfTest)
type Recorder struct {
	seed uint64
	sets []recordedSet
}

// recordedSet is the rows of a set that are kept.
type recordedSet struct {
	rows int
	left []int32 // positions of rows to keep that were not seen yet; nil: all
	seen int
	kept *metric.Sample
}

const (
	recordedRows   = 10_000
	recordedValues = 1 << 22
)

// forRecord is a stream of choices of rows.
const forRecord = 3

// NewRecorder begins records of sets of rows, of which nil is none. The seed is that of the rows
// that are kept and of the resamples.
func NewRecorder(sets [][]int32, seed uint64) *Recorder {
	r := &Recorder{seed: seed, sets: make([]recordedSet, len(sets))}
	for i, rows := range sets {
		r.sets[i].rows = len(rows)
	}
	return r
}

// Each keeps rows of a set: it is for SetOptions.
func (r *Recorder) Each(set int, s *metric.Sample) {
	t := &r.sets[set]
	if t.rows == 0 {
		return
	}
	if t.kept == nil {
		if most := min(recordedRows, recordedValues/max(1, s.Width)); t.rows > most {
			if t.left = []int32{}; s.Group == nil {
				t.left = rng.New(r.seed, forRecord, uint64(set)).Some(nil, t.rows, most)
				slices.Sort(t.left)
			}
		}
		t.kept = pick(s, nil)
	}
	first := t.seen
	t.seen += s.Rows()
	if t.left == nil {
		t.kept = joined(t.kept, s)
		return
	}
	var rows []int32
	for len(t.left) > 0 && int(t.left[0]) < t.seen {
		rows, t.left = append(rows, t.left[0]-int32(first)), t.left[1:]
	}
	t.kept = joined(t.kept, pick(s, rows))
}

// Record returns the record of a set by its report, with an origin such as model.OfTest.
// Metrics have intervals where rows were kept, but for those that are undefined on them. Errors are
// those of Intervals.
func (r *Recorder) Record(
	ctx context.Context, set int, report *Report, origin string,
) (model.Evaluation, error) {
	e := report.Evaluation(origin)
	t := &r.sets[set]
	if t.kept == nil || t.kept.Rows() == 0 {
		return e, nil
	}
	all, _, err := Intervals(ctx, report.Task, t.kept, IntervalOptions{Seed: r.seed})
	if err != nil {
		return e, err
	}
	scale := math.Sqrt(float64(t.kept.Rows()) / float64(report.Rows))
	for _, i := range all {
		if m := e.Metric(i.Name); m != nil {
			m.Low = new(m.Value + float64(scale*(i.Low-i.Value)))
			m.High = new(m.Value + float64(scale*(i.High-i.Value)))
		}
	}
	return e, nil
}

// Predictions returns the responses for the rows of a set that are kept, row after row.
func (r *Recorder) Predictions(set int) []float64 {
	if r.sets[set].kept == nil {
		return nil
	}
	return r.sets[set].kept.Pred
}

// Evaluation returns what a model stores of a report, without intervals. Metrics that are undefined
// are left out.
func (r *Report) Evaluation(origin string) model.Evaluation {
	e := model.Evaluation{Origin: origin, Rows: r.Rows, Positive: r.Positive,
		Metrics: []model.Evaluated{}}
	for _, v := range r.Metrics {
		if !math.IsNaN(v.Value) && !math.IsInf(v.Value, 0) {
			e.Metrics = append(e.Metrics, model.Evaluated{Name: v.Name, Value: v.Value})
		}
	}
	return e
}
