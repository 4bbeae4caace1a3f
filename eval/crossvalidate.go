package eval

import (
	"context"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/memory"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/ranks"
)

// seedStream separates the seeds of folds from other uses of the same seed.
const seedStream = 0x63766c64 // "cvld"

// Options are the choices of CrossValidate. The zero value takes all rows, seed 0 and one worker
// per processor.
type Options struct {
	Rows []int32 // frame rows to assign to the folds; nil = all
	// of each training and of the predictions of all rows, for rows x classes; 0 = memory.Default
	Memory memory.Limit
	// goroutines of training and prediction; the result is the same for any number
	Workers int
	Seed    uint64 // from which each fold's training gets a seed of its own
	// called after each fold, as stage "fold"; an error ends the work and is returned
	Observe func(learn.Round) error
	Env     learn.Env // passed on to Prepare, with Workers and Memory as above, and no Ranks
	// Ranks is the processes that divide the folds: each trains on some, and all return the result.
	// nil = this process alone. CheckLeakage runs on each of them.
	Ranks ranks.Group
}

// CrossValidation is the result of cross-validating a learner.
type CrossValidation struct {
	Folds   []Report  `json:"folds"`   // of each fold's model on the fold's test rows
	Summary Summaries `json:"summary"` // of each metric over the folds
	// of all test rows together, each predicted by the model of its fold
	Pooled *Report `json:"pooled"`
	// LeftOut is how many earlier rows were not trained on because their groups were tested, of a
	// plan by time: the sum over the folds.
	LeftOut int `json:"left_out,omitempty"`
}

// Summary is one metric over the folds. All folds have equal weight, whatever their sizes and
// weights.
type Summary struct {
	Name string  `json:"-"`
	Mean float64 `json:"mean"`
	// standard deviation between folds, with divisor Folds - 1; 0 for a single fold
	SD    float64 `json:"sd"`
	SE    float64 `json:"se"`    // standard error of the mean, SD / sqrt(Folds)
	Folds int     `json:"folds"` // folds on which the metric is defined
}

// Summaries are in the order of metric.Table. In JSON they are an object in that order.
type Summaries []Summary

// MarshalJSON writes {"accuracy":{"mean":...},...} in the order of s.
func (s Summaries) MarshalJSON() ([]byte, error) {
	return object(len(s), func(i int) (string, any) { return s[i].Name, s[i] })
}

// CrossValidate trains and tests a learner on each fold of a plan. All training uses the fold's
// training rows alone, and so do Prepare and the choice of columns of texts (data.Frame.FitTexts).
// Nothing of a test row reaches the model it is tested on. Errors name the fold. Of two classes the
// positive one is that of the target, else data.Target.ChoosePositive chooses it by all rows.
func CrossValidate(
	ctx context.Context, l learn.Learner, ds *data.Dataset, plan *split.Plan, o Options,
) (*CrossValidation, error) {
	if ds.Target.Class == nil && ds.Target.Y == nil {
		return nil, fmt.Errorf("cross-validation needs a label")
	}
	ds, err := ds.Expanded(nil)
	if err != nil {
		return nil, err
	}
	rows := ds.Chosen(o.Rows)
	own := *ds
	own.Target.ChoosePositive(rows) // one class in all folds
	ds = &own
	folds, err := plan.Folds(&ds.Target, rows)
	if err != nil {
		return nil, err
	}
	if err := ds.Target.CheckMemory(o.Memory, "cross-validation", int64(len(rows)),
		predictionBytes); err != nil {
		return nil, err
	}
	tests, err := o.testFolds(ctx, l, ds, plan, folds)
	if err != nil {
		return nil, err
	}
	cv := &CrossValidation{LeftOut: split.LeftOut(folds)}
	task := tests[0].Task // of anomalies, whatever the label
	pooled := metric.NewStream(task, len(rows), metric.Storage{})
	for i := range tests {
		r, err := newReport(task, ds.Target.Classes, tests[i].Sample)
		if err != nil {
			return nil, foldError(i, len(folds), err)
		}
		cv.Folds = append(cv.Folds, *r)
		if err := pooled.Add(tests[i].Sample); err != nil {
			return nil, err
		}
	}
	cv.Summary = summarise(task, cv.Folds)
	cv.Pooled, err = reportOf(task, ds.Target.Classes, pooled)
	return cv, err
}

// train trains on one fold's training rows, which the learner may split again by a plan within.
func (o *Options) train(
	ctx context.Context, l learn.Learner, ds *data.Dataset, f split.Fold, number int,
	within *split.Plan,
) (model.Model, error) {
	env := o.Env.Alone()
	env.Workers, env.Memory = o.Workers, o.Memory
	seed := rng.New(o.Seed, seedStream, uint64(number)).Uint64()
	job := learn.Job{Rows: f.Train, Plan: within, Seed: seed, Workers: o.Workers}
	return env.Train(ctx, l, ds, job)
}

// summarise computes mean and spread of each metric that some fold has.
func summarise(task data.Task, folds []Report) Summaries {
	var all Summaries
	for _, m := range metric.ForTask(task) {
		var values []float64
		for i := range folds {
			if v, ok := folds[i].Metrics.Get(m.Name); ok {
				values = append(values, v)
			}
		}
		if len(values) > 0 {
			all = append(all, summaryOf(m.Name, values))
		}
	}
	return all
}

// summaryOf computes mean and deviations in units of a power of two that no value exceeds, so that
// neither sums nor squares overflow.
func summaryOf(name string, values []float64) Summary {
	most := 0.0
	for _, v := range values {
		most = max(most, math.Abs(v))
	}
	_, unit := math.Frexp(most)
	n, mean, squares := float64(len(values)), 0.0, 0.0
	for _, v := range values {
		mean += math.Ldexp(v, -unit)
	}
	mean /= n
	for _, v := range values {
		d := math.Ldexp(v, -unit) - mean
		squares += float64(d * d)
	}
	s := Summary{Name: name, Folds: len(values), Mean: math.Ldexp(mean, unit)}
	if n > 1 {
		s.SD = math.Ldexp(math.Sqrt(squares/(n-1)), unit)
	}
	s.SE = s.SD / math.Sqrt(n)
	return s
}
