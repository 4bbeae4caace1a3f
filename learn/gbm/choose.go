package gbm

import (
	"context"
	"errors"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/boosting"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/loss"
	"github.com/coppice-ml/coppice/model"
)

// Choice is how the number of rounds was chosen where trees is 0.
type Choice = boosting.Choice

// The numbers of the choice of rounds.
const (
	mostRounds  = 10_000 // where the validation part still gains then, it is by little
	plainRounds = 100    // of tables that are too small, or too odd, to hold rows back from
	leastRows   = 20     // that rows are held back from

	// A learning rate of 0.05 takes twice as many rounds as 0.1, for errors that are lower by about
	// 1 % (held-out parts of california, spambase: 0.3 is 3 to 5 % worse than 0.1, 0.02 no better
	// than 0.05). Small tables have the time.
	slowRate, fastRate = 0.05, 0.1
	slowRows           = 100_000

	// Of few rows one part tells little of the best round: more are held back in turn.
	fiveRows, threeRows = 10_000, 40_000 // up to which there are five or three folds
	holdOutFraction     = 0.15           // of larger tables

	// Rounds that gain this little, as a share of the metric, over as many rounds as early_stopping
	// says are not worth their time: smooth targets without noise gain for ever.
	leastGain = 1e-3
	// Of classes that are all but told apart a gain is nothing either if it is so small a share of
	// what there was to gain: on 50,000 rows of kdd99's 23 classes the log loss would otherwise
	// fall from 0.0040 to 0.0037 for hundreds of rounds.
	leastOfClasses = 1e-4
)

// resolve returns the learner with a number of rounds and a learning rate, chosen from the rows of
// the job if the parameters leave that to the data. The choice is nil where there was none to be
// made. A state is that of a choice under way, nil = none.
func (f *fitter) resolve(ctx context.Context, t *data.Target, job learn.Job, state []byte) (*fitter, *Choice, error) {
	l := f.learner
	own := *f
	chosen := &own.learner
	if l.LearningRate == 0 {
		chosen.LearningRate = fastRate
	}
	if l.Trees > 0 {
		return &own, nil, nil
	}
	rows := job.RowsOf(f.matrix.Rows)
	n := len(data.Distinct(rows))
	if l.LearningRate == 0 && n <= slowRows {
		chosen.LearningRate = slowRate
	}
	switch {
	case job.Start != nil && job.Start.State != nil:
		c, err := choiceOf(job.Start.State)
		if err != nil || c == nil { // it was stopped by its validation part
			own.auto, chosen.Trees = true, mostRounds
			return &own, nil, err
		}
		chosen.Trees, chosen.LearningRate, chosen.ValidFraction = c.Rounds, c.Rate, 0
		return &own, c, nil
	case len(job.Valid) > 0 || l.ValidFraction > 0:
		if own.auto, chosen.Trees = true, mostRounds; l.EarlyStopping == 0 {
			chosen.Trees = plainRounds
		}
		return &own, nil, nil
	}
	own.given = &f.learner
	c, err := own.choose(ctx, t, job, rows, n, state)
	if err != nil {
		return nil, nil, err
	}
	chosen.Trees = c.Rounds
	return &own, c, nil
}

// choose finds the number of rounds by holding rows back. A state is what it goes on from.
func (f *fitter) choose(ctx context.Context, t *data.Target, job learn.Job, rows []int32, n int, state []byte) (*Choice, error) {
	c := &Choice{Rounds: plainRounds, Rate: f.learner.LearningRate}
	folds := foldsOf(t, job, rows, n)
	if folds == nil {
		return c, nil
	}
	c.Folds = len(folds)
	r := &rehearsal{earlyStopping: f.learner.EarlyStopping, job: job, given: f.given}
	if r.earlyStopping == 0 {
		r.earlyStopping = 50
	}
	for i, fold := range folds {
		own := *f
		l := &own.learner
		l.Trees, l.EarlyStopping, l.TrainingMetric, l.ValidFraction = mostRounds, 0, 0, 0
		inner := learn.Job{Rows: fold.Train, Valid: fold.Test, Seed: seedOf(job.Seed, purposeFold, uint64(i)), Start: job.Start,
			Workers: max(1, parallel.Workers(job.Workers)/len(folds)), Plan: job.Plan.Within(i)}
		b, err := own.begin(ctx, t, inner)
		var label *loss.LabelError
		switch {
		// it may be well without the rows held back
		case errors.As(err, &label) || errors.Is(err, loss.ErrNoWeight):
			return &Choice{Rounds: plainRounds, Rate: f.learner.LearningRate}, nil
		case err != nil:
			return nil, err
		}
		r.folds = append(r.folds, b)
	}
	if state != nil {
		if err := r.restore(state); err != nil {
			return nil, err
		}
	}
	if err := r.run(ctx); err != nil {
		m, failed := r.soFar()
		if failed != nil {
			return nil, failed
		}
		return nil, &cutShort{m, err}
	}
	f.stopped = r.stopped
	parts := make([]*boosting.Part, len(folds))
	for i, b := range r.folds {
		parts[i] = b.valid
	}
	if err := boosting.ReportHoldOut(&job, t, parts...); err != nil {
		return nil, err
	}
	c.Curve = r.means
	c.Metric, c.Best, c.Value = r.folds[0].history.First().Metric, r.best, r.value
	fraction := float64(len(folds[0].Train)) / float64(len(rows))
	c.Rounds = int(math.Round(float64(r.best) / fraction)) // more rows bear more rounds
	c.Factor = 1 / fraction
	return c, nil
}

