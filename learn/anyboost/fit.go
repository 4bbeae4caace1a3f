package anyboost

import (
	"context"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/boosting"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/learn/internal/weighting"
	"github.com/coppice-ml/coppice/learn/sample"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
)

// Purposes of random numbers. A seed means the same for ever, so they never change.
const (
	purposeBase  = iota + 1 // the base's own choices: with round and output
	purposeRows             // rows of a round
	purposeValid            // the validation set
)

// boost is the state of one Fit. A position is a place among the rows to train on, which ascend; a
// row that is to be trained on twice has two positions.
type boost struct {
	*fitter
	learn.Job
	target *data.Target // with the factors of classes in the weights
	// rows of weight 0, which are not trained on
	weightless int
	loss       string
	ownLoss    bool // it is the caller's own
	train      *boosting.Set
	valid      *boosting.Set // nil: there is none
	monitor    boosting.Monitor
	sampler    sample.GradientSampler
	sampled    sample.Sampled
	bias       []float64 // of each output

	derivatives
	goal []float64 // what the base is fitted to, by frame row

	attempts int // rounds, those without descent included
	idle     int // of those, the last ones
	members  []member
	steps    []float64 // of each round: how far it went, before the learning rate
	cosines  []float64 // of each round: between its predictions and the negative gradient
}

// Fit trains the members. If the context is cancelled, or the observer returns an error, it returns
// the rounds so far too; nil if there are none.
func (f *fitter) Fit(ctx context.Context, t *data.Target, job learn.Job) (model.Model, error) {
	b, err := f.begin(ctx, t, job)
	if err != nil {
		return nil, err
	}
	err = fitting.UnlessStop(b.run(ctx))
	if err == nil && b.valid != nil && b.learner.EarlyStopping > 0 {
		err = boosting.ReportHoldOut(&job, b.target, b.valid)
	}
	if len(b.members) == 0 {
		return nil, err
	}
	m, failed := b.finish()
	if failed != nil {
		return nil, failed
	}
	return m, err
}

// begin checks the job, and makes all ready for the first round.
func (f *fitter) begin(ctx context.Context, t *data.Target, job learn.Job) (*boost, error) {
	if err := job.Check(f.frame, f.rows); err != nil {
		return nil, err
	}
	l := &f.learner
	name, minimised, err := boosting.LossFor(&l.Loss, Name, t, nil)
	if err != nil {
		return nil, err
	}
	b := &boost{fitter: f, Job: job, loss: name, ownLoss: boosting.OwnLoss(&l.Loss),
		goal: make([]float64, f.frame.Rows())}
	b.weightless = training.TrainedOn(t, data.Distinct(job.RowsOf(f.rows))).Weightless
	rows, valid, err := boosting.SplitValidation(&job, t, f.rows, l.ValidFraction,
		rng.Seed(job.Seed, purposeValid))
	if err != nil {
		return nil, err
	}
	rows = slices.Sorted(slices.Values(rows))
	if name == squared {
		if err := fitting.CheckLabelSizes(Name, f.frame, t, fitting.LabelLimit(t, rows), rows,
			valid); err != nil {
			return nil, err
		}
	}
	if err := b.weigh(ctx, t, rows); err != nil {
		return nil, err
	}
	if b.train, err = boosting.NewSet(boosting.Training, minimised, b.target, rows); err != nil {
		return nil, err
	}
	if valid != nil {
		b.valid, err = boosting.NewSet(boosting.Validation, minimised, b.target, valid)
		if err != nil {
			return nil, err
		}
	}
	if err := b.initScores(); err != nil {
		return nil, err
	}
	b.derivatives = newDerivatives(minimised, b.target, b.train, b.workers())
	var group []int64
	if t.Group != nil {
		for _, r := range rows {
			group = append(group, t.Group[r])
		}
	}
	sampling := &sample.Uniform{Fraction: l.Subsample}
	if b.sampler, err = sampling.Bind(len(rows), group); err != nil {
		return nil, err
	}
	return b, b.monitor.Open(boosting.Monitoring{Target: b.target, Loss: name, Metric: l.Metric,
		Own: l.Metrics, Train: b.train, Valid: b.valid,
		Every: l.TrainingMetric, Rounds: l.Rounds, EarlyStopping: l.EarlyStopping,
		Workers: b.workers(), Advice: advice})
}

// squared is the loss whose derivatives are as large as labels.
const squared = "squared"

// advice ends the errors of numbers that are not finite.
const advice = "use a lower learning_rate, or divide labels by some number if they are very large"

// weigh gives the target the weights of rows times the factors of their classes. The base is
// prepared with these again, as it is with the same weights of the rows.
func (b *boost) weigh(ctx context.Context, t *data.Target, rows []int32) error {
	var class []uint32
	if t.Class != nil {
		for _, r := range rows {
			class = append(class, t.Class[r])
		}
	}
	factor, err := weighting.ClassFactors(b.learner.ClassWeight, t, class, nil)
	if b.target = t; err != nil || factor == nil {
		return err
	}
	target, weighed := *t, *b.fitter
	target.Weight = weighting.Times(t.Weight, t.Class, factor)
	b.target, b.fitter = &target, &weighed
	weighed.base, err = b.prepare(ctx, weighting.Times(b.weight, t.Class, factor))
	return err
}

// initScores gives the rows of both sets their initial scores.
func (b *boost) initScores() error {
	k := b.train.Objective.Outputs()
	b.bias = make([]float64, k)
	given, err := boosting.BaseScore(b.learner.BaseScore, b.bias, b.train.Objective.Link())
	switch {
	case err != nil:
		return err
	case given && b.target.Offset != nil:
		return boosting.ErrStarts
	case !given && b.target.Offset == nil:
		b.train.Objective.Init(b.bias)
	}
	for _, p := range []*boosting.Set{b.train, b.valid} {
		if p == nil {
			continue
		}
		n := len(p.Rows)
		p.Raw = make([]float64, n*k)
		for i := range p.Raw {
			p.Raw[i] = b.bias[i/n]
		}
		if err := p.AddStart(b.target.Offset, b.frame.Rows(), b.loss); err != nil {
			return err
		}
	}
	return nil
}

// fewIdle is the number of rounds in a row, on other samples of rows each, that end the training if
// the loss falls in none.
const fewIdle = 20

// run trains rounds until there are enough.
func (b *boost) run(ctx context.Context) error {
	for b.monitor.Rounds < b.learner.Rounds && !b.monitor.Stopped {
		down, err := b.round(ctx)
		b.attempts++
		if err != nil {
			return err
		}
		if b.monitor.Flat {
			return nil
		}
		if !down {
			if b.idle++; b.learner.Subsample < 1 && b.idle < fewIdle {
				continue
			}
			b.monitor.Exhausted = true
			return nil
		}
		b.idle = 0
		b.monitor.Rounds++
		if err := b.monitor.Evaluate(); err != nil {
			return err
		}
		if b.Observe == nil {
			continue
		}
		if err := b.Observe(learn.Round{Stage: "boost", N: b.monitor.Rounds, Of: b.learner.Rounds,
			Metrics: b.monitor.Latest}); err != nil {
			return err
		}
	}
	return nil
}

func (b *boost) workers() int { return parallel.Workers(b.Workers) }
