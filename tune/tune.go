package tune

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/internal/outside"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/internal/replace"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/memory"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/ranks"
)

// Options are the choices of Run. One of Trials and Time is above 0.
type Options struct {
	Trials int           // of the study, those of other processes included
	Time   time.Duration // after which this process begins no trial
	// Metric is what trials are compared by; "" = eval.MainMetric of the task.
	Metric  string
	Sampler Sampler // "" = TPE
	// Study is a file that is made, or goes on; "" = none. Several processes may work at one.
	Study   string
	Rows    []int32 // frame rows to search by; nil = all
	Seed    uint64
	Workers int          // 0 = one per processor
	Memory  memory.Limit // of each training; 0 = memory.Default
	Env     learn.Env    // passed on to Prepare, with Memory as above, and no Ranks
	// Ranks is the processes that work at the study together; they need a file. All return the
	// whole study. nil = this process alone, and those that have the same file.
	Ranks ranks.Group
	// Observe is called after each trial, and after each promotion of one, with the study so far;
	// an error ends the search and is returned, unless it is learn.Stop.
	Observe func(*Study) error
}

// Study is the trials of a search.
type Study struct {
	Metric string `json:"metric"`
	Higher bool   `json:"higher"` // whether higher is better
	Folds  int    `json:"folds"`
	// LeftOut is as in eval.CrossValidation.
	LeftOut int     `json:"left_out,omitempty"`
	Trials  []Trial `json:"trials"` // in the order of their numbers
	Best    int     `json:"best"`   // place in Trials; -1 = none was tested on all folds
	// Chosen is the place in Trials of the settings for a model: Best, or the first trial where
	// Comparison is lost; -1 = none.
	Chosen     int         `json:"chosen"`
	Comparison *Comparison `json:"comparison,omitempty"` // nil: one fold, or one trial
	// Running is how many trials, not in Trials, other processes still work at.
	Running int `json:"running,omitempty"`
}

// Run searches for settings by which a learner does best on the folds of a plan, the same for all
// trials. A learner that chooses its number of rounds does so by the rows of the test.
//
// Errors: no limit, an unknown sampler, a *eval.MetricError, a *StudyError, the error of the first
// trial, which has the defaults, and ctx.Err(). Later trials that fail are recorded with their
// errors. On a cancelled context the study so far is returned too.
func Run(ctx context.Context, all []Candidate, ds *data.Dataset, plan *split.Plan, o Options) (*Study,
	error) {
	s, err := newSearch(ctx, all, ds, plan, o)
	if err != nil {
		return nil, err
	}
	start := outside.Now()
	for {
		if err := s.study.read(s.spaces); err != nil {
			return nil, err
		}
		if o.Time > 0 && outside.Since(start) >= o.Time && len(s.study.trials) > 0 {
			return s.all(ctx)
		}
		t, folds, err := s.next()
		if err != nil {
			return nil, err
		}
		if t == nil {
			return s.all(ctx)
		}
		if err := s.test(ctx, t, folds); err != nil {
			return s.result(), err
		}
		if t.Number == 0 && t.Error != "" {
			return nil, s.failed
		}
		if err := s.study.add(*t); err != nil {
			return nil, err
		}
		if o.Observe == nil {
			continue
		}
		if err := o.Observe(s.result()); err != nil {
			if errors.Is(err, learn.Stop) {
				return s.all(ctx)
			}
			return s.result(), err
		}
	}
}

// all returns the study when no rank has a trial to test any more.
func (s *search) all(ctx context.Context) (*Study, error) {
	if ranks.Of(s.o.Ranks).Size() == 1 {
		return s.result(), nil
	}
	if err := s.o.Ranks.Barrier(ctx); err != nil {
		return s.result(), err
	}
	err := s.study.read(s.spaces)
	return s.result(), err
}