// foldsOf deals the rows, nil where there is nothing to be held back.
func foldsOf(t *data.Target, job learn.Job, rows []int32, n int) []data.Fold {
	if n < leastRows {
		return nil
	}
	seed := seedOf(job.Seed, purposeFold)
	// to hold back what share of the rows it likes
	free := job.Plan == nil || job.Plan.K == 0 && job.Plan.Assign == nil
	if kind := job.Plan.KindFor(t); free && n > threeRows || kind == data.TimePlan {
		split := data.Split{Kind: kind, Seed: seed, Valid: holdOutFraction}
		train, valid, _, err := split.Sets(t, rows)
		if err != nil {
			return nil
		}
		return []data.Fold{{Train: train, Test: valid}}
	}
	k := 5
	if n > fiveRows {
		k = 3
	}
	plan := job.Plan.For(t, rows, k, seed)
	if plan == nil {
		return nil
	}
	folds, err := plan.Folds(t, rows)
	if err != nil {
		return nil
	}
	return folds
}

// rehearsal trains on all folds in step, to find the round at which they are best on the mean.
type rehearsal struct {
	job           learn.Job
	given         *Learner // as its parameters were given
	folds         []*boost
	earlyStopping int
	best          int
	value         float64
	means         []float64
	resumed       bool // the trees of the first rounds are not there
	stopped       bool // by the observer
}

// cutShort is the error of a choice that was cancelled, with the model so far, nil if there is
// none.
type cutShort struct {
	model model.Model
	cause error
}

func (e *cutShort) Error() string { return e.cause.Error() }

// soFar returns the model of the first fold, of the best number of rounds so far; nil if there is
// none.
func (r *rehearsal) soFar() (model.Model, error) {
	if r.best == 0 || r.resumed {
		return nil, nil
	}
	b := r.folds[0]
	// later rounds with dropout change what the trees before them weigh
	if b.learner.Boosting.Dart == nil {
		b.keep(r.best)
	}
	return b.finish()
}

func (r *rehearsal) run(ctx context.Context) error {
	for n := len(r.means) + 1; n <= mostRounds; n++ {
		values, errs := make([]float64, len(r.folds)), make([]error, len(r.folds))
		parallel.Each(parallel.Workers(r.job.Workers), len(r.folds), func(_, i int) { values[i], errs[i] = r.folds[i].step(ctx) })
		for _, err := range errs { // one is enough: the others tend to be the same
			if err != nil {
				return err
			}
		}
		mean := 0.0
		for _, v := range values {
			mean += v / float64(len(values))
		}
		r.enter(mean)
		if n-r.best >= r.earlyStopping || slow(r.means, r.earlyStopping, r.folds[0].target.Task.Classes()) || r.done() {
			return nil
		}
		if r.job.Observe == nil {
			continue
		}
		metric := learn.Metric{Part: "held back", Name: r.folds[0].history.First().Metric, Value: mean}
		round := learn.Round{Stage: "choose rounds", N: n, Metrics: []learn.Metric{metric}, Checkpoint: r.checkpoint}
		if r.given.Boosting.Dart != nil {
			round.Checkpoint = nil
		}
		if err := r.job.Observe(round); err != nil {
			r.stopped = errors.Is(err, learn.Stop)
			return learn.UnlessStop(err)
		}
	}
	return nil
}

// enter notes the mean of a round.
func (r *rehearsal) enter(mean float64) {
	higher := r.folds[0].history.First().Higher
	r.means = append(r.means, mean)
	if r.best == 0 || higher && mean > r.value || !higher && mean < r.value {
		r.best, r.value = len(r.means), mean
	}
}

// slow reports whether the last rounds of some, as many as patience says, gained next to nothing.
func slow(values []float64, earlyStopping int, classes bool) bool {
	n := len(values)
	if earlyStopping == 0 || n <= 2*earlyStopping {
		return false
	}
	then, now := values[n-1-earlyStopping], values[n-1]
	least := leastGain * math.Abs(then)
	if classes {
		least = max(least, leastOfClasses*math.Abs(values[0]))
	}
	return math.Abs(now-then) < least
}

// done reports whether nothing is left to be split in any fold.
func (r *rehearsal) done() bool {
	for _, b := range r.folds {
		if !b.history.Exhausted {
			return false
		}
	}
	return true
}

// step trains a round and returns the first metric of the validation part. Where nothing is left to
// be split it stays as it is.
func (b *boost) step(ctx context.Context) (float64, error) {
	curve := b.history.First()
	if !b.history.Exhausted {
		split, err := b.round(ctx)
		if err != nil {
			return 0, err
		}
		b.exhausted(split)
		if err := b.evaluate(); err != nil {
			return 0, err
		}
	}
	return curve.Values[len(curve.Values)-1], nil
}
