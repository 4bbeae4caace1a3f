package adaboost

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/ensembles"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/learn/internal/weighting"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
)

// The purposes of random streams, whose paths are purpose and number of the round. A seed
// means the same for ever, so they never change.
const (
	forRows = 1 // which rows a member is trained on; the path ends with the attempt
	forBase = 2 // the seed of the base
)

// attempts is how often the rows of a round are sampled where a member is not accepted (as often as
// by Weka's AdaBoostM1).
const attempts = 10

// job is the state of one Fit. Slices by row are by position in the population.
type job struct {
	*fitter
	learn.Job
	target     *data.Target
	pop        *grow.Population
	factors    []float64 // of the weights of classes; nil = all 1
	first      []float64 // weights of the rows before the first round, sum 1
	weight     []float64 // weights of the round at hand, sum 1
	scratch    []float64 // by frame row: weights for the base
	sampleRows func(weight []float64, round, attempt int) []int32

	members []member
	found   Summary
}

// Fit boosts. If the context is cancelled, or the observer returns an error, it returns the rounds
// so far too, nil if there are none.
func (f *fitter) Fit(ctx context.Context, t *data.Target, given learn.Job) (model.Model, error) {
	j, v, err := f.begin(t, given)
	if err == nil && j.factors != nil { // as the base is prepared with the same weights of rows
		own := *f
		j.fitter = &own
		own.prepared, err = f.prepare(ctx, weighting.Times(f.weight, t.Class, j.factors))
	}
	if err != nil {
		return nil, err
	}
	if only, ok := j.oneClass(); ok {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return j.constant(only)
	}
	return j.boost(ctx, v)
}

// begin gathers the rows.
func (f *fitter) begin(t *data.Target, given learn.Job) (*job, variant, error) {
	l := &f.learner
	if t.Task.Classes() && t.Class == nil || !t.Task.Classes() &&
		(t.Task != data.Regression || len(t.Y) == 0 || l.logit) {
		return nil, variant{}, &learn.TaskError{Learner: l.name(), Task: t.Task}
	}
	if len(t.Y) > 1 {
		return nil, variant{}, errors.New(l.name() + " predicts one number, the label has several")
	}
	if err := given.Check(f.frame, f.rows); err != nil {
		return nil, variant{}, err
	}
	v, err := l.variantOf(t)
	if err != nil {
		return nil, v, err
	}
	j := &job{fitter: f, Job: given, target: t}
	rows := f.frame.Chosen(given.RowsOf(f.rows))
	if j.pop, j.factors, err = weighting.Gather(t, rows, l.ClassWeight); err != nil {
		return nil, v, err
	}
	if err := fitting.CheckLabelSizes(l.name(), f.frame, t, fitting.LabelLimit(t, rows),
		j.pop.Rows); err != nil {
		return nil, v, err
	}
	j.first = make([]float64, len(j.pop.Rows))
	for i := range j.first {
		j.first[i] = j.pop.WeightAt(i)
	}
	normalise(j.first)
	j.weight, j.scratch = slices.Clone(j.first), make([]float64, f.frame.Rows())
	j.sampleRows = j.sample
	j.found = Summary{Variant: v.name, Base: l.Base.Name, Resampled: f.resample,
		Trained: fitting.Trained(j.pop)}
	return j, v, nil
}

// normalise divides weights by their sum, which it returns.
func normalise(weight []float64) float64 {
	sum := kernel.Sum(weight)
	for i := range weight {
		weight[i] /= sum
	}
	return sum
}

// oneClass returns the class that all rows have, if there is one.
func (j *job) oneClass() (uint32, bool) {
	if j.pop.Class == nil || slices.ContainsFunc(j.pop.Class,
		func(c uint32) bool { return c != j.pop.Class[0] }) {
		return 0, false
	}
	return j.pop.Class[0], true
}

// constant returns the model of rows that all are of one class: there is nothing to boost.
func (j *job) constant(class uint32) (model.Model, error) {
	e := &model.Ensemble{Bias: make([]float64, len(j.target.Classes))}
	e.Bias[class] = 1
	j.found.Stopped = "all training rows are of one class"
	var err error
	if e.Meta, err = j.spec(); err != nil {
		return nil, err
	}
	return e, e.Validate()
}

// boost trains round after round.
func (j *job) boost(ctx context.Context, v variant) (model.Model, error) {
	b := v.begin(j)
	valid := j.newValidation(b)
	var failed error
	for n := 0; n < j.learner.Rounds; n++ {
		if failed = ctx.Err(); failed != nil {
			break
		}
		j.found.begin(j.weight)
		r, err := b.round(ctx, n)
		if err != nil {
			failed = err
			break
		}
		if len(r.members) > 0 {
			j.members = append(j.members, r.members...)
			j.found.add(j, b, &r)
			if err := valid.add(&r); err != nil {
				return nil, err
			}
			if failed = j.observe(n, valid); failed != nil {
				break
			}
		}
		if j.found.Stopped = r.stop; r.stop != "" {
			break
		}
	}
	if len(j.members) == 0 {
		return nil, failed
	}
	if err := valid.end(); err != nil {
		return nil, err
	}
	m, err := j.model(b)
	if err != nil {
		return nil, err
	}
	return m, fitting.UnlessStop(failed)
}