// search is a search that runs.
type search struct {
	o       Options
	ds      *data.Dataset
	plan    *split.Plan
	folds   []split.Fold
	spaces  []space
	study   *study
	rungs   rungs
	sampler proposer
	metric  string
	higher  bool
	failed  error // of the last trial
}

// What random streams are for.
const (
	forTrial = 0x74756e65 // "tune"
	forFold  = 0x666f6c64 // "fold"
)

func newSearch(ctx context.Context, all []Candidate, ds *data.Dataset, plan *split.Plan, o Options) (
	*search, error) {
	if o.Trials <= 0 && o.Time <= 0 {
		return nil, errors.New("a search needs a limit: a number of trials, or a time")
	}
	if o.Study == "" && ranks.Of(o.Ranks).Size() > 1 {
		return nil, errors.New("ranks work at one study by its file: name one")
	}
	o.Sampler = cmp.Or(o.Sampler, TPE)
	s := &search{o: o, plan: plan}
	eta := -1
	for _, row := range samplers {
		if row.name == o.Sampler {
			s.sampler, eta = row.new(), row.eta
		}
	}
	if eta < 0 {
		return nil, fmt.Errorf("unknown sampler %q", o.Sampler)
	}
	h := header{Version: studyVersion, Sampler: o.Sampler, Seed: o.Seed}
	for i := range all {
		space, err := newSpace(&all[i])
		if err != nil {
			return nil, err
		}
		s.spaces = append(s.spaces, space)
		h.Learners = append(h.Learners, learnerFixed{all[i].Name, all[i].Fixed})
	}
	if err := s.prepare(ds); err != nil {
		return nil, err
	}
	h.Table, h.Metric, h.Folds = s.ds.Hash(o.Rows, o.Workers), s.metric, len(s.folds)
	h.Plan = plan.KindFor(&s.ds.Target)
	s.rungs = newRungs(eta, len(s.folds))
	var err error
	s.study, err = openStudy(o.Study, h, s.spaces)
	return s, cmp.Or(err, ctx.Err())
}

// prepare sets the table, the metric and the folds.
func (s *search) prepare(ds *data.Dataset) error {
	ds, err := ds.Expanded(nil)
	if err != nil {
		return err
	}
	if ds.Target.Class == nil && ds.Target.Y == nil {
		return errors.New("a search needs a label")
	}
	rows := ds.Chosen(s.o.Rows)
	own := *ds
	own.Target.ChoosePositive(rows)
	s.ds = &own
	if s.metric, s.higher, err = eval.ChooseMetric(s.o.Metric, own.Target.Task); err != nil {
		return err
	}
	if s.folds, err = s.plan.Folds(&own.Target, rows); err != nil {
		return err
	}
	s.folds = slices.DeleteFunc(s.folds, func(f split.Fold) bool {
		return !own.Target.Relevant(f.Test) // the metric has no value there
	})
	if len(s.folds) == 0 {
		return errors.New("no query has a row of a grade above 0: there is nothing to evaluate")
	}
	return nil
}

// next returns a trial to test and the number of folds that it is to have; nil at the end.
func (s *search) next() (*Trial, int, error) {
	token := fmt.Sprintf("%016x", rand.Uint64())
	for {
		t, folds := s.choose(token)
		if t == nil || s.study.path == "" {
			return t, folds, nil
		}
		err := s.study.append(claim{token, t.Number, folds, replace.Process()})
		if err == nil {
			err = s.study.read(s.spaces)
		}
		if err != nil || s.study.first(t.Number, folds, token) {
			return t, folds, err
		}
	}
}

