package eval

import (
	"context"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/metric"
)

// Interval is a metric of a sample with its bootstrap interval.
type Interval struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"` // of all rows
	// Low and High are the ends of the interval of 95 %. Both are Value where too few resamples
	// have the metric.
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// IntervalOptions are the choices of Intervals. The zero value takes 200 resamples of up to 50,000
// rows.
type IntervalOptions struct {
	Resamples int    // 0 = 200
	Rows      int    // rows of a resample, at most; 0 = 50,000
	Seed      uint64 // of the resamples
	Workers   int    // goroutines; 0 = one per processor. The result is the same for any number
}

// The defaults of IntervalOptions, and the least number of resamples that an interval is made of.
const (
	defaultResamples = 200
	resampledRows    = 50_000
	leastResamples   = 20
)

// Intervals returns the metrics of a task on a sample, in the order of metric.Table, with bootstrap
// intervals of 95 % (Efron & Tibshirani 1993, section 13.3). A resample draws rows with
// replacement. The ends are the value plus the 2.5 % and 97.5 % quantiles of the resamples'
// deviations from it.
//
// Of rankings whole groups are drawn, and all of them, since their rows depend on each other.
//
// Of n rows beyond the limit of the options, m are chosen once and resampled. Deviations are then
// from their own value, times the square root of m/n. The intervals are about the choice of rows
// alone: the model stays the same. Metrics that are undefined on the sample are left out; none is
// the reason where all are. Errors are those of metric.Evaluate, and ctx.Err().
func Intervals(
	ctx context.Context, task data.Task, s *metric.Sample, o IntervalOptions,
) (all []Interval, none *metric.Undefined, err error) {
	values, none, err := metric.Evaluate(task, s)
	if err != nil || none != nil {
		return nil, none, err
	}
	d := newDrawing(task, s, &o)
	base, baseNone, err := metric.Evaluate(task, pick(s, d.rows))
	if err != nil || baseNone != nil {
		return nil, baseNone, err
	}
	resamples := make([]Metrics, o.Resamples)
	err = parallel.EachUntil(ctx, parallel.Workers(o.Workers), o.Resamples, func(_, i int) {
		drawn := d.resample(rng.New(o.Seed, forResample, uint64(i)))
		resamples[i], _, _ = metric.Evaluate(task, drawn) // the rows were checked above
	})
	if err != nil {
		return nil, nil, err
	}
	scale := math.Sqrt(float64(len(d.rows)) / float64(s.Rows()))
	for _, v := range values {
		center, ok := Metrics(base).Get(v.Name)
		all = append(all, intervalOf(v, resamples, center, ok, scale))
	}
	return all, nil, nil
}

// The streams of Intervals.
const (
	forChoice   = 1
	forResample = 2
)

// drawing is what resamples are drawn from.
type drawing struct {
	sample *metric.Sample
	rows   []int32
	groups [][]int32 // of rankings; nil: rows are drawn one by one
}

// newDrawing chooses the rows that resamples are drawn from. It sets the defaults of the options.
func newDrawing(task data.Task, s *metric.Sample, o *IntervalOptions) drawing {
	if o.Resamples == 0 {
		o.Resamples = defaultResamples
	}
	if o.Rows == 0 {
		o.Rows = resampledRows
	}
	d := drawing{sample: withLabels(s), rows: data.AllRows(s.Rows())}
	if task == data.Ranking {
		d.groups = groupsOf(s.Group)
	} else if s.Rows() > o.Rows {
		d.rows = rng.New(o.Seed, forChoice).Perm(s.Rows())[:o.Rows]
		slices.Sort(d.rows)
	}
	return d
}

// withLabels returns a sample with the predicted class of each row, which resamples ask for many
// times.
func withLabels(s *metric.Sample) *metric.Sample {
	if s.Class == nil || s.Chosen != nil {
		return s
	}
	own := *s
	own.Chosen = make([]uint32, len(s.Class))
	for i := range own.Chosen {
		own.Chosen[i] = uint32(s.Label(i))
	}
	return &own
}

// resample draws as many rows, or groups, as there are. A group that is drawn twice counts as two.
func (d *drawing) resample(random *rng.Stream) *metric.Sample {
	drawn := make([]int32, 0, len(d.rows))
	if d.groups == nil {
		for range d.rows {
			drawn = append(drawn, d.rows[random.Intn(len(d.rows))])
		}
		return pick(d.sample, drawn)
	}
	var numbers []int64
	for k := range d.groups {
		group := d.groups[random.Intn(len(d.groups))]
		drawn = append(drawn, group...)
		numbers = append(numbers, slices.Repeat([]int64{int64(k)}, len(group))...)
	}
	s := pick(d.sample, drawn)
	s.Group = numbers
	return s
}

// groupsOf returns the rows of each group, in the order of their first rows.
func groupsOf(group []int64) [][]int32 {
	place := map[int64]int{}
	var groups [][]int32
	for row, g := range group {
		k, known := place[g]
		if !known {
			k = len(groups)
			place[g], groups = k, append(groups, nil)
		}
		groups[k] = append(groups[k], int32(row))
	}
	return groups
}

// intervalOf makes the interval of a metric. center is its value on the rows that are resampled.
func intervalOf(
	v metric.Value, resamples []Metrics, center float64, defined bool, scale float64,
) Interval {
	i := Interval{Name: v.Name, Value: v.Value, Low: v.Value, High: v.Value}
	var deviations []float64
	for _, r := range resamples {
		if x, ok := r.Get(v.Name); ok && defined {
			deviations = append(deviations, x-center)
		}
	}
	if len(deviations) < leastResamples {
		return i
	}
	slices.Sort(deviations)
	last := float64(len(deviations) - 1)
	i.Low += float64(scale * deviations[int(math.Floor(0.025*last))])
	i.High += float64(scale * deviations[int(math.Ceil(0.975*last))])
	return i
}

// pick returns the sample of some rows, which may repeat.
func pick(s *metric.Sample, rows []int32) *metric.Sample {
	some := *s
	some.Y, some.Upper, some.Weight = data.Pick(s.Y, rows), data.Pick(s.Upper, rows), data.Pick(s.Weight, rows)
	some.Event, some.Group = data.Pick(s.Event, rows), data.Pick(s.Group, rows)
	some.Class, some.Chosen = data.Pick(s.Class, rows), data.Pick(s.Chosen, rows)
	some.Pred = make([]float64, 0, len(rows)*s.Width)
	for _, row := range rows {
		some.Pred = append(some.Pred, s.Pred[int(row)*s.Width:(int(row)+1)*s.Width]...)
	}
	return &some
}