// observe calls the observer after a round.
func (j *job) observe(n int, valid *validation) error {
	if j.Observe == nil {
		return nil
	}
	r := learn.Round{Stage: "boost", N: n + 1, Of: j.learner.Rounds}
	r.Metrics = append(r.Metrics, learn.Metric{Set: "weighted", Name: "error",
		Value: j.found.Error[len(j.found.Error)-1]})
	if t := j.found.Training; len(t) > 0 {
		r.Metrics = append(r.Metrics,
			learn.Metric{Set: training.TrainingSet, Name: "error", Value: t[len(t)-1]})
	}
	if value, noted := valid.latest(n + 1); noted {
		r.Metrics = append(r.Metrics, learn.Metric{Set: training.ValidationSet,
			Name: valid.curve.Metric, Value: value})
	}
	return j.Observe(r)
}

// train trains the base on weights by position, of labels that t has by frame row; t's weights are
// overwritten. n is the number of the round, attempt that of the sample.
//
// The base is given weights whose sum is the number of rows, so that its limits on the weight of a
// leaf keep their meaning. It is given no validation set: only training rows have weights and
// working responses in a round.
func (j *job) train(ctx context.Context, t *data.Target, weight []float64,
	n, attempt int) (model.Model, error) {
	given := learn.Job{Rows: j.pop.Rows, Plan: j.Plan, Workers: j.Workers,
		Seed: rng.New(j.Seed, forBase, uint64(n)).Uint64()}
	if j.resample {
		given.Rows = j.sampleRows(weight, n, attempt)
		t.Weight = nil
	} else {
		rows := float64(len(weight))
		for i, r := range j.pop.Rows {
			j.scratch[r] = float64(weight[i] * rows)
		}
		t.Weight = j.scratch
	}
	m, err := j.prepared.Fit(ctx, t, given)
	var wrong *learn.TaskError
	switch {
	case err == nil || ctx.Err() != nil:
		return m, err
	case errors.As(err, &wrong) && wrong.Task == data.Regression:
		return nil, fmt.Errorf("base=%s: %s cannot do regression, and members are regressions: "+
			"use a base such as cart", j.learner.Base.Name, wrong.Learner)
	}
	if j.resample {
		err = ensembles.WeighedTwice(err, j.learner.name(), "resample")
	}
	return nil, fmt.Errorf("base=%s: %w", j.learner.Base.Name, err)
}

// sample samples as many rows as there are, each in proportion to its weight.
func (j *job) sample(weight []float64, n, attempt int) []int32 {
	upTo := make([]float64, len(weight))
	sum := 0.0
	for i, w := range weight {
		sum += w
		upTo[i] = sum
	}
	stream := rng.New(j.Seed, forRows, uint64(n), uint64(attempt))
	rows := make([]int32, len(weight))
	for i := range rows {
		at, _ := slices.BinarySearch(upTo, float64(stream.Float64()*sum))
		for at < len(weight)-1 && weight[at] == 0 { // only a random number of exactly 0 finds one
			at++
		}
		rows[i] = j.pop.Rows[min(at, len(weight)-1)]
	}
	slices.Sort(rows)
	return rows
}

// model joins the members: to one ensemble where they are trees.
func (j *job) model(b booster) (model.Model, error) {
	c := b.committee()
	var gains [][]float64
	outputs := false
	for _, m := range j.members {
		c.Members, c.Weights, c.Output = append(c.Members, m.model), append(c.Weights, m.weight),
			append(c.Output, m.output)
		gains = append(gains, m.gain)
		outputs = outputs || m.output > 0
	}
	if !slices.ContainsFunc(c.Weights, func(w float64) bool { return w != 1 }) {
		c.Weights = nil
	}
	if !outputs {
		c.Output = nil
	}
	if !slices.ContainsFunc(gains, func(gain []float64) bool { return gain == nil }) {
		j.found.Importances = []training.Importances{training.ByImpurity(&j.frame.Schema, gains)}
	}
	j.found.end(j, b)
	var err error
	if c.Meta, err = j.spec(); err != nil {
		return nil, err
	}
	return ensembles.Joined(c)
}

func (j *job) spec() (model.Spec, error) {
	s := model.NewSpec(j.learner.name(), j.frame.Schema, j.target)
	return s, fitting.Describe(&s, j.learner.Params(), &j.found)
}