// choose returns the trial that this process would test next.
func (s *search) choose(token string) (*Trial, int) {
	worse := 1.0
	if s.higher {
		worse = -1
	}
	taken := func(t *Trial, folds int) bool { return s.study.taken(t.Number, folds, token) }
	if t, folds := s.rungs.promoted(s.study.trials, worse, taken); t != nil {
		own := *t
		own.Tests = slices.Clone(t.Tests)
		return &own, folds
	}
	first := func(number int) int {
		if number == 0 { // the defaults are tested on all folds: a search always has a winner
			return len(s.folds)
		}
		return s.rungs.folds[0]
	}
	known := map[int]bool{}
	for _, t := range s.study.trials {
		known[t.Number] = true
	}
	number := 0
	for known[number] || s.study.taken(number, first(number), token) {
		number++
	}
	if s.o.Trials > 0 && number >= s.o.Trials {
		return nil, 0
	}
	t := &Trial{Number: number, Learner: s.spaces[0].candidate.Name, Settings: []string{}}
	if number >= len(s.spaces) { // each learner begins with its defaults
		stream := rng.New(s.o.Seed, forTrial, uint64(number))
		var at int
		at, t.Settings = s.sampler.propose(stream, s.spaces, s.study.trials, worse)
		t.Learner = s.spaces[at].candidate.Name
	} else {
		t.Learner = s.spaces[number].candidate.Name
	}
	return t, first(number)
}

// test tests a trial on folds that it was not tested on yet. A learner that fails is recorded.
func (s *search) test(ctx context.Context, t *Trial, folds int) error {
	start := outside.Now()
	at := slices.IndexFunc(s.spaces, func(a space) bool { return a.candidate.Name == t.Learner })
	l, err := s.spaces[at].candidate.learner(t.Settings)
	from := len(t.Tests)
	values := make([]float64, folds-from)
	if err == nil {
		workers := parallel.Workers(s.o.Workers)
		err = parallel.Try(ctx, workers, len(values), func(_, i int) (err error) {
			values[i], err = s.fold(ctx, l, from+i, max(1, workers/len(values)))
			return err
		})
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	t.Seconds += outside.Since(start).Seconds()
	if s.failed = err; err != nil {
		s.failed = fmt.Errorf("%s: %w", t.Learner, s.failed)
		t.Error = s.failed.Error()
		return nil
	}
	t.Tests = append(t.Tests, values...)
	return nil
}

// fold trains on the training rows of a fold, and tests on the others.
func (s *search) fold(ctx context.Context, l learn.Learner, i, workers int) (float64, error) {
	f := s.folds[i]
	job := learn.Job{Rows: f.Train, Plan: s.plan.Within(i), Workers: workers,
		Seed: rng.Seed(s.o.Seed, forFold, uint64(i))}
	if l.Capabilities().ChoosesRounds {
		job.Valid = f.Test
	}
	env := s.o.Env.Alone()
	env.Workers, env.Memory = workers, s.o.Memory
	m, err := env.Train(ctx, l, s.ds, job)
	if err != nil {
		return 0, err
	}
	sample, err := eval.Sample(ctx, m, s.ds, f.Test,
		model.Options{Workers: workers, Memory: s.o.Memory})
	if err != nil {
		return 0, err
	}
	values, none, err := metric.Evaluate(m.Spec().Task, sample)
	if err != nil {
		return 0, err
	}
	if none != nil {
		return 0, none
	}
	if v, ok := eval.Metrics(values).Get(s.metric); ok {
		return v, nil
	}
	var names []string
	for _, v := range values {
		names = append(names, v.Name)
	}
	return 0, fmt.Errorf("the predictions of fold %d have no %s: choose another metric, of %s", i+1,
		s.metric, strings.Join(names, ", "))
}

// result returns the study so far.
func (s *search) result() *Study {
	r := &Study{Metric: s.metric, Higher: s.higher, Folds: len(s.folds),
		LeftOut: split.LeftOut(s.folds), Best: -1,
		Trials: slices.Clone(s.study.trials), Running: s.study.running()}
	for i := range r.Trials {
		t := &r.Trials[i]
		if !t.whole(r.Folds) {
			continue
		}
		if b := r.Best; b < 0 || s.higher && t.Mean() > r.Trials[b].Mean() ||
			!s.higher && t.Mean() < r.Trials[b].Mean() {
			r.Best = i
		}
	}
	r.compare()
	return r
}
