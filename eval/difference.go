package eval

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/metric"
)

// Difference is a metric of two models on the same rows, with a paired test.
type Difference struct {
	Name   string  `json:"name"`
	Higher bool    `json:"higher"` // whether higher is better
	A      float64 `json:"a"`
	B      float64 `json:"b"`
	// Low and High are the ends of the 95 % interval of B - A.
	Low  float64 `json:"low"`
	High float64 `json:"high"`
	// P is how probable so large a difference is, in either direction, if there is none: twice the
	// smaller fraction of resamples on one side of 0, and at least 2 / (resamples + 1). 1 where too
	// few resamples have the metric.
	P float64 `json:"p"`
}

// Differences compares two models on the same rows: the metrics of a task on both samples, in the
// order of metric.Table, and their differences with a paired bootstrap (Efron & Tibshirani 1993,
// sections 13.3 and 15.4). Both models are evaluated on each resample, so that what all models find
// hard cancels out. Options, and what is left out, are those of Intervals.
//
// Errors: samples of different numbers of rows, those of metric.Evaluate, and ctx.Err().
func Differences(
	ctx context.Context, task data.Task, a, b *metric.Sample, o IntervalOptions,
) (all []Difference, none *metric.Undefined, err error) {
	if a.Rows() != b.Rows() {
		return nil, nil, fmt.Errorf("samples of %d and %d rows cannot be compared", a.Rows(), b.Rows())
	}
	var values [2]Metrics
	var drawings [2]drawing
	for i, s := range []*metric.Sample{a, b} {
		if values[i], none, err = metric.Evaluate(task, s); err != nil || none != nil {
			return nil, none, err
		}
		drawings[i] = newDrawing(task, s, &o)
	}
	resamples := make([][2]Metrics, o.Resamples)
	err = parallel.EachUntil(ctx, parallel.Workers(o.Workers), o.Resamples, func(_, i int) {
		for k := range drawings { // one stream draws the same rows of both
			drawn := drawings[k].resample(rng.New(o.Seed, forResample, uint64(i)))
			resamples[i][k], _, _ = metric.Evaluate(task, drawn)
		}
	})
	if err != nil {
		return nil, nil, err
	}
	scale := math.Sqrt(float64(len(drawings[0].rows)) / float64(a.Rows()))
	for _, v := range values[0] {
		if other, ok := values[1].Get(v.Name); ok {
			all = append(all, differenceOf(v, other, resamples, scale))
		}
	}
	return all, nil, nil
}

// differenceOf makes the difference of a metric. Deviations of resamples are from their mean, as
// they may be of fewer rows than the metric.
func differenceOf(
	v metric.Value, other float64, resamples [][2]Metrics, scale float64,
) Difference {
	found, _ := metric.Lookup(v.Name)
	d := Difference{Name: v.Name, Higher: found.Higher, A: v.Value, B: other, P: 1}
	gap := other - v.Value
	d.Low, d.High = gap, gap
	var deviations []float64
	mean := 0.0
	for _, r := range resamples {
		x, has := r[0].Get(v.Name)
		y, too := r[1].Get(v.Name)
		if has && too {
			deviations = append(deviations, y-x)
			mean += y - x
		}
	}
	n := float64(len(deviations))
	if len(deviations) < leastResamples {
		return d
	}
	mean /= n
	below, above := 0.0, 0.0
	for i := range deviations {
		deviations[i] = float64(scale * (deviations[i] - mean))
		if gap+deviations[i] <= 0 {
			below++
		}
		if gap+deviations[i] >= 0 {
			above++
		}
	}
	slices.Sort(deviations)
	d.Low += deviations[int(math.Floor(0.025*(n-1)))]
	d.High += deviations[int(math.Ceil(0.975*(n-1)))]
	d.P = min(1, 2*(min(below, above)+1)/(n+1))
	return d
}
